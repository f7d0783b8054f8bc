/**
 * The transactions of a database.
 *
 * @module
 */

import { isBytes } from '../../base/kinds.js';
import { sameBytes } from '../bytes.js';
import type { Batch, CommitResult, ReadRequest, Snapshot, StorageKey } from '../page-storage.js';
import type { StoreName } from './connection.js';
import { untilLost } from './until-lost.js';

/** Reads in a transaction. Rejects with the reason. */
export function fetchSnapshot(
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
    // Only numbers: 'base' sorts after all of them.
    const range = IDBKeyRange.bound(recordsAfter, Infinity, true);
    const log = transaction.objectStore('log' satisfies StoreName);
    tail.push(log.getAllKeys(range), log.getAll(range));
  }
  // Requests are carried out in order, so the last one ends last.
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

/**
 * Whether it is the key of a value. The reserve has other keys, and another script may have put
 * any.
 */
export function isKey(key: unknown): key is string | number {
  return Number.isSafeInteger(key) || key === 'base' || key === 'root';
}

// Another script or a fault of the disk may leave any value: an object whose `length` is a billion
// would be copied for ever. A value that is not bytes becomes an empty value, which is never valid,
// so the account finds it damaged.
function bytesIn(found: unknown): Uint8Array | undefined {
  return found === undefined || isBytes(found) ? found : new Uint8Array();
}

/**
 * Compares and stores a batch. The outcome is `unknown` if only the transaction knows it. Rejects
 * if the connection is lost.
 */
export function store(transaction: IDBTransaction, batch: Batch): Promise<CommitResult> {
  return untilLost(transaction, (resolve, reject) => {
    let isOther = false;
    const attempt = onEnd(transaction, reject, (result) =>
      resolve(isOther ? { outcome: 'unknown' } : result),
    );
    attempt(() => {
      let unchecked = 0;
      const finish = () => {
        if (unchecked === 0 || batch.optimistic) transaction.commit();
      };
      for (const [key, value] of comparedByReading(batch)) {
        unchecked++;
        const request = storeOf(transaction, key).get(nameIn(key));
        request.onsuccess = () =>
          attempt(() => {
            const isExpected = sameBytes(bytesIn(request.result), value);
            isOther ||= !isExpected && batch.optimistic === true;
            if (batch.optimistic) return;
            unchecked--;
            if (isExpected) return finish();
            resolve({ outcome: 'moved' });
            transaction.abort();
          });
      }
      // The batch does not wait for the read values. If one differs, the transaction is aborted.
      unchecked++;
      write(transaction, batch, attempt, () => {
        unchecked--;
        finish();
      });
    });
  });
}

/**
 * Reads, and stores the batch that `decide` returns at once. Rejects only before `decide` is
 * called.
 */
export function fetchAndStore(
  transaction: IDBTransaction,
  { keys, recordsAfter }: ReadRequest,
  decide: (snapshot: Snapshot) => Batch | undefined,
): Promise<CommitResult | undefined> {
  let isDecided = false;
  return untilLost<CommitResult | undefined>(transaction, (resolve, reject) => {
    const attempt = onEnd(transaction, reject, (result) => {
      if (isDecided) resolve(result);
      else reject(result.cause);
    });
    const take = (snapshot: Snapshot) =>
      attempt(() => {
        isDecided = true;
        const batch = decide(snapshot);
        if (batch) return write(transaction, batch, attempt, () => transaction.commit());
        resolve(undefined);
        transaction.commit();
      });
    attempt(() => ask(transaction, keys, recordsAfter, take));
  }).catch((cause: unknown) => {
    if (isDecided) return { outcome: 'unknown', cause };
    throw cause;
  });
}

// Calls `end` with the result of the transaction. Returns a function that runs the work of an event
// handler and catches its exceptions, which engines treat differently.
function onEnd(
  transaction: IDBTransaction,
  reject: (cause: unknown) => void,
  end: (result: CommitResult) => void,
): (work: () => void) => void {
  let cause: unknown;
  // See write(): the request that failed was the only one.
  transaction.oncomplete = () => end(cause ? resultFor(cause) : { outcome: 'ok' });
  // The request knows the reason; the error of the transaction differs between engines. AbortError
  // only means that the request ended with the transaction.
  transaction.onerror = ({ target }) => {
    const { error } = target as IDBRequest;
    if (error?.name !== 'AbortError') cause ??= error;
  };
  // Chromium writes after the last request, so only the transaction reports that quota.
  transaction.onabort = () => end(resultFor(cause ?? transaction.error));
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

/** The expectations to read. add() checks that a key that is put has no value. */
export function comparedByReading({ expect, puts }: Batch): Batch['expect'] {
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

// A put copies its value in this thread, so a step of an import would take long in one turn.
const BYTES_PER_TURN = 2 ** 20;

// Finishes the transaction: at once if there is one request, else when the last one has succeeded.
// If commit() is called in the handler of a request, Firefox (153) completes the transaction
// although a later request fails, and keeps what the others wrote.
function write(
  transaction: IDBTransaction,
  { expect, puts, deletes }: Batch,
  attempt: (work: () => void) => void,
  mayFinish: () => void,
): void {
  const absent = new Set(expect.filter(([, value]) => !value).map(([key]) => key));
  let last: IDBRequest | undefined;
  for (const key of deletes) last = storeOf(transaction, key).delete(nameIn(key));
  let next = 0;
  const putSome = () => {
    for (let bytes = 0; next < puts.length && bytes < BYTES_PER_TURN; next++) {
      const [key, value] = puts[next]!;
      const store = storeOf(transaction, key);
      last = store[absent.has(key) ? 'add' : 'put'](value, nameIn(key));
      bytes += value.length;
    }
    const then = next < puts.length ? putSome : mayFinish;
    if (puts.length + deletes.length < 2) mayFinish();
    else last!.onsuccess = () => attempt(then);
  };
  putSome();
}

/** The object stores of the keys. */
export function scopeOf(keys: readonly StorageKey[]): Set<StoreName> {
  return new Set(keys.map((key) => key.split('/')[0] as StoreName));
}

function storeOf(transaction: IDBTransaction, key: StorageKey): IDBObjectStore {
  return transaction.objectStore(key.split('/')[0]!);
}

function nameIn(key: StorageKey): IDBValidKey {
  const name = key.split('/')[1]!;
  return /\d/.test(name) ? Number(name) : name;
}
