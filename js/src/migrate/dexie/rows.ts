/**
 * The rows that a value of a store becomes, and what is wrong with one.
 *
 * @module
 */

import { invalidInput, isTableError, remade, type TableError } from '../../base/errors.js';
import { nameOf } from '../../base/issue.js';
import { isBufferSource, isObject, tagOf } from '../../base/kinds.js';
import { shown } from '../../base/shown.js';
import type { Table } from '../../tables/table.js';
import type { SourceKey } from './models.js';
import type { KeyPath, SourceValue } from './source.js';
import { shownKey } from './source-keys.js';

/** A store of a database, and its table. */
export interface StoreToImport {
  readonly database: string;
  readonly store: string;
  readonly table: Table;
  readonly convert: ((value: unknown, key: SourceKey) => unknown) | undefined;
}

type Values = Record<string, unknown>;

/**
 * Returns the rows of a value.
 *
 * @throws {@link TableError} `InvalidInput`, with the cause, if `convert` throws.
 */
export async function rowsOf(from: StoreToImport, value: SourceValue): Promise<unknown[]> {
  const { convert, store } = from;
  if (!convert) return [value.value];
  try {
    const made: unknown = await convert(value.value, value.key);
    return made === undefined || made === null ? [] : [made].flat();
  } catch (cause) {
    const { message } = (isObject(cause) ? cause : {}) as Partial<Error>;
    const failed = `The function convert.${store} has thrown: ${message ?? String(cause)}`;
    throw remade(invalidInput(failed, cause), { sentence: placeOf(from, value.key) });
  }
}

/**
 * Refuses a row that would lose something without a word.
 *
 * @throws {@link TableError} `InvalidInput`.
 */
export function checkRow(from: StoreToImport, keyPath: KeyPath, row: unknown): void {
  const { store, table, convert } = from;
  const { keys } = table.names;
  const remedy = (example: string) => `Say what to store: convert: { ${store}: ${example} }.`;
  if (!isObject(row) || Array.isArray(row)) {
    const what = `A row is an object, not ${shown(row)}.`;
    throw invalidInput(`${what} ${remedy('(value, key) => ({ … })')}`);
  }
  const system = SYSTEM.find((name) => Object.hasOwn(row, name) && !keys.includes(name));
  if (system) {
    const example = `({ ${system}, ...row }) => ({ ...row, another: ${system} })`;
    throw invalidInput(`Azure has ${system} for itself. ${remedy(example)}`);
  }
  const missing = keys.find((name) => (row as Values)[name] === undefined);
  const paths = [keyPath ?? ''].flat();
  if (convert || missing === undefined || !paths.some((path) => /^$|\./.test(path))) return;
  const where = keyPath === null ? 'beside its values' : `at ${paths.join(' and ')}`;
  const made = `({ ...row, ${missing}: key })`;
  throw invalidInput(
    `The store has its keys ${where}, so the row has no ${missing}. ${remedy(`(row, key) => ${made}`)}`,
  );
}

const SYSTEM = ['etag', 'timestamp', 'partitionKey', 'rowKey'];

/** Whether a row is at fault: it breaks a rule, or its key is taken. */
export const isRefusal = (error: unknown): error is TableError =>
  isTableError(error) &&
  ([400, 413].includes(error.statusCode) || error.code === 'EntityAlreadyExists');

/** The same error, with the place of the value and what to do. */
export function refusalOf(
  from: StoreToImport,
  key: SourceKey,
  row: unknown,
  error: TableError,
): TableError {
  const remedy = isObject(row) ? remedyOf(from, row as Values, error) : undefined;
  return remade(error, { sentence: [placeOf(from, key), remedy].filter(Boolean).join(' ') });
}

const placeOf = ({ database, store }: StoreToImport, key: SourceKey) =>
  `It is at the key ${shownKey(key)} of the store ${shown(store)} in the database ${shown(database)}.`;

function remedyOf({ store, table }: StoreToImport, row: Values, error: TableError) {
  const [issue] = error.issues;
  if (!issue) return undefined;
  const { rule = '' } = issue;
  const name = nameOf(issue) ?? '';
  const value = row[name];
  const declared = rule === 'value-type' ? TYPES[tagOf(value)] : TYPES[rule];
  if (declared) return `Declare it as ${declared}.`;
  if (isBufferSource(value)) return `Store a Uint8Array in its place: use convert.${store}.`;
  if (typeof value === 'number' && table.names.keys.includes(name)) {
    const anew = `convert: { ${store}: ({ ${name}, ...row }) => row }`;
    return `Declare it as t.int32(), or give each row a new one: ${anew}.`;
  }
  return `Change what is declared, or what is stored: with convert.${store}.`;
}

// By kinds of values with no Azure type, and by rules.
const TYPES: Readonly<Record<string, string>> = {
  Array: 't.array(…) or t.json()',
  Object: 't.json()',
  Blob: 't.blob()',
  File: 't.blob()',
  'string-length': 't.text()',
  'binary-length': 't.bytes()',
};
