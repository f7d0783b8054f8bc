/**
 * A store in IndexedDB, shared by all tabs and workers of an origin.
 *
 * Two object stores, version 1 for ever: `log` has the records under their numbers
 * and the base under `'base'`; `pages` the pages under theirs and the root under `'root'`.
 * `reserve.ts` has a key of its own in each.
 *
 * @module
 */

import { invalidInput } from '../errors.js';
import { isBytes } from '../kinds.js';
import { checkedOptions } from '../options.js';
import { shown } from '../shown.js';
import { sameBytes } from './bytes.js';
import { Connection, type StoreName } from './indexeddb/connection.js';
import { untilLost } from './indexeddb/until-lost.js';
import type {
  Batch,
  CommitOptions,
  CommitResult,
  Durability,
  PageStorage,
  ReadRequest,
  Snapshot,
  StatusListener,
  StorageKey,
} from './page-storage.js';
import { Reserve, type Effect } from './reserve.js';

/** How {@link indexedDbStorage} keeps values. */
export interface IndexedDbStorageOptions {
  /** By default `relaxed`: a commit is safe against the death of the process, not of the machine. */
  readonly durability?: Durability | undefined;
}

/**
 * Returns the store in the IndexedDB database of that name, which is opened, or
 * made, at the first use. Where IndexedDB is absent or denied (on a server, in some
 * private windows, in a sandboxed frame) that use fails with `StorageUnavailable`.
 *
 * @example
 * ```ts
 * const account = await openAccount({ storage: indexedDbStorage('my-app') });
 * ```
 * @throws {@link TableError} `InvalidInput`, if the name is no string, or an option is unknown.
 */
export function indexedDbStorage(name: string, options?: IndexedDbStorageOptions): PageStorage {
  if (typeof name !== 'string') {
    throw invalidInput(`The name of a database must be a string, not ${shown(name)}.`);
  }
  const kinds = { durability: ['relaxed', 'strict'] };
  const { durability = 'relaxed' } = checkedOptions('indexedDbStorage', options, kinds);
  return new IndexedDbStorage(name, durability);
}

// A value that was expected and stood there.
interface Found {
  readonly on: IDBDatabase;
  readonly key: StorageKey;
  readonly value: Uint8Array;
}

class IndexedDbStorage implements PageStorage {
  readonly channel: string;
  readonly #connection: Connection;
  readonly #durability: Durability;
  readonly #reserve = new Reserve();

  // Nothing is stored eagerly where the same was not found on the same connection
  // before: a new one may lead to another store under the old name.
  #found: Found | undefined;

  // Of the connection, as many as a commit was answered for.
  #losses = 0;

  constructor(name: string, durability: Durability) {
    this.channel = `entitable:${name}`;
    this.#connection = new Connection(name);
    this.#durability = durability;
  }

