/**
 * A database of IndexedDB that is read piece by piece.
 *
 * @module
 */

import { invalidInput, storageError } from '../../base/errors.js';
import { hasMethod } from '../../base/kinds.js';
import { shown } from '../../base/shown.js';
import type { DexieLike, SourceKey } from './models.js';
import type { Place } from './place.js';

/** Where values have their keys: `IDBObjectStore.keyPath`. */
export type KeyPath = string | readonly string[] | null;

/** A value of a store, and its key. */
export interface SourceValue {
  readonly key: SourceKey;
  readonly value: unknown;
}

/** Reads a database. It writes nothing, and makes none. */
export class Source {
  readonly #database: IDBDatabase;
  readonly #isOwn: boolean;

  private constructor(database: IDBDatabase, isOwn: boolean) {
    this.#database = database;
    this.#isOwn = isOwn;
  }

  /**
   * Opens a database.
   *
   * @returns undefined, if there is none of this name.
   * @throws {@link TableError} `StorageUnavailable`.
   */
  static async open(place: Place): Promise<Source | undefined> {
    if (typeof place === 'string') {
      const database = await openByName(place);
      return database && new Source(database, true);
    }
    if (!hasMethod(place, 'backendDB')) return new Source(place as unknown as IDBDatabase, false);
    if (!place.backendDB()) await (place as DexieLike).open();
    // eslint-disable-next-line entitable/arguments-before-await -- it is open now
    return new Source(place.backendDB() as unknown as IDBDatabase, false);
  }

  /** @throws {@link TableError} `InvalidInput`, if there is no such store. */
  checkStore(store: string): void {
    const names = Array.from(this.#database.objectStoreNames);
    if (names.includes(store)) return;
    const others = names.length ? `Its stores are ${names.map(shown).join(', ')}.` : 'It is empty.';
    const database = shown(this.#database.name);
    throw invalidInput(`The database ${database} has no store ${shown(store)}. ${others}`);
  }

  /** Returns the number of values of a store. */
  async count(store: string): Promise<number> {
    return await this.#read(store, (from) => resultOf(from.count()));
  }

  /** Returns the first values whose keys are above this one, in the order of their keys. */
  async read(store: string, above: SourceKey | undefined, count: number): Promise<SourceValue[]> {
    const range = above === undefined ? undefined : IDBKeyRange.lowerBound(above, true);
    return await this.#read(store, async (from) => {
      // Both are of one moment, because they are of one transaction.
      const [keys, values] = await Promise.all([
        resultOf(from.getAllKeys(range, count)),
        resultOf(from.getAll(range, count)),
      ]);
      return keys.map((key, at) => ({ key: key as SourceKey, value: values[at] as unknown }));
    });
  }

  /** Returns how a store makes its keys, for messages. */
  keyPathOf(store: string): KeyPath {
    return this.#database.transaction(store).objectStore(store).keyPath;
  }

  close(): void {
    if (this.#isOwn) this.#database.close();
  }

  async #read<T>(store: string, read: (from: IDBObjectStore) => Promise<T>): Promise<T> {
    try {
      return await read(this.#database.transaction(store).objectStore(store));
    } catch (cause) {
      throw unreadable(this.#database.name, cause);
    }
  }
}

function openByName(name: string): Promise<IDBDatabase | undefined> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(name);
    let isMissing = false;
    request.onupgradeneeded = () => {
      // An aborted upgrade takes the database away, which it has just made.
      isMissing = true;
      request.transaction!.abort();
    };
    request.onerror = (event) => {
      event.preventDefault();
      if (isMissing) resolve(undefined);
      else reject(unreadable(name, request.error));
    };
    request.onsuccess = () => {
      const { result } = request;
      // Whoever upgrades or deletes it must not wait.
      result.onversionchange = () => result.close();
      resolve(result);
    };
  });
}

const unreadable = (name: string, cause: unknown) =>
  storageError(cause, `The database ${shown(name)} cannot be read.`);

function resultOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- a DOMException
    request.onerror = () => reject(request.error);
  });
}
