/**
 * Where a store is in the database. Each key begins with `'entitable'` and the name of the store.
 * The rest is:
 *
 * ```
 * 'log', number      a log record
 * 'main', name       `log/base`, `pages/root`, and what the storage notes about commits
 * 'pages', number    a page, or a part of a long value
 * 'writers', id      the number of the last commit of a writer
 * ```
 *
 * `'main'` follows `'log'`, so one call lists the newest records and all of `'main'`.
 *
 * @module
 */

import type { StorageKey } from '../page-storage.js';
import type { DenoKvKey } from './platform.js';

/** Values with consecutive numbers. */
export type Run = readonly [group: 'log' | 'pages', first: number, last: number];

/** From `start` up to but without `end`. */
export interface KeyRange {
  readonly start: DenoKvKey;
  readonly end: DenoKvKey;
}

/** The keys of a store. */
export class StoreKeys {
  readonly #store: DenoKvKey;
  /** Each commit sets one of these two: `deleted`, if it deletes values. */
  readonly changed: DenoKvKey;
  readonly deleted: DenoKvKey;
  /** Has the runs of deleted values that are still in the database. */
  readonly doomed: DenoKvKey;

  constructor(name: string) {
    this.#store = ['entitable', name];
    this.changed = this.#key('main', 'changed');
    this.deleted = this.#key('main', 'deleted');
    this.doomed = this.#key('main', 'doomed');
  }

  #key(...parts: DenoKvKey): DenoKvKey {
    return [...this.#store, ...parts];
  }

  /** Has the number of the last commit of a writer. */
  writer(id: string): DenoKvKey {
    return this.#key('writers', id);
  }

  /** The key in the database. */
  of(key: StorageKey): DenoKvKey {
    const number = numberOf(key);
    return number === undefined
      ? this.#key('main', key === 'log/base' ? 'base' : 'root')
      : this.#key(groupOf(key), number);
  }

  /** The inverse of `of`. Undefined for notes. */
  storageKeyOf(key: readonly unknown[]): StorageKey | undefined {
    const [group, name] = key.slice(this.#store.length);
    if (group !== 'main') return `${group as 'log'}/${name as number}`;
    return name === 'base' ? 'log/base' : name === 'root' ? 'pages/root' : undefined;
  }

  /** All but the writers. */
  values(): KeyRange {
    return { start: this.#key('log'), end: this.#key('writers') };
  }

  /** `'main'`, and the log records from a number on, if there is one. */
  mainAndRecords(first: number | undefined): KeyRange {
    const start = first === undefined ? this.#key('main') : this.#key('log', first);
    return { start, end: this.#key('pages') };
  }

  /** The keys of a run. */
  run([group, first, last]: Run): KeyRange {
    return { start: this.#key(group, first), end: this.#key(group, last + 1) };
  }
}

/** Undefined for `log/base` and `pages/root`. */
export function numberOf(key: StorageKey): number | undefined {
  const number = Number(key.slice(key.indexOf('/') + 1));
  return Number.isNaN(number) ? undefined : number;
}

export const groupOf = (key: StorageKey): Run[0] => (key.startsWith('log/') ? 'log' : 'pages');
