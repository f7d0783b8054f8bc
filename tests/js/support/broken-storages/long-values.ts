// long-values.ts - storages that break a rule only for values that are too long for their database.

import type { Batch, CommitResult } from '../../../../js/src/storage/page-storage.js';
import { sameBytes } from '../../../../js/src/storage/bytes.js';
import { PlainStorage, broken, turn, type BrokenStorage } from './plain-storage.js';

/** The most bytes of a value of their databases. */
export const BROKEN_VALUE_BYTES = 4096;

const isLong = (value: Uint8Array) => value.length > BROKEN_VALUE_BYTES;

export const BROKEN_LONG_VALUES: readonly BrokenStorage[] = [
  broken(
    'keeps only the first three parts of a value',
    { kept: (value: Uint8Array) => value.slice(0, 3 * BROKEN_VALUE_BYTES) },
    'keeps values around and beyond the longest of the database',
  ),
  broken(
    'compares only the first part of a long value',
    {
      holds(this: PlainStorage, { expect }: Batch) {
        return expect.every(([key, value]) =>
          sameBytes(
            this.values.get(key)?.slice(0, BROKEN_VALUE_BYTES),
            value?.slice(0, BROKEN_VALUE_BYTES),
          ),
        );
      },
    },
    'compares a value with an expected one that is too long for one',
  ),
  broken(
    'does not delete long values',
    {
      apply(this: PlainStorage, { puts, deletes }: Batch) {
        const short = deletes.filter((key) => !isLong(this.values.get(key) ?? new Uint8Array()));
        PlainStorage.prototype.apply.call(this, { expect: [], puts, deletes: short });
      },
    },
    'replaces and deletes values that are too long for one',
  ),
  broken(
    'stores long values before it compares',
    {
      async commit(this: PlainStorage, batch: Batch): Promise<CommitResult> {
        const long = batch.puts.filter(([, value]) => isLong(value));
        PlainStorage.prototype.apply.call(this, { expect: [], puts: long, deletes: [] });
        return PlainStorage.prototype.commit.call(this, batch);
      },
    },
    'stores all or nothing of many values that are too long for one',
  ),
  broken(
    'stores long values one after another',
    {
      async commit(this: PlainStorage, batch: Batch): Promise<CommitResult> {
        const copies = batch.puts.map(([key, value]) => [key, value.slice()] as const);
        const result = await PlainStorage.prototype.commit.call(this, { ...batch, puts: [] });
        for (const [key, value] of result.outcome === 'ok' ? copies : []) {
          if (isLong(value)) await turn();
          this.values.set(key, value);
        }
        return result;
      },
    },
    'reads long values of one moment, while commits replace them',
  ),
];
