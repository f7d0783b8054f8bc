/**
 * Writes over stored rows. Rows of older versions are upgraded when they are read, and a write
 * replaces them as a whole. So does a merge that removes properties from a row of a remote account,
 * because the service has no such merge. It is loaded when a declared table first needs it.
 *
 * @module
 */

import { isTableError, TableError, type TableErrorOptions } from '../base/errors.js';
import type { Issue } from '../base/issue.js';
import { hasMethod, isObject } from '../base/kinds.js';
import { own } from '../base/own.js';
import { shown, shownValue } from '../base/shown.js';
import { ANY_ETAG } from '../entity/any-etag.js';
import { hasRemovals } from '../entity/json.js';
import { keysOf, keyTexts, type EntityKeys, type GivenKeys } from '../entity/keys.js';
import type { UpdateMode } from '../entity/models.js';
import type { RowVersions } from '../entity/row-form.js';
import { withWholeValues } from '../schema/parts.js';
import { untyped } from '../schema/versions.js';

type Values = Record<string, unknown>;

// Another writer may have stored any value there.
function versionOf(row: Readonly<Record<string, unknown>>, name: string): number {
  const stored = untyped(own(row, name)) ?? 1;
  const version = typeof stored === 'bigint' ? Number(stored) : stored;
  if (Number.isInteger(version) && (version as number) >= 1) return version as number;
  const message = `Property ${shown(name)} holds ${shownValue(stored)}, which is not a whole number from 1.`;
  throw new TableError('SchemaViolation', 'A row has an invalid version.', {
    sentence: message,
    issues: [{ rule: 'schema-enum', code: 'SchemaViolation', path: [name], message }],
    ...keyTexts(row),
  });
}

/**
 * The version of a row.
 *
 * @throws {@link TableError} `SchemaVersionTooNew`, if a later version of the app wrote it;
 * `SchemaViolation`, if its version is no whole number from 1.
 */
function knownVersionOf(
  { property: name, version }: RowVersions,
  row: Readonly<Record<string, unknown>>,
): number {
  const stored = versionOf(row, name);
  if (stored <= version) return stored;
  throw new TableError('SchemaVersionTooNew', 'A newer version of the app has written this row.', {
    sentence: `It has the ${name} ${stored}; this app knows ${version}.`,
    ...keyTexts(row),
  });
}

/**
 * Returns a row in the newest form, without the property that holds the version.
 *
 * @param check - returns what is wrong with a row that was upgraded.
 * @throws {@link TableError} as `knownVersionOf`; `SchemaViolation`, if an upgrade fails, or
 * returns something that is not a valid row.
 */
export function upgraded(
  versions: RowVersions,
  row: Record<string, unknown>,
  check: (row: Record<string, unknown>) => readonly Issue[],
): Record<string, unknown> {
  const stored = knownVersionOf(versions, row);
  const { [versions.property]: _, ...old } = row;
  if (stored === versions.version) return old;
  const system = Object.entries(old).filter(([one]) => SYSTEM.includes(one));
  const fail = (from: number, what: string, more?: TableErrorOptions) =>
    upgradeFailed(row, `The upgrade from version ${from} ${what}`, more);
  const thrown = (from: number, cause: unknown) =>
    fail(from, `threw an error: ${String(cause)}`, { cause });
  const { whole, inParts } = withWholeValues(old);
  let current = whole;
  for (let from = stored; from < versions.version; from++) {
    let made: Values | string;
    try {
      made = rowIn(versions.upgrade[from]!(current), versions.property);
    } catch (cause) {
      throw thrown(from, cause);
    }
    if (typeof made === 'string') throw fail(from, `returned ${made}, which is not a row.`);
    current = made;
  }
  const newest = inParts({ ...current, ...Object.fromEntries(system) });
  let issues: readonly Issue[];
  try {
    issues = check(newest);
  } catch (cause) {
    // A value may have a getter, or be a proxy.
    throw isTableError(cause) ? cause : thrown(versions.version - 1, cause);
  }
  const [first] = issues;
  if (!first) return newest;
  const broken = `to ${versions.version} returned a row that breaks the definition of the table: ${first.message}`;
  throw fail(stored, broken, { issues });
}

function upgradeFailed(
  row: object,
  sentence: string,
  more: TableErrorOptions | undefined,
): TableError {
  const text = 'The upgrade of a row has failed.';
  return new TableError('SchemaViolation', text, { sentence, ...keyTexts(row), ...more });
}

/** The row that an upgrade has returned, without its version; in words, what else it is. */
function rowIn(returned: unknown, version: string): Values | string {
  if (hasMethod(returned, 'then')) return 'a promise';
  if (!isObject(returned) || Array.isArray(returned)) return shown(returned);
  const { [version]: _, ...row } = returned as Values;
  return row;
}

