/**
 * The values of an open file, as of one moment.
 *
 * @module
 */

import type { ReadRequest, Snapshot, StorageKey } from '../page-storage.js';
import type { LoadedFile } from './load.js';
import { withKey } from './problems.js';

export async function snapshotOf(
  { file, index }: LoadedFile,
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
export function keysOf({ index }: LoadedFile): StorageKey[] {
  return Array.from(index.entries(), ([key]) => key);
}
