// broken-storages.ts - storages that break the contract, one rule each, and the checks that
// must notice.

import { sameBytes } from '../../../js/src/storage/bytes.js';
import type {
  Batch,
  CommitOptions,
  CommitResult,
  PageStorage,
  ReadRequest,
  Snapshot,
  StorageKey,
} from '../../../js/src/storage/page-storage.js';

/** A plain storage with a rule to break in each of its parts. */
class PlainStorage implements PageStorage {
  values = new Map<StorageKey, Uint8Array>();
  isHeld = false;

  async read({ keys, recordsAfter }: ReadRequest): Promise<Snapshot> {
    return {
      values: keys.map((key) => this.valueOf(key)),
      records: recordsAfter === undefined ? [] : this.recordsAfter(recordsAfter),
    };
  }

  async commit(batch: Batch, _options?: CommitOptions): Promise<CommitResult> {
    if (this.isHeld) await turn();
    if (!this.holds(batch)) return { outcome: 'moved' };
    this.apply(batch);
    return { outcome: 'ok' };
  }

  async exclusively(
    request: ReadRequest,
    decide: (snapshot: Snapshot) => Batch | undefined,
  ): Promise<CommitResult | undefined> {
    this.isHeld = true;
    const batch = decide({
      values: request.keys.map((key) => this.valueOf(key)),
      records: this.recordsAfter(request.recordsAfter!),
    });
    this.isHeld = false;
    if (!batch) return undefined;
    this.apply(batch);
    return { outcome: 'ok' };
  }

  async close(): Promise<void> {}

  async destroy(): Promise<void> {
    this.values.clear();
  }

  valueOf(key: StorageKey): Uint8Array | undefined {
    return this.values.get(key)?.slice();
  }

  recordsAfter(after: number): [number, Uint8Array][] {
    return this.numbers()
      .filter((number) => number > after)
      .map((number) => [number, this.valueOf(`log/${number}`)!]);
  }

  numbers(): number[] {
    return [...this.values.keys()]
      .filter((key) => /^log\/\d/.test(key))
      .map((key) => Number(key.slice(4)))
      .sort((one, other) => one - other);
  }

  holds({ expect }: Batch): boolean {
    return expect.every(([key, value]) => sameBytes(this.values.get(key), value));
  }

  apply({ puts, deletes }: Batch): void {
    for (const key of deletes) this.values.delete(key);
    for (const [key, value] of puts) this.values.set(key, this.kept(value));
  }

  kept(value: Uint8Array): Uint8Array {
    return value.slice();
  }
}

type Decide = (snapshot: Snapshot) => Batch | undefined;

const turn = () => new Promise<void>((resolve) => setTimeout(resolve));

/** One rule broken. */
const broken = (fault: string, parts: object, ...caughtBy: string[]) => ({
  fault,
  caughtBy,
  open: (): PageStorage => Object.assign(new PlainStorage(), parts),
});

