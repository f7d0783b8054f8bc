/**
 * The connection to a database. It is opened at the first use, and again after it was lost.
 *
 * @module
 */

import { TableError } from '../../base/errors.js';
import { shown } from '../../base/shown.js';
import type { StatusListener } from '../page-storage.js';
import { watchSleep } from '../sleep.js';
import { StatusListeners } from '../status-listeners.js';
import { askFactory } from './ask-factory.js';
import {
  ensureNewLog,
  ensureNewLogSoon,
  holdNewLog,
  isMadeAfterLoss,
  WRITE_LOCK_STORE,
} from './chromium.js';
import { SILENCE_MS } from './until-lost.js';

const STORES = ['log', 'pages'] as const;
export type StoreName = (typeof STORES)[number];

export class Connection {
  readonly #name: string;
  readonly #listeners = new StatusListeners();
  #opening: Promise<IDBDatabase> | undefined;
  #isLost = false;
  #losses = 0;

  // While the page sleeps, no unused connection is open: a page with an open connection may lose
  // its place in the back/forward cache, and a frozen page delays other pages.
  #isAsleep = false;
  // Whether the database is of another library, or of a later version of this one.
  #isForeign = false;
  #inUse = 0;
  #stopWatching: (() => void) | undefined;

  constructor(name: string) {
    this.#name = name;
  }

  /** How often it was lost. */
  get losses(): number {
    return this.#losses;
  }

  onStatus(listener: StatusListener): () => void {
    return this.#listeners.add(listener);
  }

  open(): Promise<IDBDatabase> {
    if (!this.#opening) {
      const opening = this.#open();
      this.#opening = opening;
      opening.catch(() => this.#forget(opening));
    }
    return this.#opening;
  }

  async close(): Promise<void> {
    this.#listeners.forget();
    this.#stopWatching?.();
    this.#stopWatching = undefined;
    const opening = this.#opening;
    this.#opening = undefined;
    (await opening?.catch(() => undefined))?.close();
  }

  // Other connections of ours close themselves when they get the event. A foreign connection may
  // not, and then this waits.
  async destroy(): Promise<void> {
    // One that cannot be opened may be damaged, which is a reason to delete it.
    const refusal = await this.open().catch((cause: unknown) => cause);
    await this.close();
    if (this.#isForeign) throw refusal;
    await askFactory((factory) => factory.deleteDatabase(this.#name), this.#overdue);
  }

  // Every write has one more object store than it names. Rejects only if no transaction began, or
  // with the error of `work`. If `work` rejects because the connection was lost, it is done once
  // more.
  async within<T>(
    stores: Set<StoreName>,
    mode: IDBTransactionMode,
    options: IDBTransactionOptions,
    work: (transaction: IDBTransaction) => Promise<T>,
  ): Promise<T> {
    if (mode === 'readwrite') stores.add(WRITE_LOCK_STORE);
    const names = [...stores];
    const own = { ...options };
    const begin = (connection: IDBDatabase) => connection.transaction(names, mode, own);
    this.#inUse++;
    holdNewLog();
    try {
      if (mode === 'readwrite') {
        await this.open();
        await ensureNewLog();
      }
      const transaction = await this.#begin(begin);
      try {
        return await work(transaction);
      } catch (cause) {
        if (canBegin(transaction.db, begin)) throw cause;
      }
      return await work(await this.#begin(begin));
    } finally {
      this.#inUse--;
      this.#closeIfAsleep();
      if (this.#inUse === 0) ensureNewLogSoon();
    }
  }

  // Only this exception shows that the connection has been closed since. Then one more is opened.
  async #begin(begin: (connection: IDBDatabase) => IDBTransaction): Promise<IDBTransaction> {
    const opening = this.open();
    const connection = await opening;
    try {
      return begin(connection);
    } catch {
      this.#losses++;
      connection.close();
      this.#forget(opening);
      return begin(await this.open());
    }
  }

  async #open(): Promise<IDBDatabase> {
    this.#stopWatching ??= watchSleep((isAsleep) => this.#setAsleep(isAsleep));
    this.#isForeign = false;
    let connection: IDBDatabase;
    try {
      connection = await askFactory((factory) => this.#request(factory), this.#overdue);
    } catch (error) {
      this.#isForeign = ((error as TableError).cause as Error).name === 'VersionError';
      throw error;
    }
    if (!STORES.every((store) => connection.objectStoreNames.contains(store))) {
      const found = [...connection.objectStoreNames].map(shown).join(', ') || 'none';
      connection.close();
      this.#isForeign = true;
      throw new TableError(
        'StorageUnavailable',
        `The database ${shown(this.#name)} has other object stores than those of Entitable: ${found}.`,
        { sentence: 'Another library has made it. Choose another name.' },
      );
    }
    // Otherwise a deletion elsewhere would wait for ever.
    connection.onversionchange = () => connection.close();
    connection.onclose = () => {
      this.#isLost = true;
      this.#losses++;
      this.#listeners.report('lost');
    };
    if (this.#isLost) {
      this.#isLost = false;
      this.#listeners.report('reconnected');
    }
    return connection;
  }

  #request(factory: IDBFactory): IDBOpenDBRequest {
    const request = factory.open(this.#name, 1);
    request.onupgradeneeded = (event) => {
      if (isMadeAfterLoss(event)) this.#listeners.reportAndKeep('destroyed');
      for (const store of STORES) request.result.createObjectStore(store);
    };
    return request;
  }

  readonly #overdue = { after: SILENCE_MS, report: () => this.#listeners.report('blocked') };

  #forget(opening: Promise<IDBDatabase>): void {
    if (this.#opening === opening) this.#opening = undefined;
  }

  #setAsleep(isAsleep: boolean): void {
    if (!isAsleep) this.#listeners.report('resumed');
    this.#isAsleep = isAsleep;
    this.#closeIfAsleep();
  }

  #closeIfAsleep(): void {
    if (!this.#isAsleep || this.#inUse > 0) return;
    const opening = this.#opening;
    this.#opening = undefined;
    opening?.then(
      (connection) => connection.close(),
      () => undefined,
    );
  }
}

// Whether the connection is still open.
function canBegin(
  connection: IDBDatabase,
  begin: (connection: IDBDatabase) => IDBTransaction,
): boolean {
  try {
    begin(connection).abort();
    return true;
  } catch {
    return false;
  }
}
