// reads.ts - storages that break a rule about reads.

import type { ReadRequest, StorageKey } from '../../../../js/src/storage/page-storage.js';
import { PlainStorage, broken, type BrokenStorage } from './plain-storage.js';

export const BROKEN_READS: readonly BrokenStorage[] = [
  broken(
    'returns null for a missing value',
    { valueOf: (): unknown => null },
    'has no value for a key that was never put',
  ),
  broken(
    'returns values in its own order',
    {
      async read(this: PlainStorage, request: ReadRequest) {
        return PlainStorage.prototype.read.call(this, {
          ...request,
          keys: [...request.keys].sort(),
        });
      },
    },
    'returns values in the order of the keys, also the same one twice',
  ),
  broken(
    'returns a value only once for a repeated key',
    {
      async read(this: PlainStorage, request: ReadRequest) {
        return PlainStorage.prototype.read.call(this, {
          ...request,
          keys: [...new Set(request.keys)],
        });
      },
    },
    'returns values in the order of the keys, also the same one twice',
  ),
  broken(
    'leaves out missing values',
    {
      async read(this: PlainStorage, request: ReadRequest) {
        const { values, records } = await PlainStorage.prototype.read.call(this, request);
        return { values: values.filter(Boolean), records };
      },
    },
    'has no value for a key that was never put',
  ),
  broken(
    'returns an empty value for a missing one',
    {
      valueOf(this: PlainStorage, key: StorageKey) {
        return this.values.get(key)?.slice() ?? new Uint8Array();
      },
    },
    'has no value for a key that was never put',
  ),
  broken(
    'returns no value for an empty one',
    {
      valueOf(this: PlainStorage, key: StorageKey) {
        const value = this.values.get(key);
        return value?.length ? value.slice() : undefined;
      },
    },
    'keeps an empty value, which differs from no value',
  ),
  broken(
    'cuts long values',
    { kept: (value: Uint8Array) => value.slice(0, 2 ** 16) },
    'keeps long values and many values of one batch, byte for byte',
  ),
  broken(
    'cuts values of more than 4 MiB',
    { kept: (value: Uint8Array) => value.slice(0, 2 ** 22) },
    'keeps a record of the length of the longest transaction',
  ),
  broken(
    'sorts records as text',
    {
      numbers(this: PlainStorage) {
        return PlainStorage.prototype.numbers
          .call(this)
          .map((number) => `${number}`)
          .sort()
          .map(Number);
      },
    },
    'returns the records above a number, by number and not as text',
  ),
  broken(
    'returns records in the order of their puts',
    {
      numbers(this: PlainStorage) {
        return [...this.values.keys()]
          .filter((key) => /^log\/\d/.test(key))
          .map((key) => Number(key.slice(4)));
      },
    },
    'returns the records above a number, by number and not as text',
  ),
  broken(
    'returns also the record with the given number',
    {
      recordsAfter(this: PlainStorage, after: number) {
        return PlainStorage.prototype.recordsAfter.call(this, after - 1);
      },
    },
    'returns the records above a number, by number and not as text',
    'returns records only if they are requested',
  ),
  broken(
    'always returns all records',
    {
      async read(this: PlainStorage, { keys, recordsAfter }: ReadRequest) {
        return PlainStorage.prototype.read.call(this, { keys, recordsAfter: recordsAfter ?? 0 });
      },
    },
    'returns records only if they are requested',
  ),
  broken(
    'reads a record without being asked',
    {
      async read(this: PlainStorage, request: ReadRequest) {
        if (request.keys.length > 0) return PlainStorage.prototype.read.call(this, request);
        return { values: [undefined], records: this.recordsAfter(request.recordsAfter ?? 0) };
      },
    },
    'reads nothing for an empty request',
  ),
  broken(
    'stops at a gap between records',
    {
      recordsAfter(this: PlainStorage, after: number) {
        const found: [number, Uint8Array][] = [];
        for (let number = after + 1; this.values.has(`log/${number}`); number++) {
          found.push([number, this.valueOf(`log/${number}`)!]);
        }
        return found;
      },
    },
    'takes numbers up to 2^53 - 1',
  ),
  broken(
    'stores numbers in 32 bits',
    {
      values: new (class extends Map<StorageKey, Uint8Array> {
        #short = (key: StorageKey) =>
          key.replace(/\d+$/, (digits) => `${Number(digits) >>> 0}`) as StorageKey;
        override get(key: StorageKey) {
          return super.get(this.#short(key));
        }
        override set(key: StorageKey, value: Uint8Array) {
          return super.set(this.#short(key), value);
        }
      })(),
    },
    'takes numbers up to 2^53 - 1',
  ),
  broken(
    'stores the log and the pages under the same keys',
    {
      values: new (class extends Map<StorageKey, Uint8Array> {
        #room = (key: StorageKey) => key.replace(/^pages\/(\d)/, 'log/$1') as StorageKey;
        override get(key: StorageKey) {
          return super.get(this.#room(key));
        }
        override set(key: StorageKey, value: Uint8Array) {
          return super.set(this.#room(key), value);
        }
      })(),
    },
    'keeps the log and the pages apart, and numbers from names',
  ),
  broken(
    'lists no log records',
    {
      async list(this: PlainStorage) {
        return [...this.values.keys()].filter((key) => !/^log.\d/.test(key));
      },
    },
    'lists the keys of all values, if it lists keys',
  ),
];
