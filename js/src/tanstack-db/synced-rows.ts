/**
 * Loads the rows that the queries of a collection need, and keeps them up to date.
 *
 * @module
 */

import type { LoadSubsetOptions, SyncAppliedReceipt, SyncConfig } from '@tanstack/db';

import { loaded } from '../base/loaded.js';
import { Slices } from '../base/slices.js';
import type { TableRequests } from '../client/table-requests.js';
import { queryOperation } from '../entity/operations.js';
import { Subset, type StoredRow } from './subset.js';
import { rowKeyOf } from './row-keys.js';

/** The functions that TanStack DB passes to a sync, for rows of any type. */
export type Sync = Pick<
  Parameters<SyncConfig<StoredRow, string>['sync']>[0],
  'begin' | 'write' | 'commit' | 'markReady' | 'markError' | 'invalidateLoadedSubsets'
>;

/** The reports that a write waits for. */
export interface Watch {
  /** The newest etag of each row that commits changed; empty, if the row was deleted. */
  readonly etags: Map<string, string>;
  /** Whether no more reports come, or a report without the single rows has come. */
  isOver: boolean;
  /** Called after each report. */
  wake?: (() => void) | undefined;
}

interface HeldRow {
  row: StoredRow;
  /** How many subsets have it. */
  holders: number;
}

type Message = Parameters<Sync['write']>[0];

/** The rows of one sync, from its start to its cleanup. */
export class SyncedRows {
  readonly #requests: TableRequests;
  readonly #sync: Sync;
  readonly #rows = new Map<string, HeldRow>();
  readonly #subsets = new Map<unknown, Subset>();
  // The subsets that queries use. Of equal queries, the oldest first.
  readonly #used = new Map<LoadSubsetOptions, Subset[]>();
  readonly #watches = new Set<Watch>();
  readonly #stop = new AbortController();
  /**
   * Fulfilled when the reports of commits begin. From then on, no read misses a commit, and every
   * write is reported.
   */
  readonly begun: Promise<void>;
  #hasBegun = false;
  #batch: Message[] = [];

