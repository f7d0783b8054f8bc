/**
 * A store in the older storage of Durable Objects: keys and values, without SQLite.
 *
 * @module
 */

import { sameBytes } from '../bytes.js';
import type {
  Batch,
  CommitOptions,
  CommitResult,
  Durability,
  PageStorage,
  ReadRequest,
  Snapshot,
  StorageKey,
} from '../page-storage.js';
import type { DurableObjectStorageLike, KeyValueLike } from './platform.js';

/** The most bytes of a value: 128 KiB with what the platform adds to it. */
export const KEY_VALUE_BYTES = 128 * 1024 - 256;

/** The most keys of one call. */
const MOST_KEYS = 128;

const PREFIX = 'entitable/';

export interface KeyValueSetting {
  readonly durability: Durability;
}

// Calls of all adapters on an object, one after another, so that a read is of one moment.
const turns = new WeakMap<DurableObjectStorageLike, Promise<unknown>>();

export class KeyValueStorage implements PageStorage {
  readonly #storage: DurableObjectStorageLike;
  readonly #durability: Durability;

  constructor(storage: DurableObjectStorageLike, { durability }: KeyValueSetting) {
    this.#storage = storage;
    this.#durability = durability;
  }

  read({ keys, recordsAfter }: ReadRequest): Promise<Snapshot> {
    const names = keys.map(nameOf);
    return this.#inTurn(async () => {
      const values = await valuesOf(this.#storage, names);
      const records = recordsAfter === undefined ? [] : await this.#recordsAfter(recordsAfter);
      return { values: names.map((name) => values.get(name)?.slice()), records };
    });
  }

  commit(
    { expect, puts, deletes }: Batch,
    { durability = this.#durability }: CommitOptions = {},
  ): Promise<CommitResult> {
    const expected = expect.map(([key, value]) => [nameOf(key), value?.slice()] as const);
    const put = puts.map(([key, value]): [string, Uint8Array] => [nameOf(key), value.slice()]);
    const deleted = deletes.map(nameOf);
    const stored = async (transaction: KeyValueLike): Promise<CommitResult> => {
      const values = await valuesOf(
        transaction,
        expected.map(([name]) => name),
      );
      const holds = expected.every(([name, value]) => sameBytes(values.get(name), value));
      if (!holds) return { outcome: 'moved' };
      for (const some of groupsOf(deleted)) await transaction.delete(some);
      for (const some of groupsOf(put)) await transaction.put(Object.fromEntries(some));
      return { outcome: 'ok' };
    };
    return this.#inTurn(async (): Promise<CommitResult> => {
      // If the work itself fails, the platform rolls the transaction back.
      let outcome: CommitResult['outcome'] = 'refused';
      try {
        const result = await this.#storage.transaction(async (transaction) => {
          const result = await stored(transaction);
          outcome = 'unknown';
          return result;
        });
        if (durability === 'strict') await this.#storage.sync();
        return result;
      } catch (cause) {
        return { outcome, cause };
      }
    });
  }

  list(): Promise<StorageKey[]> {
    return this.#inTurn(async () => {
      const keys: StorageKey[] = [];
      for await (const names of namesIn(this.#storage)) keys.push(...names.map(keyOf));
      return keys;
    });
  }

  async close(): Promise<void> {
    await this.#inTurn(async () => {});
  }

  destroy(): Promise<void> {
    return this.#inTurn(async () => {
      await this.#storage.transaction(async (transaction) => {
        for await (const names of namesIn(transaction)) await transaction.delete(names);
      });
    });
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = (turns.get(this.#storage) ?? Promise.resolve()).then(work);
    turns.set(
      this.#storage,
      done.catch(() => {}),
    );
    return done;
  }

  async #recordsAfter(after: number): Promise<[number, Uint8Array][]> {
    if (after >= Number.MAX_SAFE_INTEGER) return [];
    const start = nameOf(`log/${after + 1}`);
    const found = await this.#storage.list({ start, end: `${PREFIX}log/:` });
    return [...found].map(([name, value]) => [
      Number(name.slice(-DIGITS)),
      (value as Uint8Array).slice(),
    ]);
  }
}

// A few at a time, because the platform also returns the values.
async function* namesIn(storage: KeyValueLike): AsyncGenerator<string[]> {
  let last: string | undefined;
  do {
    const start = last === undefined ? {} : { startAfter: last };
    const names = [...(await storage.list({ prefix: PREFIX, limit: MOST_KEYS, ...start })).keys()];
    if (names.length > 0) yield names;
    last = names.at(-1);
  } while (last !== undefined);
}

async function valuesOf(
  storage: KeyValueLike,
  names: readonly string[],
): Promise<Map<string, Uint8Array>> {
  const values = new Map<string, Uint8Array>();
  for (const some of groupsOf([...new Set(names)])) {
    for (const [name, value] of await storage.get(some)) values.set(name, value as Uint8Array);
  }
  return values;
}

function groupsOf<T>(all: readonly T[]): T[][] {
  const count = Math.ceil(all.length / MOST_KEYS);
  return Array.from({ length: count }, (_, at) => all.slice(at * MOST_KEYS, (at + 1) * MOST_KEYS));
}

const DIGITS = 16;

// Numbers with leading zeros, so that their order as text is their order as numbers.
const nameOf = (key: StorageKey) =>
  PREFIX + key.replace(/\d+$/, (digits) => digits.padStart(DIGITS, '0'));

const keyOf = (name: string) =>
  name.slice(PREFIX.length).replace(/\d+$/, (digits) => `${Number(digits)}`) as StorageKey;
