// commits.ts - storages that break a rule about commits.

import { sameBytes } from '../../../../js/src/storage/bytes.js';
import type { Batch, CommitOptions, StorageKey } from '../../../../js/src/storage/page-storage.js';
import { PlainStorage, broken, type BrokenStorage } from './plain-storage.js';

export const BROKEN_COMMITS: readonly BrokenStorage[] = [
  broken(
    'does not compare a batch that makes room',
    {
      holds(this: PlainStorage, batch: Batch) {
        return batch.frees === true || PlainStorage.prototype.holds.call(this, batch);
      },
    },
    'compares and stores a batch that makes room like any other',
  ),
  broken(
    'ignores expectations',
    { holds: () => true },
    'stores a record that must not exist yet, once',
    'compares a value with the expected one: a value that differs',
    'answers moved if an expected value does not exist',
    'compares commits in the order of the calls',
    'loses no update of writers that expect the values that they have read',
    'takes a batch that changes nothing, and still checks its expectations',
    'commits with strict durability',
    'commits with relaxed durability',
  ),
  broken(
    'compares only lengths',
    {
      holds(this: PlainStorage, { expect }: Batch) {
        return expect.every(([key, value]) => this.values.get(key)?.length === value?.length);
      },
    },
    'compares a value with the expected one: a value that differs',
  ),
  broken(
    'compares only the beginnings of values',
    {
      holds(this: PlainStorage, { expect }: Batch) {
        return expect.every(([key, value]) => {
          const there = this.values.get(key);
          if (!there || !value) return there === value;
          return value.every((byte, at) => at >= there.length || there[at] === byte);
        });
      },
    },
    'compares a value with the expected one: a longer value that begins alike',
    'compares a value with the expected one: a shorter value that begins alike',
    'compares a value with the expected one: an empty value',
  ),
  broken(
    'accepts any stored value as the expected one',
    {
      holds(this: PlainStorage, { expect }: Batch) {
        return expect.every(([key, value]) => !this.values.has(key) === !value);
      },
    },
    'compares a value with the expected one: a shorter value that begins alike',
  ),
  broken(
    'never finds an expected value',
    {
      holds(this: PlainStorage, { expect }: Batch) {
        return expect.every(([key, value]) => !value && !this.values.has(key));
      },
    },
    'compares a value with the expected one: the same value',
    'stores all of a batch over both stores',
  ),
  broken(
    'ignores the expectation of no value',
    {
      holds(this: PlainStorage, { expect }: Batch) {
        return expect.every(([key, value]) => !value || sameBytes(this.values.get(key), value));
      },
    },
    'compares a value with the expected one: nothing',
    'stores nothing of a batch whose last record exists already',
  ),
  broken(
    'remembers deleted keys as stored',
    {
      gone: new Set<StorageKey>(),
      apply(this: PlainStorage & { gone: Set<StorageKey> }, batch: Batch) {
        for (const key of batch.deletes) if (this.values.has(key)) this.gone.add(key);
        PlainStorage.prototype.apply.call(this, batch);
      },
      holds(this: PlainStorage & { gone: Set<StorageKey> }, batch: Batch) {
        const isGone = batch.expect.some(([key, value]) => !value && this.gone.has(key));
        return !isGone && PlainStorage.prototype.holds.call(this, batch);
      },
    },
    'keeps the expectation of no value for a deleted key',
  ),
  broken(
    'stores puts, in spite of expectations',
    {
      async commit(this: PlainStorage, batch: Batch) {
        const holds = this.holds(batch);
        this.apply({ ...batch, deletes: holds ? batch.deletes : [] });
        return { outcome: holds ? 'ok' : 'moved' };
      },
    },
    'stores a record that must not exist yet, once',
    'stores nothing if expectation 1 of 3 fails',
  ),
  broken(
    'stores changes before the first expectation that fails',
    {
      async commit(this: PlainStorage, { expect, puts, deletes }: Batch) {
        for (const [key, value] of puts) {
          const expected = expect.find(([other]) => other === key);
          if (expected && !sameBytes(this.values.get(key), expected[1])) {
            return { outcome: 'moved' };
          }
          this.values.set(key, value.slice());
        }
        if (
          !this.holds({
            expect: expect.filter(([k]) => !puts.some(([key]) => key === k)),
            puts,
            deletes,
          })
        ) {
          return { outcome: 'moved' };
        }
        this.apply({
          expect,
          puts: [],
          deletes: deletes.filter((k) => !puts.some(([key]) => key === k)),
        });
        return { outcome: 'ok' };
      },
    },
    'stores nothing of a batch whose last record exists already',
  ),
  broken(
    'forgets deletes',
    {
      apply(this: PlainStorage, batch: Batch) {
        PlainStorage.prototype.apply.call(this, { ...batch, deletes: [] });
      },
    },
    'deletes a key, also one without a value',
    'stores all of a batch over both stores',
    'returns no deleted record, and the new value of a record',
  ),
  broken(
    'fails to delete a missing key',
    {
      holds(this: PlainStorage, batch: Batch) {
        const isThere = batch.deletes.every((key) => this.values.has(key));
        return isThere && PlainStorage.prototype.holds.call(this, batch);
      },
    },
    'deletes a key, also one without a value',
    'can be destroyed when it is closed, was never used, or was destroyed',
  ),
  broken(
    'deletes after its puts',
    {
      apply(this: PlainStorage, { puts, deletes }: Batch) {
        for (const [key, value] of puts) this.values.set(key, value.slice());
        for (const key of deletes) this.values.delete(key);
      },
    },
    'deletes before it puts',
  ),
  broken(
    'puts only new keys',
    {
      apply(this: PlainStorage, { puts, deletes }: Batch) {
        for (const key of deletes) this.values.delete(key);
        for (const [key, value] of puts) {
          if (!this.values.has(key)) this.values.set(key, value.slice());
        }
      },
    },
    'overwrites a value, if no expectation forbids it',
  ),
  broken(
    'writes over a longer value without cutting off its end',
    {
      apply(this: PlainStorage, { puts, deletes }: Batch) {
        for (const key of deletes) this.values.delete(key);
        for (const [key, value] of puts) {
          const rest = this.values.get(key)?.slice(value.length) ?? [];
          this.values.set(key, Uint8Array.from([...value, ...rest]));
        }
      },
    },
    'overwrites a value, if no expectation forbids it',
    'equals a map, after any batches',
  ),
  broken(
    'rejects instead of answering moved',
    {
      async commit(this: PlainStorage, batch: Batch) {
        if (!this.holds(batch)) throw new Error('moved');
        return PlainStorage.prototype.commit.call(this, batch);
      },
    },
    'stores a record that must not exist yet, once',
  ),
  broken(
    'checks only the first expectation',
    {
      holds(this: PlainStorage, { expect: [first] }: Batch) {
        return !first || sameBytes(this.values.get(first[0]), first[1]);
      },
    },
    'stores nothing if expectation 2 of 3 fails',
    'stores nothing if expectation 3 of 3 fails',
  ),
  broken(
    'checks only the last expectation',
    {
      holds(this: PlainStorage, { expect }: Batch) {
        const last = expect.at(-1);
        return !last || sameBytes(this.values.get(last[0]), last[1]);
      },
    },
    'stores nothing if expectation 1 of 3 fails',
  ),
  broken(
    'deletes, in spite of expectations',
    {
      async commit(this: PlainStorage, batch: Batch) {
        const holds = this.holds(batch);
        this.apply({ ...batch, puts: holds ? batch.puts : [] });
        return { outcome: holds ? 'ok' : 'moved' };
      },
    },
    'stores nothing if expectation 3 of 3 fails',
  ),
  broken(
    'has no strict durability',
    {
      async commit(this: PlainStorage, batch: Batch, options?: CommitOptions) {
        if (options?.durability === 'strict') return { outcome: 'refused' };
        return PlainStorage.prototype.commit.call(this, batch);
      },
    },
    'commits with strict durability',
  ),
];
