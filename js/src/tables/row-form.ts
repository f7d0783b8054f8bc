/**
 * How the rows of a declared table are written, and read.
 *
 * @module
 */

import { errorOfIssues, invalidInput, type TableError } from '../base/errors.js';
import type { Issue } from '../base/issue.js';
import { hasMethod, isObject } from '../base/kinds.js';
import { own } from '../base/own.js';
import { shown } from '../base/shown.js';
import { apiName, wireName } from '../base/system-names.js';
import { define } from '../entity/json.js';
import { keyTexts } from '../entity/keys.js';
import type { RowForm, RowVersions } from '../entity/row-form.js';
import { NamesOfTable } from '../schema/app-names.js';
import { compile } from '../schema/compile.js';
import { blobsOf, type BlobContents } from '../schema/parts.js';
import type { PropertyDefinition } from '../schema/properties.js';
import { withHiddenKeys } from '../schema/row-keys.js';
import type { TableProperties } from '../schema/rows.js';
import {
  convertedRow,
  copyOf,
  entityOf,
  failed,
  fillDefaults,
  rowOf,
  rowsOf,
  rulesOf,
} from '../schema/stored-rows.js';
import type { TableDefinition } from '../schema/table-definition.js';
import { coreIssues, ownIssues, whenKnown, type CheckedTable } from '../schema/validate.js';
import { knownVersion, rowVersions, untyped } from '../schema/versions.js';
import type { Validator } from '../validation/validator.js';
import type { upgraded } from './row-versions.js';

type Values = Record<string, unknown>;

/**
 * Makes the form of the rows of a table.
 *
 * @param validator - that of the account. It checks what is written; a remote account may have
 * none.
 */
export function rowFormOf(
  table: TableDefinition<TableProperties>,
  validator: Validator | undefined,
): RowForm {
  const { properties, options, bytes, rowKeys, stored } = table;
  const { unknownProperties = 'keep' } = options;
  const known = knownVersion(options, properties);
  const schemaOfStored = compile(stored, unknownProperties !== 'reject', known);
  const written: CheckedTable = { ...table, bytes: schemaOfStored };
  const versions = rowVersions(options);
  const newest = (entity: object) =>
    versions ? { ...entity, [versions.property]: versions.version } : entity;
  return {
    schema: bytes,
    schemaOfStored,
    schemaOfImport: compile(stored, unknownProperties === 'keep', known),
    names: new NamesOfTable(table),
    versions,
    readsToMerge:
      !!versions ||
      // Fields of keys have rules of their properties.
      (rowKeys?.names ?? ['partitionKey', 'rowKey']).some((name) => isChecked(properties[name])),
    rulesOf: (name) => rulesOf(properties, name),
    rowOf: (entity) => readRows(table, [newest(entity)])[0]!,
    // A report needs the time of a row.
    pick: rowKeys && ((row, select) => picked(table, row as Values, ['timestamp', ...select])),
    stored: (row, isPart) => storedRow(written, row, isPart, validator),
  };
}

// Whether rows are checked by rules of a key that the core does not have.
const isChecked = (key: PropertyDefinition | undefined) =>
  key && (key.rules.checks.length || key.rules.constraints['pattern']);

/**
 * See `RowForm.stored`.
 *
 * @param table - with the rules of what is stored.
 * @param validator - that of the account that writes.
 */
export function storedRow<T extends object>(
  table: CheckedTable,
  given: T,
  isPart: boolean,
  validator: Validator | undefined,
): T | Promise<T> {
  const { properties, options } = table;
  // The client refuses it, with a message of its own.
  if (!isObject(given)) return given;
  const isList = Array.isArray(given);
  if (isList || hasMethod(given, 'then')) {
    const remedy = isList ? ' insertMany takes several rows.' : '';
    throw invalidInput(`A row must be an object, not ${shown(given)}.${remedy}`);
  }
  const copy = copyOf(properties, given, options.unknownProperties === 'drop', isPart);
  if (!isPart) fillDefaults(properties, copy);
  const checked = (contents?: BlobContents) => {
    const entity = entityOf(table, copy, isPart, contents);
    const ofCore = () => coreIssues(table, validator, entity, isPart);
    const known = { isPart, entity, isRight: () => !ofCore().length };
    return whenKnown(ownIssues(table, copy, known), (found) => {
      if (found.length) throw errorOfIssues(withOwn(ofCore(), found), keyTexts(copy));
      return entity as T;
    });
  };
  const blobs = table.parts && blobsOf(properties, copy);
  if (!blobs) return checked();
  const unreadable = (cause: unknown) => {
    throw failed('A Blob cannot be read.', copy, cause);
  };
  return blobs.catch(unreadable).then(checked);
}

