/**
 * Rows of older versions: they are upgraded when they are read, and a write replaces them as a
 * whole. It is loaded when a declared table with versions first needs it.
 *
 * @module
 */

import { isTableError, TableError, type TableErrorOptions } from '../base/errors.js';
import { hasMethod, isObject } from '../base/kinds.js';
import { own } from '../base/own.js';
import { shown, shownValue } from '../base/shown.js';
import type { Violation } from '../base/violation.js';
import { ANY_ETAG } from '../entity/any-etag.js';
import { keysOf, keyTexts, type EntityKeys, type GivenKeys } from '../entity/keys.js';
import type { TransactionAction, UpdateMode } from '../entity/models.js';
import type { RowVersions } from '../entity/row-form.js';

// Another writer may have stored any value there.
function versionOf(row: Readonly<Record<string, unknown>>, name: string): number {
  const stored = own(row, name) ?? 1;
  const version = typeof stored === 'bigint' ? Number(stored) : stored;
  if (Number.isInteger(version) && (version as number) >= 1) return version as number;
  const message = 'A row has a version that no upgrade is for.';
  const explanation = `Property ${shown(name)} holds ${shownValue(stored)}, which is not a whole number from 1.`;
  const violation = { rule: 'schema-enum', code: 'SchemaViolation', path: name } as const;
  throw new TableError('SchemaViolation', message, {
    sentence: explanation,
    violations: [{ ...violation, message, explanation }],
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
  throw new TableError('SchemaVersionTooNew', 'A row is of a newer version than this app knows.', {
    sentence: `It has the ${name} ${stored}; this app knows ${version}.`,
    ...keyTexts(row),
  });
}

/**
 * Returns a row in the newest form, without the property that holds the version.
 *
 * @param check - returns what is wrong with a row that was upgraded.
 * @throws {@link TableError} as `knownVersionOf`; `SchemaViolation`, if an upgrade fails, or makes
 * what is no row of the table.
 */
export function upgraded(
  versions: RowVersions,
  row: Record<string, unknown>,
  check: (row: Record<string, unknown>) => readonly Violation[],
): Record<string, unknown> {
  const stored = knownVersionOf(versions, row);
  const { [versions.property]: _, ...old } = row;
  if (stored === versions.version) return old;
  const system = Object.entries(old).filter(([one]) => SYSTEM.includes(one));
  const fail = (from: number, what: string, more: TableErrorOptions = {}) =>
    new TableError('SchemaViolation', 'The upgrade of a row has failed.', {
      sentence: `The upgrade from version ${from} ${what}`,
      ...keyTexts(row),
      ...more,
    });
  let current = old;
  for (let from = stored; from < versions.version; from++) {
    let next: unknown;
    try {
      next = versions.upgrade[from]!(current);
    } catch (cause) {
      throw fail(from, `threw an error: ${String(cause)}`, { cause });
    }
    if (!isObject(next) || Array.isArray(next) || hasMethod(next, 'then')) {
      const what = hasMethod(next, 'then') ? 'a promise' : shown(next);
      throw fail(from, `returned ${what}, which is not a row.`);
    }
    current = { ...next };
  }
  const newest = { ...current, ...Object.fromEntries(system) };
  const violations = check(newest);
  const [first] = violations;
  if (!first) return newest;
  const broken = `to ${versions.version} made a row that breaks the table: ${first.explanation}`;
  throw fail(stored, broken, { violations });
}

// No upgrade changes them.
const SYSTEM = ['partitionKey', 'rowKey', 'etag', 'timestamp'];

type Values = Record<string, unknown>;

/** An update; without an etag, it inserts the entity if there is none. */
export interface Update {
  readonly entity: GivenKeys;
  readonly mode: UpdateMode;
  readonly etag: string | undefined;
}

/** A write in place of an update. */
export interface Write extends Update {
  readonly creates?: boolean;
  /** The condition is not of the caller. */
  readonly mayRepeat: boolean;
}

/** A table whose stored rows are read before they are written. */
export interface VersionedTable {
  readonly versions: RowVersions;
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
 * Returns the write in place of an update: it holds only for the row that is stored now, and
 * replaces a row of an older version as a whole. The caller must not change the update.
 */
export function overStored(table: VersionedTable, given: Update): Promise<Write> {
  return writeOver(table, given);
}

async function writeOver(table: VersionedTable, given: Update): Promise<Write> {
  const { entity, mode, etag } = given;
  const mayRepeat = etag === undefined || etag === ANY_ETAG;
  try {
    const stored = await table.read(keysOf(entity));
    const same = { ...given, etag: mayRepeat ? stored.etag : etag, mayRepeat };
    const version = knownVersionOf(table.versions, stored);
    if (mode === 'Replace' || version === table.versions.version) return same;
    const { etag: _, timestamp: __, ...old } = table.newestOf(stored, upgraded);
    const row = { ...old, ...table.rowOf(entity) } as GivenKeys;
    return { ...same, mode: 'Replace', entity: await table.stored(row) };
  } catch (error) {
    const isMissing = isTableError(error) && error.code === 'ResourceNotFound';
    if (isMissing && etag === undefined) return { ...given, creates: true, mayRepeat };
    throw table.explained(error, entity);
  }
}

/** An action that writes a row. */
export type WriteAction = [
  kind: 'create' | 'update' | 'upsert',
  row: GivenKeys,
  mode?: UpdateMode,
  options?: { etag?: string },
  ...surplus: unknown[],
];

/**
 * Returns the action in place of one of a transaction, and whether it may be repeated. The caller
 * must not change the action.
 *
 * @param seen - the rows of the actions before. A second write of a row follows a write of this
 * transaction, and stays as it is.
 */
export function actionOverStored(
  table: VersionedTable,
  action: TransactionAction,
  seen: Set<string>,
): Promise<RepeatableAction> {
  return actionOver(table, action, seen);
}

interface RepeatableAction {
  readonly action: TransactionAction;
  readonly mayRepeat: boolean;
}

async function actionOver(
  table: VersionedTable,
  action: TransactionAction,
  seen: Set<string>,
): Promise<RepeatableAction> {
  const same = { action, mayRepeat: false };
  if (!Array.isArray(action) || !isObject(action[1])) return same;
  const [kind, entity, mode = 'Merge', options, ...rest] = action as WriteAction;
  const { partitionKey, rowKey } = keyTexts(entity);
  const row = JSON.stringify([partitionKey, rowKey]);
  const isFirst = !seen.has(row);
  seen.add(row);
  const isUpdate = kind === 'update' || (kind === 'upsert' && options?.etag === undefined);
  if (!isFirst || !isUpdate || !isMode(mode)) return same;
  const etag = kind === 'update' ? (options?.etag ?? ANY_ETAG) : undefined;
  const write = await writeOver(table, { entity, mode, etag });
  const over = write.creates
    ? ['create', write.entity]
    : ['update', write.entity, write.mode, { ...options, etag: write.etag }, ...rest];
  return { action: over as TransactionAction, mayRepeat: write.mayRepeat };
}

const isMode = (mode: unknown) => mode === 'Merge' || mode === 'Replace';
