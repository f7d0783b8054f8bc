/**
 * Reads values of one moment, with several calls.
 *
 * The moment is that of the first call. It also reads when the store changed last (`changed` and
 * `deleted`, which have the versionstamps of commits). What a later call finds was there at that
 * moment if its versionstamp is not greater. What a later call misses was missing at that moment if
 * no commit has deleted anything since.
 *
 * So a read begins again if a value of it was stored later. It also does if a commit has deleted
 * something since, and the read misses a value or lists older records.
 *
 * @module
 */

import { HOW_TO_REPAIR, TableError } from '../../base/errors.js';
import { isBytes } from '../../base/kinds.js';
import type { ReadRequest, Snapshot, StorageKey } from '../page-storage.js';
import { allIn, groupsOf, many, MOST_KEYS, MOST_LISTED } from './calls.js';
import { isIn, runsIn } from './doomed.js';
import { groupOf, numberOf, type Run, type StoreKeys } from './keys.js';
import type { DenoKvEntry, DenoKvKey, DenoKvLike } from './platform.js';

/** Returns values and records of one moment. A value that is requested twice is not copied. */
export async function readAtOnce(
  kv: DenoKvLike,
  keys: StoreKeys,
  { keys: wanted, recordsAfter }: ReadRequest,
): Promise<Snapshot> {
  const given = [...wanted];
  const first = firstListed(given, recordsAfter);
  for (;;) {
    const found = await new Reading(kv, keys, first).valuesOf(given);
    if (!found) continue;
    const records = [...found]
      .filter(([key]) => isRecord(key) && numberOf(key)! > (recordsAfter ?? Infinity))
      .map(([key, value]) => [numberOf(key)!, value] as const)
      .sort(([one], [other]) => one - other);
    return { values: given.map((key) => found.get(key)), records };
  }
}

/**
 * The first log record to list. Many records are listed even if they are not requested as such: a
 * flush deletes a thousand of them, and one call gets only ten keys.
 */
function firstListed(
  wanted: readonly StorageKey[],
  recordsAfter: number | undefined,
): number | undefined {
  const numbers = wanted.filter(isRecord).map((key) => numberOf(key)!);
  const listed = numbers.length > MOST_KEYS ? numbers : [];
  if (recordsAfter !== undefined) listed.push(recordsAfter + 1);
  return listed.length > 0 ? Math.min(...listed) : undefined;
}

const isRecord = (key: StorageKey) => groupOf(key) === 'log' && key !== 'log/base';

/** The keys of all values. */
export async function listKeys(kv: DenoKvLike, keys: StoreKeys): Promise<StorageKey[]> {
  const [note] = await many(kv, [keys.doomed]);
  const doomed = runsIn(note!);
  const listed: StorageKey[] = [];
  const { start, end: behind } = keys.values();
  for (let end = behind; ;) {
    const entries = await allIn(kv, { start, end }, MOST_LISTED, true);
    for (const { key } of entries) {
      const storageKey = keys.storageKeyOf(key);
      if (storageKey && !isIn(doomed, storageKey)) listed.push(storageKey);
    }
    if (entries.length < MOST_LISTED) return listed;
    end = entries.at(-1)!.key as DenoKvKey;
  }
}

/** One attempt. */
class Reading {
  readonly #kv: DenoKvLike;
  readonly #keys: StoreKeys;
  readonly #first: number | undefined;
  readonly #values = new Map<StorageKey, Uint8Array>();
  #doomed: readonly Run[] = [];
  // Of the last commit before the moment, and of the last that deleted something.
  #lastChange = '';
  #lastDeletion: string | null = null;

  constructor(kv: DenoKvLike, keys: StoreKeys, first: number | undefined) {
    this.#kv = kv;
    this.#keys = keys;
    this.#first = first;
  }

  /** Undefined, if the values may not be those of the moment. */
  async valuesOf(
    wanted: readonly StorageKey[],
  ): Promise<ReadonlyMap<StorageKey, Uint8Array> | undefined> {
    const range = this.#keys.mainAndRecords(this.#first);
    const rest = [...new Set(wanted)].filter((key) => !this.#isListed(key));
    const newest = await allIn(this.#kv, range, MOST_LISTED, true);
    this.#note(newest);
    for (const entry of newest) this.#add(entry);
    const parts = groupsOf(rest, MOST_KEYS - 1).map((group) => this.#get(group));
    if (newest.length === MOST_LISTED) parts.push(this.#listOlder(newest.at(-1)!));
    const areOfTheMoment = await Promise.all(parts);
    return areOfTheMoment.every(Boolean) ? this.#values : undefined;
  }

  #note(entries: readonly DenoKvEntry[]): void {
    for (const entry of entries) {
      if (isAt(entry, this.#keys.doomed)) this.#doomed = runsIn(entry);
      if (isAt(entry, this.#keys.deleted)) this.#lastDeletion = entry.versionstamp;
      const isMark = isAt(entry, this.#keys.deleted) || isAt(entry, this.#keys.changed);
      if (isMark && entry.versionstamp! > this.#lastChange) this.#lastChange = entry.versionstamp!;
    }
  }

  /** False, if it was stored after the moment. */
  #add({ key, value, versionstamp }: DenoKvEntry): boolean {
    const storageKey = this.#keys.storageKeyOf(key);
    if (!storageKey || isIn(this.#doomed, storageKey)) return true;
    if (!isBytes(value)) throw damaged(storageKey);
    this.#values.set(storageKey, value);
    return versionstamp! <= this.#lastChange;
  }

  #isListed(key: StorageKey): boolean {
    const number = numberOf(key);
    if (number === undefined) return true;
    return groupOf(key) === 'log' && this.#first !== undefined && number >= this.#first;
  }

  async #get(group: readonly StorageKey[]): Promise<boolean> {
    const keys = [this.#keys.deleted, ...group.map((key) => this.#keys.of(key))];
    const [deleted, ...entries] = await many(this.#kv, keys);
    const found = entries.filter(({ versionstamp }) => versionstamp !== null);
    const isCertain = found.length === entries.length || this.#hasDeletedNothing(deleted!);
    return found.map((entry) => this.#add(entry)).every(Boolean) && isCertain;
  }

  /** The log records before those of the first call, from the newest to the oldest. */
  async #listOlder({ key }: DenoKvEntry): Promise<boolean> {
    const { start } = this.#keys.mainAndRecords(this.#first);
    let end = key;
    for (;;) {
      const entries = await allIn(this.#kv, { start, end: end as typeof start }, MOST_LISTED, true);
      if (!entries.map((entry) => this.#add(entry)).every(Boolean)) return false;
      if (entries.length < MOST_LISTED) break;
      end = entries.at(-1)!.key;
    }
    const [deleted] = await many(this.#kv, [this.#keys.deleted]);
    return this.#hasDeletedNothing(deleted!);
  }

  #hasDeletedNothing(deleted: DenoKvEntry): boolean {
    return deleted.versionstamp === this.#lastDeletion;
  }
}

const isAt = ({ key }: DenoKvEntry, other: readonly unknown[]) => key.join() === other.join();

const damaged = (storageKey: StorageKey) =>
  new TableError(
    'StorageDamaged',
    `The value under ${storageKey} was not written by denoKvStorage().`,
    { storageKey, sentence: HOW_TO_REPAIR },
  );
