/**
 * Changes that depend on the row: it is read, changed, and written on condition of its etag. And
 * the changes of many rows, and rows as they are stored.
 *
 * @module
 */

import { invalidInput, isTableError, remade } from '../base/errors.js';
import { hasMethod, isObject } from '../base/kinds.js';
import type { AbortSignalLike } from '../base/platform.js';
import { shown } from '../base/shown.js';
import type { EntityKeys, GivenKeys } from '../entity/keys.js';
import type { AppNames } from '../entity/row-form.js';
import type { StoredRow, TableTypes } from './models.js';
import type { RowsRequests } from './requests.js';

type Values = Record<string, unknown>;

// Others rarely change a row twice between a read and the write that follows.
const MAX_ROUNDS = 100;
const OFTEN_CHANGED =
  `Somebody changed the row ${MAX_ROUNDS} times, each time between its read and the write. The ` +
  'function must not write to the row itself.';

/**
 * Changes a row.
 *
 * @param changes - the properties, or a function that gets a copy of the row and returns them.
 * @param condition - the etag that the row must have; without it, the call begins again if somebody
 * was faster.
 */
export async function rewritten(
  requests: RowsRequests,
  keys: EntityKeys,
  changes: unknown,
  condition: string | undefined,
  signal: AbortSignalLike | undefined,
): Promise<{ readonly etag: string }> {
  const { rows, takesWholes } = requests;
  const { names } = rows;
  const fields = names.fieldsOf(keys);
  const changesOf = (row: object) =>
    // eslint-disable-next-line entitable/arguments-before-await -- the table has copied them
    changedBy(names, typeof changes === 'function' ? (changes as SetOf)(row) : changes, keys);
  for (let round = 1; ; round++) {
    // Another tab may just have stored the row: that one is missing only if nobody has it.
    const fresh = round > 1 || condition !== undefined;
    try {
      const read = await requests.get(keys, { abortSignal: signal, fresh });
      const row = read as Values & { readonly etag: string };
      const etag = condition ?? row.etag;
      const part = { ...changesOf({ ...row }), ...fields };
      // eslint-disable-next-line entitable/arguments-before-await -- a definition never changes
      const [written, mode] = writeOf(rows, row, part, takesWholes);
      // eslint-disable-next-line entitable/arguments-before-await -- the table has made them
      return (await requests.update(written, mode, etag, signal)) as { etag: string };
    } catch (error) {
      const codes = [...(fresh ? [] : ['ResourceNotFound']), 'UpdateConditionNotSatisfied'];
      const mayPass = isTableError(error) && codes.includes(error.code);
      if (!mayPass || condition !== undefined) throw error;
      if (round === MAX_ROUNDS) throw remade(error, { sentence: OFTEN_CHANGED });
    }
  }
}

// No merge of the service removes a property, or a part of one. The whole row does, which was just
// read, unless it has properties whose types are not known.
function writeOf(
  rows: RowsRequests['rows'],
  row: Values,
  part: Values,
  takesRemovals: boolean,
): [GivenKeys, 'Merge' | 'Replace'] {
  const given = Object.entries(part).filter(([, value]) => value !== undefined);
  const removes = given.some(([name, value]) => value === null || rows.rulesOf(name)?.parted);
  const isKnown = (name: string) => SYSTEM.includes(name) || rows.rulesOf(name) !== undefined;
  const isWhole = !takesRemovals && removes && Object.keys(row).every(isKnown);
  return isWhole
    ? [{ ...row, ...Object.fromEntries(given) } as unknown as GivenKeys, 'Replace']
    : [part as unknown as GivenKeys, 'Merge'];
}

const SYSTEM = ['etag', 'timestamp'];

type SetOf = (row: object) => unknown;

/**
 * The properties that a change of many rows sets, without keys.
 *
 * @param set - the properties, or a function that returns them, or undefined.
 */
export function setOf(
  names: AppNames,
  set: unknown,
): object | ((row: object) => object | undefined) {
  if (typeof set !== 'function') return changedBy(names, set);
  return (row) => {
    // The function may change its argument.
    const keys = names.keysOf(row);
    const given = (set as SetOf)({ ...row });
    return given === undefined ? undefined : changedBy(names, given, keys);
  };
}

// A copy of changes without the fields of the key, which must be those of the row.
function changedBy(names: AppNames, changes: unknown, keys?: EntityKeys): Values {
  if (!isObject(changes) || Array.isArray(changes) || hasMethod(changes, 'then')) {
    throw invalidInput(`The changes of a row are properties, not ${shown(changes)}.`);
  }
  const copy = { ...(changes as Values) };
  const given = names.keys.filter((name) => copy[name] !== undefined);
  const fields: Values = keys ? names.fieldsOf(keys) : {};
  for (const name of given) fields[name] = copy[name];
  const isSame = !given.length || (keys && isEqual(keys, names.keysOf(fields)));
  if (!isSame) throw invalidInput(`The changes have ${given.join(', ')}. Keys do not change.`);
  for (const name of names.keys) delete copy[name];
  return copy;
}

const isEqual = (one: EntityKeys, other: EntityKeys) =>
  one.partitionKey === other.partitionKey && one.rowKey === other.rowKey;

// What are no properties is refused later.
export const copyOfChanges = (changes: object): object =>
  isObject(changes) && !Array.isArray(changes) && !hasMethod(changes, 'then')
    ? { ...changes }
    : changes;

/** The row of an entity that was stored, with its new etag. */
export function storedRowOf<T extends TableTypes>(
  { rows }: RowsRequests,
  entity: object,
  etag: string | undefined,
): StoredRow<T> {
  // The etag is the time of the write, in the form of an address.
  const time = /datetime'(.*)'/.exec(etag ?? '')?.[1];
  const timestamp = time && decodeURIComponent(time);
  const row = rows.rowOf({ ...entity, etag, timestamp }) as Values;
  // The store has no -0.
  for (const name of Object.keys(row)) if (row[name] === 0) row[name] = 0;
  return row as StoredRow<T>;
}
