// watched-indexeddb.ts - an IndexedDB storage for each test of a file that calls
// useWatchedIndexedDb(), and faults of the browser.

import { afterEach, beforeEach, vi } from 'vitest';

import { indexedDbStorage } from '../../../js/src/storage/indexeddb.js';
import type { Batch, PageStorage } from '../../../js/src/storage/page-storage.js';
import { freshName } from './storages.js';

export const record = (number: number): Batch => ({
  expect: [[`log/${number}`, undefined]],
  puts: [[`log/${number}`, Uint8Array.of(number)]],
  deletes: [],
});

export let name: string;
export let storage: PageStorage;

export function useWatchedIndexedDb(): void {
  beforeEach(() => {
    name = freshName();
    storage = indexedDbStorage(name);
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
    vi.useRealTimers();
    await storage.destroy();
  });
}

export const has = async (number: number) =>
  (await storage.read({ keys: [`log/${number}`] })).values[0] !== undefined;

/** A connection that prevents the deletion of the database. */
export async function openPlainly(name: string): Promise<IDBDatabase> {
  const request = indexedDB.open(name, 1);
  return new Promise((resolve) => {
    request.onsuccess = () => resolve(request.result);
  });
}

/** The connections that are opened from now on. */
export function watchConnections(): IDBDatabase[] {
  const connections: IDBDatabase[] = [];
  const original = IDBFactory.prototype.open;
  vi.spyOn(IDBFactory.prototype, 'open').mockImplementation(function (
    this: IDBFactory,
    ...parameters
  ) {
    const request = original.apply(this, parameters);
    request.addEventListener('success', () => connections.push(request.result));
    return request;
  });
  return connections;
}

/** The next request of that kind fails with an error of that name, in the engine's own way. */
export function failNextRequest(method: 'add' | 'get', errorName: string): void {
  const original = IDBObjectStore.prototype[method] as (...parameters: unknown[]) => IDBRequest;
  vi.spyOn(IDBObjectStore.prototype, method).mockImplementationOnce(function (
    this: IDBObjectStore,
    ...parameters: unknown[]
  ) {
    const request = original.apply(this, parameters);
    const { transaction } = this;
    Object.defineProperty(request, 'error', { value: new DOMException('injected', errorName) });
    request.addEventListener('success', (event) => {
      event.stopImmediatePropagation();
      request.dispatchEvent(new Event('error', { bubbles: true }));
      transaction.abort();
    });
    return request;
  } as never);
  if (method === 'add')
    vi.spyOn(IDBTransaction.prototype, 'commit').mockImplementationOnce(() => {});
}

/** In which order a transaction is finished and a value found, from now on. */
export function watchOrder(): string[] {
  const order: string[] = [];
  const { get } = IDBObjectStore.prototype;
  const { commit } = IDBTransaction.prototype;
  vi.spyOn(IDBObjectStore.prototype, 'get').mockImplementation(function (
    this: IDBObjectStore,
    key,
  ) {
    const request = get.call(this, key);
    request.addEventListener('success', () => order.push('found'));
    return request;
  });
  vi.spyOn(IDBTransaction.prototype, 'commit').mockImplementation(function (this: IDBTransaction) {
    order.push('commit');
    commit.call(this);
  });
  return order;
}

/** The next transaction is aborted after all its requests succeeded. */
export function failNextCommit(errorName: string): void {
  vi.spyOn(IDBTransaction.prototype, 'commit').mockImplementationOnce(function (
    this: IDBTransaction,
  ) {
    Object.defineProperty(this, 'error', { value: new DOMException('injected', errorName) });
    this.abort();
  });
}

/** No event of the next transaction is ever heard. */
export function silenceNextTransaction(): void {
  const original = IDBDatabase.prototype.transaction;
  vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementationOnce(function (
    this: IDBDatabase,
    ...parameters
  ) {
    const transaction = original.apply(this, parameters);
    for (const type of ['complete', 'abort', 'error']) {
      transaction.addEventListener(type, (event) => event.stopImmediatePropagation());
    }
    return transaction;
  });
}

/** Puts any value where an adapter puts bytes. */
export async function putRaw(name: string, key: string, value: unknown): Promise<void> {
  const [store, place] = key.split('/') as [string, string];
  const database = await new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open(name);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error!);
  });
  await new Promise<void>((resolve, reject) => {
    const transaction = database.transaction(store, 'readwrite');
    const number = Number(place);
    transaction.objectStore(store).put(value, Number.isNaN(number) ? place : number);
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error!);
  });
  database.close();
}