/**
 * Returns the rows of entities; with the selected properties alone, if there is a selection.
 *
 * @param upgrade - makes the newest form of a row of another version; missing, if there is none.
 * @param validator - that of the account; it checks rows that were upgraded.
 * @param hidesKeys - see `rowsOf`.
 * @throws {@link TableError} `SchemaVersionTooNew`; `SchemaViolation`, if its version or its
 * upgrade is wrong.
 */
export function readRows(
  table: CheckedTable,
  entities: readonly object[],
  select?: readonly string[],
  upgrade?: typeof upgraded,
  validator?: Validator,
  hidesKeys = true,
): Values[] {
  const { properties, options } = table;
  // An upgrade needs them.
  const rows = rowsOf(table, entities, hidesKeys || options.version !== undefined);
  return rows.map((plain) => {
    // A deletion has only its keys.
    if (!select && !isWhole(plain)) return plain;
    const versions = isWhole(plain) ? rowVersions(options) : undefined;
    const newest = versions ? newestOf(table, versions, plain, upgrade, validator) : plain;
    fillDefaults(properties, newest, select);
    return select && versions ? picked(table, newest, select) : newest;
  });
}

/** Whether an entity that was read is a row, but not in the newest form. */
export const isOfOtherVersion = ({ property, version }: RowVersions, entity: object): boolean =>
  isWhole(entity) && untyped((entity as Values)[property]) !== version;

const isWhole = (entity: object) => (entity as Values)['timestamp'] !== undefined;

function newestOf(
  table: CheckedTable,
  versions: RowVersions,
  row: Values,
  upgrade: typeof upgraded | undefined,
  validator: Validator | undefined,
): Values {
  if (isOfOtherVersion(versions, row)) {
    const newest = upgrade!(versions, row, (made) => issuesOf(table, made, validator));
    const made = convertedRow(table.properties, newest);
    // No upgrade changes them.
    return table.rowKeys ? withHiddenKeys({ ...made, ...table.rowKeys.decode(row) }, row) : made;
  }
  const { [versions.property]: _, ...rest } = row;
  return table.rowKeys ? withHiddenKeys(rest, row) : rest;
}

// Without the defaults that are missing, because a function would make them twice.
function issuesOf(
  table: CheckedTable,
  upgradedRow: Values,
  validator: Validator | undefined,
): readonly Issue[] {
  const { properties, options } = table;
  const row = convertedRow(properties, upgradedRow);
  let written: Values;
  try {
    written = copyOf(properties, row, options.unknownProperties === 'drop');
  } catch (error) {
    // The upgrade is at fault, and not a row of a caller.
    throw (error as TableError).cause;
  }
  return coreIssues(table, validator, entityOf(table, written), false);
}

/**
 * Everything that is wrong with a stored entity whose properties say their types. The `refine` of
 * the table runs only if the core finds nothing wrong: the row may be of an older version.
 */
export async function storedIssues(
  table: CheckedTable,
  entity: object,
  validator: Validator,
): Promise<readonly Issue[]> {
  const ofCore = coreIssues(table, validator, entity, false);
  const isPart = ofCore.length > 0;
  try {
    const row = rowOf(table, entity);
    if (!isPart) fillDefaults(table.properties, row);
    return withOwn(ofCore, await ownIssues(table, row, { isPart, isRight: () => !isPart }));
  } catch (error) {
    // It has a wrong number of parts; or a write of this row would be refused because a check
    // fails, or no row has its key.
    const { issues, message } = error as TableError;
    return [...ofCore, ...(issues.length ? issues : [{ ...REFINED, message }])];
  }
}

function picked({ rowKeys }: CheckedTable, row: Values, select: readonly string[]): Values {
  const values: Values = {};
  const selected = select.map((one) => apiName(wireName(one)));
  const names = rowKeys
    ? [...rowKeys.names, ...selected.filter((name) => !/^(partition|row)Key$/.test(name))]
    : selected;
  for (const name of ['etag', ...names]) {
    if (own(row, name) !== undefined) define(values, name, row[name]);
  }
  return rowKeys ? withHiddenKeys(values, row) : values;
}

// Rules of one property, unless another one is broken already.
function withOwn(ofCore: readonly Issue[], own: readonly Issue[]): readonly Issue[] {
  const broken = new Set<unknown>(ofCore.map(({ path }) => path?.[0]));
  const others = own
    .filter(({ rule, path }) => !rule || !broken.has(path?.[0]))
    .map((issue) => ({ ...REFINED, ...issue }));
  const isOfSize = ({ rule }: Issue) => rule === 'entity-size';
  const all = [...ofCore, ...others];
  const sizes = others.filter(isOfSize);
  const rest = all.filter((issue) => !isOfSize(issue));
  // A value that does not fit says more than the size of the whole.
  return sizes.length ? [...sizes, ...rest] : [...rest, ...all.filter(isOfSize)];
}

// Of an issue that another validator, or the `refine` of the table, has found.
const REFINED = { rule: 'schema-refine', code: 'SchemaViolation' } as const;
