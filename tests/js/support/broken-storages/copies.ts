// copies.ts - storages that break a rule about copies of arguments and results.

import type {
  Batch,
  ReadRequest,
  Snapshot,
  StorageKey,
} from '../../../../js/src/storage/page-storage.js';
import { PlainStorage, turn, broken, type BrokenStorage } from './plain-storage.js';

export const BROKEN_COPIES: readonly BrokenStorage[] = [
  broken(
    'reads the keys of a read in a later turn',
    {
      async read(this: PlainStorage, { keys, recordsAfter }: ReadRequest): Promise<Snapshot> {
        await turn();
        return {
          values: keys.map((key) => this.valueOf(key)),
          records: recordsAfter === undefined ? [] : this.recordsAfter(recordsAfter),
        };
      },
    },
    'copies the keys of a read before the call returns',
  ),
  broken(
    'copies values later',
    {
      async commit(this: PlainStorage, batch: Batch) {
        await Promise.resolve();
        await Promise.resolve();
        return PlainStorage.prototype.commit.call(this, batch);
      },
    },
    'copies the values of a batch before the call returns',
    'copies the expected values before the call returns',
  ),
  broken(
    'keeps the values of the caller',
    { kept: (value: Uint8Array) => value },
    'copies the values of a batch before the call returns',
  ),
  broken(
    'returns its own values',
    {
      valueOf(this: PlainStorage, key: StorageKey) {
        return this.values.get(key);
      },
    },
    'returns values that the caller may change',
    'returns records that the caller may change',
    'returns a copy for each time that a key is requested',
  ),
  broken(
    'returns one copy to concurrent readers',
    {
      async read(this: PlainStorage, request: ReadRequest) {
        const copies = new Map<StorageKey, Uint8Array | undefined>();
        const once = (key: StorageKey) => {
          if (!copies.has(key)) copies.set(key, this.valueOf(key));
          return copies.get(key);
        };
        const { records } = await PlainStorage.prototype.read.call(this, request);
        return {
          values: request.keys.map(once),
          records: records.map(([number]) => [number, once(`log/${number}`)]),
        };
      },
    },
    'returns a copy for each time that a key is requested',
  ),
  broken(
    'returns views of one buffer',
    {
      async read(this: PlainStorage, request: ReadRequest) {
        const { values, records } = await PlainStorage.prototype.read.call(this, request);
        const heap = new Uint8Array(2 ** 23);
        let end = 0;
        const view = (value: Uint8Array) => {
          heap.set(value, end);
          return heap.subarray(end, (end += value.length));
        };
        return {
          values: values.map((value) => value && view(value)),
          records: records.map(([number, value]) => [number, view(value)]),
        };
      },
    },
    'gives each value a buffer of its own, of its length',
  ),
  broken(
    'keeps the buffer behind a view',
    { kept: (value: Uint8Array) => new Uint8Array(value.buffer.slice(0)) },
    'gives each value a buffer of its own, of its length',
  ),
];