export const BROKEN_STORAGES: {
  fault: string;
  caughtBy: string[];
  open: () => PageStorage;
}[] = [
  broken(
    'stores a batch that makes room without judging it',
    {
      holds(this: PlainStorage, batch: Batch) {
        return batch.frees === true || PlainStorage.prototype.holds.call(this, batch);
      },
    },
    'compares and stores a batch that makes room like any other',
  ),
  broken(
    'decides on nothing',
    {
      async exclusively(this: PlainStorage, _: unknown, decide: Decide) {
        const batch = decide({ values: [], records: [] });
        if (batch) this.apply(batch);
        return batch && { outcome: 'ok' };
      },
    },
    'exclusively: gives decide() the stored values, and stores its batch',
  ),
  broken(
    'ends without having asked for a decision',
    { exclusively: async () => undefined },
    'exclusively: gives decide() the stored values, and stores its batch',
  ),
  broken(
    'says null for what is not there',
    { valueOf: (): unknown => null },
    'has no value for a key that was never put',
  ),
  broken(
    'says ok where nothing was decided',
    {
      async exclusively(this: PlainStorage, request: ReadRequest, decide: Decide) {
        const batch = decide(await this.read(request));
        if (batch) this.apply(batch);
        return { outcome: 'ok' };
      },
    },
    'exclusively: stores nothing if decide() returns undefined',
  ),
  broken(
    'lets others in before what was decided is stored',
    {
      async exclusively(this: PlainStorage, request: ReadRequest, decide: Decide) {
        const batch = decide(await this.read(request));
        return batch && this.commit(batch);
      },
    },
    'exclusively: lets nobody write between the read and the commit',
  ),
  broken(
    'keeps what was decided, and not a copy',
    {
      async exclusively(this: PlainStorage, request: ReadRequest, decide: Decide) {
        const batch = decide(await this.read(request));
        for (const [key, value] of batch?.puts ?? []) this.values.set(key, value);
        return batch && { outcome: 'ok' };
      },
    },
    'exclusively: copies the batch of decide()',
  ),
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
    'ignores what is expected',
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
    'compares lengths only',
    {
      holds(this: PlainStorage, { expect }: Batch) {
        return expect.every(([key, value]) => this.values.get(key)?.length === value?.length);
      },
    },
    'compares a value with the expected one: a value that differs',
  ),
  broken(
    'compares the beginnings of values only',
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
    'takes anything there for what is expected to be there',
    {
      holds(this: PlainStorage, { expect }: Batch) {
        return expect.every(([key, value]) => !this.values.has(key) === !value);
      },
    },
    'compares a value with the expected one: a shorter value that begins alike',
  ),
  broken(
    'never finds what is expected',
    {
      holds(this: PlainStorage, { expect }: Batch) {
        return expect.every(([key, value]) => !value && !this.values.has(key));
      },
    },
    'compares a value with the expected one: the same value',
    'stores all of a batch over both stores',
  ),
  broken(
    'expects nothing of what must not be there',
    {
      holds(this: PlainStorage, { expect }: Batch) {
        return expect.every(([key, value]) => !value || sameBytes(this.values.get(key), value));
      },
    },
    'compares a value with the expected one: nothing',
    'stores nothing of a batch whose last record exists already',
  ),
  broken(
    'remembers what was deleted as there',
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
    'stores puts whatever was expected',
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
    'deletes whatever was expected',
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
    'stores what comes before the first expectation that fails',
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
    'fails to delete what is not there',
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
    'deletes after it puts',
    {
      apply(this: PlainStorage, { puts, deletes }: Batch) {
        for (const [key, value] of puts) this.values.set(key, value.slice());
        for (const key of deletes) this.values.delete(key);
      },
    },
    'deletes before it puts',
  ),
  broken(
    'puts only where nothing is',
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
    'writes over a longer value without cutting it',
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
    'is not atomic to those who read',
    {
      async commit(this: PlainStorage, batch: Batch) {
        if (!this.holds(batch)) return { outcome: 'moved' };
        for (const key of batch.deletes) this.values.delete(key);
        const puts = batch.puts.map(([key, value]) => [key, value.slice()] as const);
        for (const [key, value] of puts) {
          this.values.set(key, value);
          await Promise.resolve();
        }
        return { outcome: 'ok' };
      },
    },
    'reads the values of one moment, while commits go on',
  ),
  broken(
    'reads one value after another',
    {
      async read(this: PlainStorage, request: ReadRequest) {
        const values = [];
        for (const key of request.keys) {
          values.push(this.valueOf(key));
          await Promise.resolve();
        }
        return {
          values,
          records:
            request.recordsAfter === undefined ? [] : this.recordsAfter(request.recordsAfter),
        };
      },
      async commit(this: PlainStorage, batch: Batch) {
        const copy = {
          ...batch,
          puts: batch.puts.map(([key, value]) => [key, value.slice()] as const),
        };
        await Promise.resolve();
        return PlainStorage.prototype.commit.call(this, copy);
      },
    },
    'reads the values of one moment, while commits go on',
  ),
  broken(
    'compares first and stores later',
    {
      async commit(this: PlainStorage, batch: Batch) {
        const holds = this.holds(batch);
        const copy = {
          ...batch,
          puts: batch.puts.map(([key, value]) => [key, value.slice()] as const),
        };
        await turn();
        if (holds) this.apply(copy);
        return { outcome: holds ? 'ok' : 'moved' };
      },
    },
    'compares commits in the order of the calls',
    'loses no update of writers that expect the values that they have read',
  ),
  broken(
    'acknowledges before it stores',
    {
      async commit(this: PlainStorage, batch: Batch) {
        const copy = {
          ...batch,
          puts: batch.puts.map(([key, value]) => [key, value.slice()] as const),
        };
        const holds = this.holds(batch);
        if (holds) void turn().then(() => this.apply(copy));
        return { outcome: holds ? 'ok' : 'moved' };
      },
    },
    'reads at least the commits that were acknowledged or read before',
    'commits with relaxed durability',
  ),
  broken(
    'refuses a commit while another is under way',
    {
      isBusy: false,
      async commit(this: PlainStorage & { isBusy: boolean }, batch: Batch) {
        if (this.isBusy) return { outcome: 'refused' };
        this.isBusy = true;
        const copy = {
          ...batch,
          puts: batch.puts.map(([key, value]) => [key, value.slice()] as const),
        };
        await turn();
        this.isBusy = false;
        return PlainStorage.prototype.commit.call(this, copy);
      },
    },
    'stores the records of many commits at once',
  ),
  broken(
    'copies values when it gets to them',
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
    'keeps what it is given',
    { kept: (value: Uint8Array) => value },
    'copies the values of a batch before the call returns',
  ),
  broken(
    'hands out what it keeps',
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
    'hands out one copy to all who ask at once',
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
    'hands out views of one buffer',
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
  broken(
    'returns values in the order of its own',
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
    'returns a value once, however often it is asked for',
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
    'leaves out what is not there',
    {
      async read(this: PlainStorage, request: ReadRequest) {
        const { values, records } = await PlainStorage.prototype.read.call(this, request);
        return { values: values.filter(Boolean), records };
      },
    },
    'has no value for a key that was never put',
  ),
  broken(
    'gives an empty value for nothing',
    {
      valueOf(this: PlainStorage, key: StorageKey) {
        return this.values.get(key)?.slice() ?? new Uint8Array();
      },
    },
    'has no value for a key that was never put',
  ),
  broken(
    'gives nothing for an empty value',
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
    'returns records as they were put',
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
    'returns the record of the number itself, too',
    {
      recordsAfter(this: PlainStorage, after: number) {
        return PlainStorage.prototype.recordsAfter.call(this, after - 1);
      },
    },
    'returns the records above a number, by number and not as text',
    'returns records only if they are requested',
  ),
  broken(
    'returns all records always',
    {
      async read(this: PlainStorage, { keys, recordsAfter }: ReadRequest) {
        return PlainStorage.prototype.read.call(this, { keys, recordsAfter: recordsAfter ?? 0 });
      },
    },
    'returns records only if they are requested',
  ),
  broken(
    'reads a record when nothing is asked for',
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
    'keeps numbers in 32 bits',
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
    'has one room for the log and the pages',
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
    'forgets what it has when it is closed',
    {
      async close(this: PlainStorage) {
        this.values.clear();
      },
    },
    'keeps its values when it is closed, and opens at the next use',
  ),
  broken(
    'cannot be used again once it was closed',
    {
      isClosed: false,
      async close(this: PlainStorage & { isClosed: boolean }) {
        this.isClosed = true;
      },
      async read(this: PlainStorage & { isClosed: boolean }, request: ReadRequest) {
        if (this.isClosed) throw new Error('closed');
        return PlainStorage.prototype.read.call(this, request);
      },
    },
    'keeps its values when it is closed, and opens at the next use',
    'can be closed before its first use',
    'ends calls that have begun before it closes',
  ),
  broken(
    'drops what is under way when it is closed',
    {
      closings: 0,
      async close(this: PlainStorage & { closings: number }) {
        this.closings++;
      },
      async commit(this: PlainStorage & { closings: number }, batch: Batch) {
        const before = this.closings;
        const copy = {
          ...batch,
          puts: batch.puts.map(([key, value]) => [key, value.slice()] as const),
        };
        await turn();
        if (before !== this.closings) return { outcome: 'refused' };
        return PlainStorage.prototype.commit.call(this, copy);
      },
    },
    'ends calls that have begun before it closes',
  ),
  broken(
    'keeps what it has when it is destroyed',
    { destroy: async () => undefined },
    'is empty after it was destroyed, and works again',
    'can be destroyed when it is closed, was never used, or was destroyed',
  ),
  broken(
    'keeps the log when it is destroyed',
    {
      async destroy(this: PlainStorage) {
        for (const key of [...this.values.keys()]) {
          if (key.startsWith('pages')) this.values.delete(key);
        }
      },
    },
    'is empty after it was destroyed, and works again',
  ),
  broken(
    'knows no strict durability',
    {
      async commit(this: PlainStorage, batch: Batch, options?: CommitOptions) {
        if (options?.durability === 'strict') return { outcome: 'refused' };
        return PlainStorage.prototype.commit.call(this, batch);
      },
    },
    'commits with strict durability',
  ),
  broken(
    'rejects where it had to say moved',
    {
      async commit(this: PlainStorage, batch: Batch) {
        if (!this.holds(batch)) throw new Error('moved');
        return PlainStorage.prototype.commit.call(this, batch);
      },
    },
    'stores a record that must not exist yet, once',
  ),
  broken(
    'lists no records',
    {
      async list(this: PlainStorage) {
        return [...this.values.keys()].filter((key) => !/^log.\d/.test(key));
      },
    },
    'lists the keys of all values, if it lists keys',
  ),
];
