/**
 * Keeps tables of an account and of a remote account in sync.
 *
 * @module
 */

import { invalidInput } from '../base/errors.js';
import { loaded } from '../base/loaded.js';
import { checkedOptions } from '../base/options.js';
import { shown } from '../base/shown.js';
import type { OpenedAccount } from '../client/opened-account.js';
import { pause } from '../remote/exchange.js';
import { resolvedConflicts } from './conflicts.js';
import { Decisions } from './decisions.js';
import { call, errorOf, notPushed, rejection, stopped } from './failures.js';
import type {
  PendingRow,
  ResolvedConflict,
  SyncOptions,
  SyncStatus,
  SyncWarning,
} from './models.js';
import { checkedSync, openTables, type CheckedSync } from './open-tables.js';
import { isNotNow } from './remote-table.js';
import { countedIn, rowsOf, waitingIn, type Waiting } from './pending-rows.js';
import type { TableRounds } from './rounds.js';
import { ToldStatus } from './told-status.js';
import { Turns } from './turns.js';

const FORGET = { keepRows: 'boolean', discard: 'boolean' } as const;
// A round ends after this time, and the next one goes on, so that other tabs have a turn.
const MAX_ROUND_MS = 30_000;
const LONGEST_PAUSE_MS = 10_000;
const LONGEST_WAIT_MS = 180_000;

/**
 * Puts tables under sync with a remote account: what is written here gets there, and what others
 * write there gets here. Nothing happens before `start()`, `once()`, `settled()` or `reconcile()`.
 * Declared tables have the names of the app; others must exist.
 *
 * @example
 * ```ts
 * const sync = syncTables(account, {
 *   remote: { url: 'https://contoso.table.core.windows.net', sas: () => fetchSas() },
 *   tables: { tasks: { partitions: [userId] } },
 * });
 * sync.start();
 * ```
 * @throws {@link TableError} `InvalidInput`, if an option is unknown, missing or wrong.
 */
export function syncTables(account: OpenedAccount, options: SyncOptions): AccountSync {
  return new AccountSync(account, checkedSync(options));
}

/** The sync of an account: `account.sync`, or from `syncTables()`. */
export class AccountSync {
  readonly #tables = new Map<string, TableRounds>();
  readonly #turns: Turns;
  readonly #account: OpenedAccount;
  #forgetClose: (() => void) | undefined;
  readonly #warningListeners = new Set<(warning: SyncWarning) => void>();
  readonly #warned = new Set<string>(); // In this round.
  #endsAt = Infinity;
  #unresolved: Error | undefined; // Of a resolver, in this round.
  #isStopping = false;
  #stops = 0; // How often it was stopped.
  readonly #decisions = new Decisions();
  readonly #status = new ToldStatus();

  /** @internal */
  constructor(account: OpenedAccount, options: CheckedSync) {
    this.#account = account;
    const tables = openTables(account, options, {
      status: this.#status,
      warn: (warning) => this.#warn(warning),
      fail: (error) => (this.#unresolved ??= errorOf(error)),
      isOver: () => this.#isStopping || Date.now() > this.#endsAt,
      isStopping: () => this.#isStopping,
      decide: async (decide) => {
        if (this.#isStopping) throw stopped();
        return await this.#decisions.make(decide);
      },
    });
    for (const rounds of tables) this.#tables.set(rounds.table.steps.table, rounds);
    this.#turns = new Turns({
      interval: options.interval,
      session: account.session,
      tables: [...this.#tables.keys()],
      round: this.#round,
      waits: () => this.#count('waiting'),
    });
  }

  /** @internal Vue makes no proxy of it, which could not read its private members. */
  get __v_skip(): boolean {
    return true;
  }

  /** What sync is doing. */
  get status(): SyncStatus {
    return this.#status.value;
  }

  /**
   * Syncs from now on: at once, after writes, when the network is back, when the page becomes
   * visible, and at the interval. It ends with the account.
   */
  start(): void {
    this.#isStopping = false;
    this.#turns.start();
    this.#forgetClose ??= this.#account.session.beforeClose(() => void this.stop().catch(() => {}));
  }

  /**
   * Ends that, and waits for the round that is under way, but not for a function that decides a
   * conflict: the conflict comes again. Everything that is stored stays.
   */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#stops++;
    this.#decisions.abandon();
    this.#forgetClose?.();
    this.#forgetClose = undefined;
    await this.#turns.stop();
    this.#status.tell({ state: 'stopped' });
  }