// No upgrade changes them.
const SYSTEM = ['partitionKey', 'rowKey', 'etag', 'timestamp'];

/** A write; an update without an etag inserts the entity if there is none. */
export interface Write {
  readonly entity: GivenKeys;
  readonly mode: UpdateMode;
  readonly etag: string | undefined;
  /** It is an insert. */
  readonly creates?: boolean;
}

/** A write in place of an update. */
interface WriteOver extends Write {
  /** The condition is not of the caller. */
  readonly mayRepeat: boolean;
}

/** A table whose stored rows are read before they are written. */
export interface VersionedTable {
  /** Missing, if its rows have no versions. */
  readonly versions: RowVersions | undefined;
  /** Whether a merge can remove properties. Otherwise a write of the whole row does. */
  readonly takesRemovals: boolean;
  /** Reads an entity as it is stored. */
  readonly read: (keys: EntityKeys) => Promise<Values & { readonly etag: string }>;
  /** The row of an entity, in the newest form. */
  readonly newestOf: (stored: Values, upgrade: typeof upgraded) => Values;
  /** The row of an entity. */
  readonly rowOf: (entity: object) => Values;
  /** The entity that a write stores for a whole row. */
  readonly stored: (row: GivenKeys) => GivenKeys | Promise<GivenKeys>;
  readonly explained: (error: unknown, entity: object) => unknown;
}

/**
 * Carries out the write in place of an update: it holds only for the row that is stored now, and
 * replaces a row of an older version as a whole. If another writer changes the row meanwhile, it
 * begins again, unless the condition is of the caller. The caller must not change the update.
 */
export function updateOverStored<R>(
  table: VersionedTable,
  given: Write,
  carryOut: (write: Write) => Promise<R>,
): Promise<R> {
  return isMode(given.mode) ? updateOver(table, given, carryOut) : carryOut(given);
}

async function updateOver<R>(
  table: VersionedTable,
  given: Write,
  carryOut: (write: Write) => Promise<R>,
): Promise<R> {
  for (;;) {
    const write = await writeOver(table, given);
    try {
      return await carryOut(write);
    } catch (error) {
      if (!write.mayRepeat || !hasChanged(error)) throw error;
    }
  }
}

// Somebody changed, made or deleted the row since it was read.
function hasChanged(error: unknown): error is TableError {
  const codes = ['UpdateConditionNotSatisfied', 'EntityAlreadyExists', 'ResourceNotFound'];
  return isTableError(error) && codes.includes(error.code);
}

async function writeOver(table: VersionedTable, given: Write): Promise<WriteOver> {
  const { entity, mode, etag } = given;
  const mayRepeat = etag === undefined || etag === ANY_ETAG;
  try {
    const stored = await storedOf(table, given);
    if (!stored) {
      // A new row needs its defaults.
      const whole = mode === 'Merge' ? await table.stored(table.rowOf(entity)) : entity;
      return { ...given, entity: whole, creates: true, mayRepeat };
    }
    const same = { ...given, etag: mayRepeat ? stored.etag : etag, mayRepeat };
    const { versions, takesRemovals } = table;
    const isNewest = !versions || knownVersionOf(versions, stored) === versions.version;
    const canMerge = isNewest && (takesRemovals || !hasRemovals(entity));
    if (mode === 'Replace' || canMerge) return same;
    const read = isNewest ? stored : plainOf(stored);
    const { etag: _, timestamp: __, ...old } = table.newestOf(read, upgraded);
    const row = { ...old, ...table.rowOf(entity) } as GivenKeys;
    return { ...same, mode: 'Replace', entity: await table.stored(row) };
  } catch (error) {
    throw table.explained(error, entity);
  }
}

// The values that an upgrade gets from reads, too.
function plainOf(stored: Values): Values {
  const plain = Object.entries(stored).map(([name, value]) => {
    const isTyped = isObject(value) && 'type' in value && 'value' in value;
    const { type, value: own } = (isTyped ? value : {}) as { type?: string; value?: unknown };
    const keepsType = type === 'Guid' || (type === 'DateTime' && typeof own === 'string');
    return [name, isTyped && !keepsType ? own : value];
  });
  return Object.fromEntries(plain) as Values;
}

// Undefined, if there is none and the write inserts it.
async function storedOf(table: VersionedTable, { entity, etag }: Write) {
  try {
    return await table.read(keysOf(entity));
  } catch (error) {
    const isMissing = isTableError(error) && error.code === 'ResourceNotFound';
    if (isMissing && etag === undefined) return undefined;
    throw error;
  }
}

const isMode = (mode: unknown) => mode === 'Merge' || mode === 'Replace';