  /** @param isEager - whether to load the whole table at once. */
  constructor(requests: TableRequests, sync: Sync, isEager: boolean) {
    this.#requests = requests;
    this.#sync = sync;
    this.begun = new Promise((resolve, reject) => {
      this.#follow(resolve).then(
        () => {
          resolve();
          this.end();
        },
        (error: unknown) => {
          reject(error);
          this.#fail(error);
        },
      );
    });
    const first = isEager ? this.load({}) : this.begun;
    Promise.resolve(first).then(
      () => sync.markReady(),
      (error: unknown) => this.#fail(error),
    );
  }

  /** Ends the sync. */
  end(): void {
    this.#stop.abort();
    this.#endWatches();
  }

  /** Loads the rows that a query needs. */
  readonly load = (options: LoadSubsetOptions): true | Promise<void> => {
    const wanted = new Subset(options, this.#requests.rows);
    const subset = this.#subsets.get(wanted.id) ?? wanted;
    this.#subsets.set(subset.id, subset);
    this.#used.set(options, [...(this.#used.get(options) ?? []), subset]);
    subset.users++;
    if (subset.isReady) return true;
    return (subset.ready ??= this.#load(subset));
  };

  /** Removes the rows that only this query needed. */
  readonly unload = (options: LoadSubsetOptions): void => {
    const [subset, ...others] = this.#used.get(options) ?? [];
    if (others.length) this.#used.set(options, others);
    else this.#used.delete(options);
    if (subset && --subset.users === 0) this.#remove(subset);
  };

  /** Begins to collect the etags of reported rows. */
  watch(): Watch {
    const watch: Watch = { etags: new Map(), isOver: this.#stop.signal.aborted };
    this.#watches.add(watch);
    return watch;
  }

  /** Ends a watch. */
  unwatch(watch: Watch): void {
    this.#watches.delete(watch);
  }

  async #load(subset: Subset): Promise<void> {
    try {
      await this.begun;
      await this.#read(subset);
      for (const receipt of subset.receipts) await receipt;
      subset.isReady = true;
    } catch (error) {
      // The next query tries again.
      this.#remove(subset);
      throw error;
    }
  }

  #remove(subset: Subset): void {
    if (this.#subsets.get(subset.id) === subset) this.#subsets.delete(subset.id);
    // A read that is still running stops.
    subset.changed = undefined;
    for (const key of subset.keys) this.#drop(subset, key);
    this.#flush();
  }

  async #read(subset: Subset): Promise<void> {
    subset.reading = this.#readPages(subset);
    await subset.reading;
  }

  // Rows that a commit changes during the read come from the report of the commit.
  async #readPages(subset: Subset): Promise<void> {
    if (!subset.users) return;
    const changed = subset.beginRead();
    const gone = new Set(subset.keys);
    const slices = new Slices();
    const abortSignal = this.#stop.signal;
    const list = this.#requests.list<StoredRow>({ filter: subset.filter, abortSignal });
    for await (const page of list.byPage({ maxPageSize: subset.pageSize })) {
      if (subset.changed !== changed) break;
      const isWhole = page.every((row) => {
        const key = rowKeyOf(this.#requests.rows, row);
        const isWithin = subset.reaches(row);
        if (isWithin && !changed.has(key)) this.#hold(subset, key, row);
        if (isWithin) gone.delete(key);
        return isWithin;
      });
      this.#flush(subset.receipts);
      if (!isWhole) break;
      await slices.turn();
    }
    if (subset.changed !== changed) {
      // A newer read has begun or ended, or no query needs the rows any more.
      if (subset.changed) await subset.reading;
      return;
    }
    subset.changed = undefined;
    for (const key of gone) if (!changed.has(key)) this.#drop(subset, key);
    this.#flush(subset.receipts);
  }

  async #follow(begin: () => void): Promise<void> {
    const { signal } = this.#stop;
    const requests = this.#requests;
    const query = queryOperation(requests.name, {});
    const { followChanges } = await loaded(import('../live/follow.js'));
    const source = {
      session: requests.session,
      explained: (error: unknown) => requests.explained(error, {}),
      read: async (operation: object, stopped: AbortSignal) =>
        await requests.read<Record<string, unknown>>({ ...query, ...operation }, stopped),
    };
    const report = (changes: readonly StoredRow[] | undefined) => {
      if (changes) return this.#apply(changes);
      if (this.#hasBegun) return this.#reload();
      this.#hasBegun = true;
      begin();
    };
    await followChanges(source, report, signal);
  }

  #apply(changes: readonly StoredRow[]): void {
    const subsets = [...this.#subsets.values()];
    for (const row of changes) {
      const key = rowKeyOf(this.#requests.rows, row);
      const isDeleted = row.timestamp === undefined;
      const holders = isDeleted ? [] : subsets.filter((subset) => subset.has(row));
      // A row that goes from one subset to another stays.
      for (const subset of holders) this.#hold(subset, key, row);
      for (const subset of subsets) {
        subset.changed?.add(key);
        if (!holders.includes(subset)) this.#drop(subset, key);
      }
      for (const { etags } of this.#watches) etags.set(key, isDeleted ? '' : row.etag);
    }
    this.#flush();
    for (const { wake } of this.#watches) wake?.();
  }

  // Reads all subsets again, because the single changes are not known.
  async #reload(): Promise<void> {
    const subsets = [...this.#subsets.values()];
    // Does not wait for the receipts: they may wait for a write that waits for this reload.
    for (const subset of subsets) await this.#read(subset);
    if (subsets.some(({ isPrefix }) => isPrefix)) this.#sync.invalidateLoadedSubsets();
    this.#endWatches();
  }

  #hold(subset: Subset, key: string, row: StoredRow): void {
    if (!subset.has(row)) {
      this.#drop(subset, key);
      return;
    }
    const held = this.#rows.get(key);
    const isNew = !subset.keys.has(key);
    subset.keys.add(key);
    if (!held) {
      this.#rows.set(key, { row, holders: 1 });
      this.#batch.push({ type: 'insert', value: row });
      return;
    }
    if (isNew) held.holders++;
    if (held.row.etag === row.etag) return;
    held.row = row;
    this.#batch.push({ type: 'update', value: row });
  }

  #drop(subset: Subset, key: string): void {
    if (!subset.keys.delete(key)) return;
    const held = this.#rows.get(key)!;
    if (--held.holders > 0) return;
    this.#rows.delete(key);
    this.#batch.push({ type: 'delete', key });
  }

  // Gives the rows to TanStack DB. The receipts say when it shows them.
  #flush(receipts?: SyncAppliedReceipt[]): void {
    const batch = this.#batch;
    if (!batch.length || this.#stop.signal.aborted) return;
    this.#batch = [];
    this.#sync.begin();
    for (const message of batch) this.#sync.write(message);
    const receipt = this.#sync.commit();
    receipts?.push(receipt);
  }

  #fail(error: unknown): void {
    if (!this.#stop.signal.aborted) this.#sync.markError(error);
    this.end();
  }

  #endWatches(): void {
    for (const watch of this.#watches) {
      watch.isOver = true;
      watch.wake?.();
    }
  }
}
