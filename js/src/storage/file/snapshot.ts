/**
 * The values of an open file, as of one moment.
 *
 * @module
 */

import type { ReadRequest, Snapshot, StorageKey } from '../page-storage.js';
import type { BatchFile } from './batch-file.js';
import { withKey } from './problems.js';
import type { ValueIndex } from './value-index.js';

/** Values, and where they are. */
interface Placed {
  readonly file: Pick<BatchFile, 'read'>;
  readonly index: ValueIndex;
}

export async function snapshotOf(
  { file, index }: Placed,
  { keys, recordsAfter = Infinity }: ReadRequest,
): Promise<Snapshot> {
  // No await up to the read, so all values are of one moment.
  const numbers = index.recordsAfter(recordsAfter);
  const asked = keys.length;
  const all = keys.concat(numbers.map((number): StorageKey => `log/${number}`));
  const places = all.map((key) => index.get(key));
  const values = await file.read(places).catch((cause: unknown) => {
    throw withKey(cause, (offset) => all[places.findIndex((place) => place?.offset === offset)]);
  });
  return {
    values: values.slice(0, asked),
    records: numbers.map((number, at) => [number, values[asked + at]!]),
  };
}

/** All keys that have a value. */
export function keysOf({ index }: Pick<Placed, 'index'>): StorageKey[] {
  return Array.from(index.entries(), ([key]) => key);
}