  async read(request: ReadRequest): Promise<Snapshot> {
    const { keys, recordsAfter } = copyOfRequest(request);
    const stores = scopeOf(keys);
    if (recordsAfter !== undefined) stores.add('log');
    if (stores.size > 0) {
      return this.#connection.within(stores, 'readonly', {}, (transaction) =>
        fetchSnapshot(transaction, keys, recordsAfter),
      );
    }
    await this.#connection.open();
    return { values: [], records: [] };
  }

  async commit(batch: Batch, options: CommitOptions = {}): Promise<CommitResult> {
    // Before anything is awaited: the caller may reuse its buffers.
    const copy = copyOf(batch);
    const { expect, puts, deletes } = copy;
    const stores = scopeOf([...expect, ...puts].map(([key]) => key).concat(deletes));
    // There is no transaction over nothing.
    if (stores.size === 0) return { outcome: 'ok' };
    for (const store of this.#reserve.stores) stores.add(store);
    const durability = options.durability ?? this.#durability;
    const losses = this.#losses;
    try {
      return await this.#connection.within(
        stores,
        'readwrite',
        { durability },
        async (transaction) => {
          if (this.#hasLostSight(losses)) {
            transaction.abort();
            return { outcome: 'unknown' };
          }
          const eager = copy.eager && this.#isFound(transaction.db, copy);
          const canWait = comparedByReading(copy).length > 0;
          const effect = this.#reserve.begin(transaction, copy, canWait);
          const result = await this.#store(transaction, { ...copy, eager });
          const isFreed = await this.#reserve.end(transaction.db, copy, effect, result);
          return isFreed ? this.commit(copy, { durability }) : withRoom(result);
        },
      );
    } catch (cause) {
      return { outcome: 'refused', cause };
    }
  }

  async exclusively(
    asked: ReadRequest,
    decide: (snapshot: Snapshot) => Batch | undefined,
    options: CommitOptions = {},
  ): Promise<CommitResult | undefined> {
    const request = copyOfRequest(asked);
    const durability = options.durability ?? this.#durability;
    const stores = scopeOf([...request.keys, 'log/base']);
    for (const store of this.#reserve.stores) stores.add(store);
    this.#found = undefined;
    const losses = this.#losses;
    return this.#connection.within(stores, 'readwrite', { durability }, async (transaction) => {
      const hasLostSight = this.#hasLostSight(losses);
      let batch: Batch | undefined;
      let effect: Effect;
      const result = await fetchAndStore(transaction, request, (snapshot) => {
        const decided = decide(snapshot);
        batch = decided && copyOf(decided);
        if (hasLostSight) return undefined;
        if (batch) effect = this.#reserve.begin(transaction, batch, false);
        return batch;
      });
      if (batch && hasLostSight) return { outcome: 'unknown' };
      if (!batch || !result) return result;
      const isFreed = await this.#reserve.end(transaction.db, batch, effect, result);
      return isFreed ? this.commit(batch, { durability }) : withRoom(result);
    });
  }

  list(): Promise<StorageKey[]> {
    const stores: StoreName[] = ['log', 'pages'];
    return this.#connection.within(new Set(stores), 'readonly', {}, (transaction) =>
      untilLost(transaction, (resolve, reject) => {
        const [log, pages] = stores.map((name) => transaction.objectStore(name).getAllKeys());
        transaction.onabort = () => reject(transaction.error);
        transaction.oncomplete = () =>
          resolve([
            ...log!.result.filter(isKey).map((key) => `log/${key}` as StorageKey),
            ...pages!.result.filter(isKey).map((key) => `pages/${key}` as StorageKey),
          ]);
      }),
    );
  }

  async #store(transaction: IDBTransaction, batch: Batch): Promise<CommitResult> {
    const found = this.#found;
    this.#found = undefined;
    try {
      const result = await store(transaction, batch);
      if (result.outcome === 'ok') this.#found = batch.eager ? found : foundBy(transaction, batch);
      return result;
    } catch (cause) {
      this.#hasLostSight(this.#losses);
      return { outcome: 'unknown', cause };
    }
  }

  // What was stored right before a connection was lost may be lost with it. The outcome of the
  // next commit is therefore unknown, and of all that were asked for before that was said: whoever
  // asks for them looks what is there.
  #hasLostSight(sinceLosses: number): boolean {
    this.#losses = this.#connection.losses;
    return sinceLosses !== this.#losses;
  }

  #isFound(on: IDBDatabase, batch: Batch): boolean {
    const found = this.#found;
    return comparedByReading(batch).every(
      ([key, value]) => found?.on === on && found.key === key && sameBytes(found.value, value),
    );
  }

  close(): Promise<void> {
    return this.#connection.close();
  }

  destroy(): Promise<void> {
    this.#reserve.forget();
    return this.#connection.destroy();
  }

  onStatus(listener: StatusListener): () => void {
    return this.#connection.onStatus(listener);
  }
}

function fetchSnapshot(
  transaction: IDBTransaction,
  keys: readonly StorageKey[],
  recordsAfter: number | undefined,
): Promise<Snapshot> {
  return untilLost(transaction, (resolve, reject) => {
    transaction.onerror = ({ target }) => reject((target as IDBRequest).error);
    transaction.onabort = () => reject(transaction.error);
    ask(transaction, keys, recordsAfter, resolve);
  });
}