  /**
   * Fetches and sends what there is, once.
   *
   * @throws {@link TableError} with the code of the service; `StorageUnavailable`, if the remote
   * account does not answer; `TableNotFound`, if a table is missing here, or was deleted there;
   * `HeadersHidden`; the error of a resolver; an `AbortError`, if `stop()` is called;
   * `InvalidInput`, while a function decides a conflict: the round waits for it.
   */
  async once(): Promise<void> {
    this.#decisions.checkNone('once');
    this.#isStopping = false;
    const error = await this.#turns.once();
    if (error) throw isNotNow(error) ? error.cause : error;
  }

  /**
   * Calls a function with the status, now and whenever it changes.
   *
   * @returns a function that ends that.
   */
  subscribe(listener: (status: SyncStatus) => void): () => void {
    return this.#status.subscribe(listener);
  }

  /**
   * Calls a function with each warning: a row that cannot be stored here, or that the remote
   * account has set back.
   *
   * @returns a function that ends that.
   */
  onWarning(listener: (warning: SyncWarning) => void): () => void {
    this.#warningListeners.add(listener);
    return () => void this.#warningListeners.delete(listener);
  }

  /**
   * Waits until the remote account has all that was written here before this call. Rows outside the
   * synced partitions are never sent, so it does not wait for them.
   *
   * @throws {@link TableError} `RowsRejected`, if it refuses rows; `InvalidInput`, while a function
   * decides a conflict. Unless sync was started: as `once()`; and after three minutes
   * `TableSynced`, if rows wait for something else, such as an enforced schema. A sync that was
   * started goes on trying. An `AbortError`, if `stop()` or `forget()` is called.
   */
  async settled(): Promise<void> {
    this.#decisions.checkNone('settled');
    const stops = this.#stops;
    const waiting = async () => {
      if (this.#stops !== stops) throw stopped();
      return await waitingIn(this.#tables.values());
    };
    for (const rounds of this.#tables.values()) await rounds.prepare();
    const isInside = ({ partitionKey, table }: Waiting) => table.isInside(partitionKey);
    const numbers = new Set((await waiting()).filter(isInside).map(({ number }) => number));
    const giveUpAt = performance.now() + LONGEST_WAIT_MS;
    for (let tries = 0; ; tries++) {
      const left = (await waiting()).filter(({ number }) => numbers.has(number));
      const rejected = left.find(({ isRejected }) => isRejected);
      if (rejected) throw rejection(rejected);
      if (left.length === 0) return;
      if (this.#turns.isStarted) {
        await this.#turns.next(tries === 0);
      } else {
        // Rows may have to wait, for two minutes at most. After that, only a write can help.
        if (performance.now() > giveUpAt) throw notPushed(left[0]!.table.name, left[0]!);
        if (tries > 0) await pause(Math.min(1000 * tries, LONGEST_PAUSE_MS), undefined);
        if (this.#stops === stops) await this.once();
      }
    }
  }

  /**
   * Returns the rows of a table that the remote account does not have yet, also those outside the
   * partitions that are synced. A table that is not under sync yet has none.
   *
   * @throws {@link TableError} `InvalidInput`, if the table is not one of this sync.
   */
  async pending(table: string): Promise<PendingRow[]> {
    return rowsOf(await this.#rounds(table).pending());
  }

  /**
   * Calls a function with the rows of `pending()` that are inside the synced partitions, soon and
   * whenever they change, also by another tab. Changes of one moment lead to one call. A table that
   * is not under sync yet has none.
   *
   * @param onError - called with the error that has ended it. Without it, the error is an uncaught
   * one. There is none when the account is closed.
   * @returns a function that ends that.
   * @throws {@link TableError} `InvalidInput`, if the table is not one of this sync.
   */
  subscribePending(
    table: string,
    listener: (rows: readonly PendingRow[]) => void,
    onError?: (error: unknown) => void,
  ): () => void {
    const source = { session: this.#account.session, rounds: this.#rounds(table), sync: this };
    const stop = new AbortController();
    // eslint-disable-next-line @typescript-eslint/no-floating-promises -- the host reports it
    void loaded(import('./watch-pending.js'))
      .then(({ watchPending }) => watchPending(source, listener, stop.signal))
      .catch(onError);
    return () => stop.abort();
  }

  /**
   * Sends all rows of a table again that the remote account has refused, such as after it accepts
   * another credential.
   *
   * @throws {@link TableError} `InvalidInput`, if the table is not one of this sync.
   */
  async retry(table: string): Promise<void> {
    await this.#rounds(table).retry();
    await this.#count();
    this.#turns.begin();
  }

  /**
   * Takes a row back to what the remote account has, together with all rows that were written in
   * the same transactions.
   *
   * @throws {@link TableError} `InvalidInput`, if the table is not one of this sync, or is not
   * under sync yet.
   */
  async discard(table: string, partitionKey: string, rowKey: string): Promise<void> {
    await this.#rounds(table).table.steps.take('discard', { partitionKey, rowKey });
    await this.#count();
  }

  /**
   * Returns the conflicts that were resolved and not confirmed, the oldest first.
   *
   * @throws {@link TableError} `InvalidInput`, if the table is not one of this sync.
   */
  async conflicts(table: string): Promise<ResolvedConflict[]> {
    return await this.#rounds(table).ifSynced(resolvedConflicts, []);
  }

  /**
   * Forgets a conflict.
   *
   * @param id - as in `conflicts()`.
   * @throws {@link TableError} `InvalidInput`, if the table is not one of this sync.
   */
  async confirm(table: string, id: string): Promise<void> {
    await this.#rounds(table).table.steps.take('confirm', { number: id });
  }

  /**
   * Looks at once for rows that were deleted in the remote account.
   *
   * @throws as `once()`.
   */
  async reconcile(table: string): Promise<void> {
    this.#decisions.checkNone('reconcile');
    this.#isStopping = false;
    this.#warned.clear();
    this.#endsAt = Infinity;
    await this.#rounds(table).reconcile();
  }

  /**
   * Ends the sync of all tables, and forgets its state.
   *
   * @param options - `keepRows`: the rows stay (default: they are deleted). `discard`: also if rows
   * are not pushed, resolved conflicts are not confirmed, or a table that was never synced has rows
   * (default: no).
   * @throws {@link TableError} `TableSynced`, in these cases without `discard`.
   */
  async forget(options: { keepRows?: boolean; discard?: boolean } = {}): Promise<void> {
    const { keepRows = false, discard = false } = checkedOptions('forget', options, FORGET);
    await this.stop();
    // All are checked before anything is deleted.
    for (const check of [true, false]) {
      for (const { table } of this.#tables.values()) {
        await table.steps.take('stop', { keepRows, discard, check });
      }
    }
    for (const rounds of this.#tables.values()) rounds.forget();
    this.#status.tell({ pending: 0, rejected: 0, outside: 0, lastPull: undefined });
  }

  #rounds(name: string): TableRounds {
    const rounds = this.#tables.get(this.#account.tableNameOf(name));
    if (!rounds) throw invalidInput(`${shown(name)} is not a table of this sync.`);
    return rounds;
  }

  // A round of each table. Returns the first error; that of a resolver only if there is no other,
  // because it does not end the round.
  readonly #round = async (isShort: boolean): Promise<Error | undefined> => {
    this.#endsAt = isShort ? Date.now() + MAX_ROUND_MS : Infinity;
    this.#status.begun();
    await this.#count().catch(() => {});
    this.#unresolved = undefined;
    this.#warned.clear();
    let failure: Error | undefined;
    for (const rounds of this.#tables.values()) {
      try {
        await rounds.run();
      } catch (error) {
        failure ??= errorOf(error);
      }
    }
    if (this.#isStopping) return stopped();
    if (Date.now() > this.#endsAt) this.#turns.begin();
    await this.#count().catch(() => {});
    failure ??= this.#unresolved;
    this.#status.ended(failure);
    return failure;
  };

  async #count(state?: SyncStatus['state']): Promise<void> {
    this.#status.tell({ ...(await countedIn(this.#tables.values())), ...(state && { state }) });
  }

  #warn(warning: SyncWarning): void {
    const text = JSON.stringify(warning);
    if (this.#warned.has(text)) return;
    this.#warned.add(text);
    for (const listener of this.#warningListeners) call(listener, warning);
  }
}
