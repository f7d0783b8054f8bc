/**
 * Reads the values of a damaged store, some of which may not be readable.
 *
 * @module
 */

import { isTableError, storageError, type TableError } from '../base/errors.js';
import { checkedSnapshot } from '../core/adapter.js';
import type { PageStorage, ReadRequest, Snapshot, StorageKey } from '../storage/page-storage.js';

// The mark of a value that its storage cannot read.
const UNREADABLE = new Uint8Array();

/** What a reader needs of a storage. */
export type Readable = Pick<PageStorage, 'read' | 'list' | 'close'>;

/** A storage that may find values in a place that it cannot open as a whole. */
type Salvaging = PageStorage & { salvage?(): Promise<Readable | undefined> };

/** Reads all values that it can. If some cannot be read together, it reads each of them alone. */
export class ValueReader {
  readonly storage: Readable;

  /** Why only a part of the store is in `storage`; undefined, if all of it is. */
  readonly damage: TableError | undefined;
  readonly #keys: readonly StorageKey[] | undefined;

  private constructor(
    storage: Readable,
    keys: readonly StorageKey[] | undefined,
    damage?: TableError,
  ) {
    this.storage = storage;
    this.damage = damage;
    this.#keys = keys;
  }

  /** @throws {@link TableError} `StorageUnavailable`, if the storage cannot be used at all. */
  static async open(storage: Salvaging): Promise<ValueReader> {
    const salvage = storage.salvage?.bind(storage);
    try {
      await storage.read({ keys: [] });
      return new ValueReader(storage, await storage.list?.());
    } catch (cause) {
      const error = storageError(cause);
      const salvaged = error.code === 'StorageDamaged' ? await salvage?.() : undefined;
      if (!salvaged) throw error;
      return new ValueReader(salvaged, await salvaged.list?.(), error);
    }
  }

  /** Closes what `open()` has opened beside the storage. */
  async end(): Promise<void> {
    if (this.damage) await this.storage.close();
  }

  /** The numbers of all pages, ascending; undefined, if the storage cannot list them. */
  get pages(): number[] | undefined {
    return this.#keys && numbersOf(this.#keys, 'pages/');
  }

  /** All values as of one moment, unless some cannot be read. */
  async read({ keys, recordsAfter }: ReadRequest): Promise<Snapshot> {
    const request = { keys: [...keys], recordsAfter };
    try {
      return checkedSnapshot(await this.storage.read(request), request);
    } catch (cause) {
      if (!(isTableError(cause) && cause.code === 'StorageDamaged')) {
        throw storageError(cause);
      }
      return this.#readOneByOne(request);
    }
  }

  async #readOneByOne({ keys, recordsAfter }: ReadRequest): Promise<Snapshot> {
    const values = [];
    for (const key of keys) values.push(await this.#readOne(key));
    const records: [number, Uint8Array][] = [];
    const numbers = recordsAfter === undefined ? [] : numbersOf(this.#keys ?? [], 'log/');
    for (const number of numbers) {
      const value = await this.#readOne(`log/${number}`);
      if (value) records.push([number, value]);
    }
    return { values, records };
  }

  async #readOne(key: StorageKey): Promise<Uint8Array | undefined> {
    const request = { keys: [key] };
    try {
      return checkedSnapshot(await this.storage.read(request), request).values[0];
    } catch {
      return UNREADABLE;
    }
  }
}

function numbersOf(keys: readonly StorageKey[], folder: 'log/' | 'pages/'): number[] {
  return keys
    .filter((key) => key.startsWith(folder) && /\d$/.test(key))
    .map((key) => Number(key.slice(folder.length)))
    .sort((a, b) => a - b);
}
