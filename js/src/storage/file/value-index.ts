/**
 * The places of the values of a store.
 *
 * @module
 */

import type { StorageKey } from '../page-storage.js';
import { bytesKept, type Place, type PlacedChange } from './format.js';

export class ValueIndex {
  readonly #places = new Map<StorageKey, Place>();

  // The numbers of the log records, ascending.
  readonly #records: number[] = [];
  #liveBytes = 0;

  /** How many bytes of the file the values need. */
  get liveBytes(): number {
    return this.#liveBytes;
  }

  get(key: StorageKey): Place | undefined {
    return this.#places.get(key);
  }

  entries(): Iterable<[StorageKey, Place]> {
    return this.#places;
  }

  /** The numbers of all log records above `number`, ascending. */
  recordsAfter(number: number): number[] {
    return this.#records.slice(this.#rankOf(number + 1));
  }

  apply(changes: readonly PlacedChange[]): void {
    for (const [key, place] of changes) {
      const before = this.#places.get(key);
      if (before) this.#liveBytes -= bytesKept(key, before);
      if (place) this.#put(key, place, before === undefined);
      else if (before) this.#delete(key);
    }
  }

  #put(key: StorageKey, place: Place, isNew: boolean): void {
    this.#places.set(key, place);
    this.#liveBytes += bytesKept(key, place);
    const number = recordNumber(key);
    if (isNew && number !== undefined) this.#records.splice(this.#rankOf(number), 0, number);
  }

  #delete(key: StorageKey): void {
    this.#places.delete(key);
    const number = recordNumber(key);
    if (number !== undefined) this.#records.splice(this.#rankOf(number), 1);
  }

  // How many log records have a lower number.
  #rankOf(number: number): number {
    let [low, high] = [0, this.#records.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#records[middle]! < number) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function recordNumber(key: StorageKey): number | undefined {
  const digits = /^log\/(\d+)$/.exec(key);
  return digits ? Number(digits[1]) : undefined;
}