function ask(
  transaction: IDBTransaction,
  keys: readonly StorageKey[],
  recordsAfter: number | undefined,
  take: (snapshot: Snapshot) => void,
): void {
  const values = keys.map(
    (key) => storeOf(transaction, key).get(nameIn(key)) as IDBRequest<unknown>,
  );
  const tail: (IDBRequest<IDBValidKey[]> | IDBRequest<unknown[]>)[] = [];
  if (recordsAfter !== undefined) {
    // Numbers only: 'base' sorts after all of them.
    const range = IDBKeyRange.bound(recordsAfter, Infinity, true);
    const log = transaction.objectStore('log' satisfies StoreName);
    tail.push(log.getAllKeys(range), log.getAll(range));
  }
  // Requests are carried out in their order, so the last one stands for all.
  [...values, ...tail].at(-1)!.onsuccess = () => {
    const [numbers = [], records = []] = tail.map((request) => request.result);
    take({
      values: values.map((request) => bytesIn(request.result)),
      records: numbers.flatMap((number, at) => {
        const value = isKey(number) && bytesIn(records[at]);
        return value ? [[number as number, value] as const] : [];
      }),
    });
  };
}

// Of a value: the reserve has keys of its own, and another script may have put anything.
function isKey(key: unknown): key is string | number {
  return Number.isSafeInteger(key) || key === 'base' || key === 'root';
}

// Another script, or a fault of the disk, may leave anything there: an object whose `length` is a
// billion would be copied for ever. Whatever is not bytes is handed out as none, which is the value
// of nothing, so the account takes it for damaged.
function bytesIn(found: unknown): Uint8Array | undefined {
  return found === undefined || isBytes(found) ? found : new Uint8Array();
}

function store(transaction: IDBTransaction, batch: Batch): Promise<CommitResult> {
  return untilLost(transaction, (resolve, reject) => {
    let isOther = false;
    const attempt = settleBy(transaction, reject, (result) =>
      resolve(isOther ? { outcome: 'unknown' } : result),
    );
    attempt(() => {
      let unchecked = 0;
      const finish = () => {
        if (unchecked === 0 || batch.eager) transaction.commit();
      };
      for (const [key, value] of comparedByReading(batch)) {
        unchecked++;
        const request = storeOf(transaction, key).get(nameIn(key));
        request.onsuccess = () =>
          attempt(() => {
            const isExpected = sameBytes(bytesIn(request.result), value);
            isOther ||= !isExpected && batch.eager === true;
            if (batch.eager) return;
            unchecked--;
            if (isExpected) return finish();
            resolve({ outcome: 'moved' });
            transaction.abort();
          });
      }
      // Without waiting for what was read: if it is not as expected, all of this is undone.
      unchecked++;
      write(transaction, batch, () =>
        attempt(() => {
          unchecked--;
          finish();
        }),
      );
    });
  });
}

function fetchAndStore(
  transaction: IDBTransaction,
  { keys, recordsAfter }: ReadRequest,
  decide: (snapshot: Snapshot) => Batch | undefined,
): Promise<CommitResult | undefined> {
  let isDecided = false;
  return untilLost<CommitResult | undefined>(transaction, (resolve, reject) => {
    const attempt = settleBy(transaction, reject, (result) => {
      if (isDecided) resolve(result);
      else reject(result.cause);
    });
    const take = (snapshot: Snapshot) =>
      attempt(() => {
        isDecided = true;
        const batch = decide(snapshot);
        const commit = () => attempt(() => transaction.commit());
        if (batch) return write(transaction, batch, commit);
        resolve(undefined);
        commit();
      });
    attempt(() => ask(transaction, keys, recordsAfter, take));
  }).catch((cause: unknown) => {
    if (isDecided) return { outcome: 'unknown', cause };
    throw cause;
  });
}

