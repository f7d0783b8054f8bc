/**
 * One round of the sync of a table.
 *
 * @module
 */

import { isTableError } from '../base/errors.js';
import { forEachAtOnce } from '../base/at-once.js';
import { pull, pullWide, reconcile } from './pull.js';
import { push } from './push.js';
import type { SyncTableOptions } from './models.js';
import { ticksOfDate } from './remote-table.js';
import type { PendingGroup, SyncSteps } from './steps.js';
import { AT_ONCE, type TableSync } from './table-sync.js';

const WIDE_MS = 600_000;
const DAY_MS = 24 * 3600 * 1000;
// Up to so many rows, a reconcile is one request.
const SMALL = 1000;

// Also if the clock was set back meanwhile.
const isWithin = (ms: number, since: number) => Math.abs(Date.now() - since) < ms;

/** The rounds of one table. */
export class TableRounds {
  readonly table: TableSync;
  readonly #reconciles: SyncTableOptions['reconcile'];
  readonly #archivedAt: Date | undefined;
  #isReady: Promise<void> | undefined;
  // In the order of their next turn.
  readonly #scopes: (string | undefined)[];
  // By scope: when rows that became visible late were looked for.
  readonly #widePulledAt = new Map<string | undefined, number>();
  // By scope: when it was reconciled last, in this page.
  readonly #reconciledAt = new Map<string | undefined, number>();
  // By scope: how many rows of the remote account are known here.
  readonly #known = new Map<string | undefined, number>();

  constructor(table: TableSync, { reconcile, archivedAt }: SyncTableOptions) {
    this.table = table;
    this.#scopes = [...table.scopes];
    for (const scope of this.#scopes) this.#widePulledAt.set(scope, Date.now());
    this.#reconciles = reconcile;
    this.#archivedAt = archivedAt;
  }

  /** Of the table in this account. */
  get name(): string {
    return this.table.steps.table;
  }

  /**
   * Puts the table under sync, if it is not. Its rows are going to be pushed.
   *
   * @throws {@link TableError} `TableNotFound`; `TableSynced`, if it is synced with another remote
   * table, or is to be a copy and has rows of its own; as any write.
   */
  async prepare(): Promise<void> {
    const ready = (this.#isReady ??= this.#begin());
    try {
      await ready;
    } catch (error) {
      if (this.#isReady === ready) this.#isReady = undefined;
      throw error;
    }
  }

  async #begin(): Promise<void> {
    const { steps, isReadOnly, scopes } = this.table;
    const date = this.#archivedAt && ticksOfDate(this.#archivedAt);
    for (const scope of scopes) {
      await steps.take('start', { readOnly: isReadOnly, scope, date, ...this.#place });
    }
    while (!(await steps.take('adopt')).done);
  }

  get #place() {
    const { url, name } = this.table.remote;
    return { url, remoteTable: name };
  }

  /** The next round puts the table under sync again. */
  forget(): void {
    this.#isReady = undefined;
  }

  /**
   * Fetches and sends what there is.
   *
   * @throws {@link NotNow}; {@link TableError}.
   */
  async run(): Promise<void> {
    await this.prepare();
    const { table } = this;
    // Meanwhile, the table may be synced with another remote table.
    await table.steps.take('status', this.#place);
    table.undecided.clear();
    await this.#forEachScope(async (scope) => {
      await pull(table, scope);
      if (!table.isReadOnly) await this.#push(scope);
      await this.#pullWide(scope);
      await this.#reconcile(scope);
    });
    await this.#expire();
  }

  /** Looks for rows that were deleted in the remote account. */
  async reconcile(): Promise<void> {
    await this.prepare();
    await this.#forEachScope(async (scope) => void (await reconcile(this.#uncut, scope)));
  }

  // For what would begin anew in the next round.
  get #uncut(): TableSync {
    return { ...this.table, isOver: this.table.isStopping };
  }

  // Scopes that had no turn in a round come first in the next one.
  async #forEachScope(work: (scope: string | undefined) => Promise<void>): Promise<void> {
    const order = [...this.#scopes];
    await forEachAtOnce(order, AT_ONCE, async (scope) => {
      if (this.table.isOver()) return;
      this.#scopes.splice(this.#scopes.indexOf(scope), 1);
      this.#scopes.push(scope);
      await work(scope);
    });
  }

  async #push(scope: string | undefined): Promise<void> {
    const { partitions = [] } = await this.table.steps.take('status');
    const synced = partitions.filter((partition) => scope === undefined || scope === partition);
    await forEachAtOnce(synced, AT_ONCE, (partition) => push(this.table, scope, partition));
  }

  async #pullWide(scope: string | undefined): Promise<void> {
    const now = Date.now();
    if (this.table.isOver() || isWithin(WIDE_MS, this.#widePulledAt.get(scope)!)) return;
    await pullWide(this.#uncut, scope);
    if (!this.table.isStopping()) this.#widePulledAt.set(scope, now);
  }

  async #reconcile(scope: string | undefined): Promise<void> {
    const when = this.#reconciles;
    const last = this.#reconciledAt.get(scope);
    if (when === 'never' || this.table.isOver()) return;
    const isDaily =
      when === 'daily' || (when === undefined && (this.#known.get(scope) ?? 0) > SMALL);
    if (last !== undefined && isDaily && isWithin(DAY_MS, last)) return;
    const known = await reconcile(this.#uncut, scope);
    if (known === undefined) return;
    this.#known.set(scope, known);
    this.#reconciledAt.set(scope, Date.now());
  }

  // Drops what no longer counts.
  async #expire(): Promise<void> {
    let after: { afterPartitionKey: string; afterRowKey: string } | undefined;
    do {
      const { partitionKey, rowKey } = await this.table.steps.take('expire', after);
      after =
        partitionKey === undefined
          ? undefined
          : { afterPartitionKey: partitionKey, afterRowKey: rowKey! };
    } while (after && !this.table.isOver());
  }

  /** Rejected groups are sent again. */
  async retry(): Promise<void> {
    await this.ifSynced(async (steps) => {
      let place: string | undefined;
      do ({ place } = await steps.take('retry', { place }));
      while (place !== undefined);
    }, undefined);
  }

  /** The pending groups. */
  async pending(): Promise<PendingGroup[]> {
    return await this.ifSynced((steps) => steps.pendingGroups(), []);
  }

  /** Takes steps. A table that is not under sync has `none` of what they ask for, and stays so. */
  async ifSynced<T>(work: (steps: SyncSteps) => Promise<T>, none: T): Promise<T> {
    try {
      return await work(this.table.steps);
    } catch (error) {
      if (isTableError(error) && error.code === 'InvalidInput') return none;
      throw error;
    }
  }

  /** Whether rows of the partition are synced. */
  isInside(partitionKey: string): boolean {
    return this.table.scopes.some((scope) => scope === undefined || scope === partitionKey);
  }
}