// Says by which result the transaction ends. What is returned does something with it in a
// handler, out of which no exception comes: each engine makes something else of one.
function settleBy(
  transaction: IDBTransaction,
  reject: (cause: unknown) => void,
  settle: (result: CommitResult) => void,
): (work: () => void) => void {
  let cause: unknown;
  // See write(): where a request failed and yet all is complete, it was the only one.
  transaction.oncomplete = () => settle(cause ? resultFor(cause) : { outcome: 'ok' });
  // The request knows why; the transaction says something else in each engine.
  // AbortError means no more than that the transaction went down with the request.
  transaction.onerror = ({ target }) => {
    const { error } = target as IDBRequest;
    if (error?.name !== 'AbortError') cause ??= error;
  };
  // Nobody but the transaction knows of a quota that was reached after the last
  // request, when Chromium writes.
  transaction.onabort = () => settle(resultFor(cause ?? transaction.error));
  return (work) => {
    try {
      work();
    } catch (error) {
      cause ??= error;
      try {
        transaction.abort();
      } catch {
        reject(error);
      }
    }
  };
}

// Nobody waits for anything but this answer: how full it is may take its time.
async function withRoom(result: CommitResult): Promise<CommitResult> {
  if (result.outcome !== 'quota') return result;
  // Absent in some workers, and not given to documents without an origin.
  const room = await globalThis.navigator?.storage?.estimate?.().catch(() => undefined);
  return { ...result, room: room && { usage: room.usage, quota: room.quota } };
}

// As of a batch: the caller may change what it asked for while the database is opened.
const copyOfRequest = ({ keys, recordsAfter }: ReadRequest) => ({ keys: [...keys], recordsAfter });

// A copy has a buffer of its own; IndexedDB would clone all that lies behind a view.
function copyOf({ expect, puts, deletes, eager, frees }: Batch): Batch {
  return {
    expect: expect.map(([key, value]) => [key, value?.slice()]),
    puts: puts.map(([key, value]) => [key, value.slice()]),
    deletes: [...deletes],
    eager,
    frees,
  };
}

// Of the values that a batch expected, the first: one is all that eager ones expect.
function foundBy({ db }: IDBTransaction, batch: Batch): Found | undefined {
  const [key, value] = comparedByReading(batch)[0] ?? [];
  return key && value && { on: db, key, value };
}

// What is expected to be absent and is put anyway needs no look: add() compares.
function comparedByReading({ expect, puts }: Batch): Batch['expect'] {
  const put = new Set(puts.map(([key]) => key));
  return expect.filter(([key, value]) => value ?? !put.has(key));
}

function resultFor(cause: unknown): CommitResult {
  switch ((cause as Error | null)?.name) {
    case 'ConstraintError':
      return { outcome: 'moved' };
    case 'QuotaExceededError':
      return { outcome: 'quota', cause };
    default:
      return { outcome: 'unknown', cause };
  }
}

// Says when the transaction may be finished: at once if there is one request, else when the last
// one has succeeded.  If commit() was called in the handler of a request, Firefox (153) completes
// the transaction although a later request fails, and keeps what the others wrote.
function write(
  transaction: IDBTransaction,
  { expect, puts, deletes }: Batch,
  mayFinish: () => void,
): void {
  const absent = new Set(expect.filter(([, value]) => !value).map(([key]) => key));
  const requests: IDBRequest[] = [];
  for (const key of deletes) requests.push(storeOf(transaction, key).delete(nameIn(key)));
  for (const [key, value] of puts) {
    const store = storeOf(transaction, key);
    requests.push(store[absent.has(key) ? 'add' : 'put'](value, nameIn(key)));
  }
  if (requests.length < 2) mayFinish();
  else requests.at(-1)!.onsuccess = mayFinish;
}

function scopeOf(keys: readonly StorageKey[]): Set<StoreName> {
  return new Set(keys.map((key) => key.split('/')[0] as StoreName));
}

function storeOf(transaction: IDBTransaction, key: StorageKey): IDBObjectStore {
  return transaction.objectStore(key.split('/')[0]!);
}

function nameIn(key: StorageKey): IDBValidKey {
  const name = key.split('/')[1]!;
  return /\d/.test(name) ? Number(name) : name;
}
