/**
 * Moves one table: syncs it until nothing is left to do, and says what could not be done.
 *
 * @module
 */

import { abortError } from '../../base/errors.js';
import { isObject } from '../../base/kinds.js';
import type { TableServiceClient } from '../../client/table-service-client.js';
import { pause } from '../../remote/exchange.js';
import type { StoredConflict } from '../../sync/conflicts.js';
import type { SyncOptions, SyncTableOptions } from '../../sync/models.js';
import { SyncSteps, type PendingGroup } from '../../sync/steps.js';
import { syncTables, type AccountSync } from '../../sync/sync.js';

/** What to do with a table. */
export interface TableMoveOptions {
  readonly remote: SyncOptions['remote'];
  readonly table: string;
  readonly direction: 'both' | 'pull';
  /** Undefined: the whole table. */
  readonly partitions: readonly string[] | undefined;
  /** `report` leaves an entity that both sides have changed as it is. */
  readonly conflict: 'report' | 'merge' | 'local' | 'remote';
  /** Ends the move. */
  readonly signal: AbortSignal;
  /** Takes what is going on. */
  readonly show: (text: string) => void;
  /** Takes what needs attention. */
  readonly tell: (text: string) => void;
  /** Takes values that are nowhere else. Resolves when they are written. */
  readonly record: (text: string) => Promise<void>;
}

/** What was done. */
export interface MovedTable {
  readonly rows: number;
  /** Entities that were stored or deleted here. */
  readonly received: number;
  /** Changes that were sent, deletions too. */
  readonly sent: number;
  /** Whether both sides agree. */
  readonly isComplete: boolean;
}

/** The storage account did not answer several times in a row. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError';
}

export const isNoAnswer = (error: unknown): error is NoAnswerError =>
  isObject(error) && (error as Partial<Error>).name === 'NoAnswerError';

// The wait after the first failure. Each one doubles it.
const FIRST_WAIT_MS = 1000;
const MOST_FAILURES = 5;
// After a lost answer, the entities of the request may have to wait for two minutes.
const POLL_MS = 2000;
const LONGEST_WAIT_MS = 150_000;

// Thrown to the sync for a conflict that is only reported.
const LEFT_OPEN = new Error('both sides have changed an entity');

/**
 * Syncs a table, which must exist in the folder.
 *
 * @throws {@link NoAnswerError}; {@link TableError} with the code of the service or of the storage;
 * an `AbortError`, if the signal fires.
 */
export async function moveTable(
  account: TableServiceClient,
  options: TableMoveOptions,
): Promise<MovedTable> {
  const { signal } = options;
  if (signal.aborted) throw abortError(signal);
  const move = new TableMove(account, options);
  const stop = () => void move.stop().catch(() => {});
  signal.addEventListener('abort', stop);
  try {
    return await move.run();
  } finally {
    signal.removeEventListener('abort', stop);
    await move.stop();
  }
}

class TableMove {
  readonly #account: TableServiceClient;
  readonly #options: TableMoveOptions;
  readonly #sync: AccountSync;
  readonly #steps: SyncSteps;
  // The keys of entities that both sides have changed, and of their transactions.
  readonly #open = new Set<string>();
  readonly #leftOut = new Map<string, string>();
  // Rows of rounds that have ended, and of the one that is under way.
  readonly #done = { rows: 0, sent: 0 };
  #round = { rows: 0, sent: 0 };

  constructor(account: TableServiceClient, options: TableMoveOptions) {
    const { remote, table, direction, partitions, conflict } = options;
    this.#account = account;
    this.#options = options;
    this.#steps = new SyncSteps(account.session, table);
    const resolve: SyncTableOptions['conflict'] = ({ group }) => {
      for (const key of group) this.#open.add(textOf(key));
      throw LEFT_OPEN;
    };
    const how = { direction, partitions, conflict: conflict === 'report' ? resolve : conflict };
    this.#sync = syncTables(account, { remote, tables: { [table]: how } });
    this.#sync.onWarning(({ reason, ...key }) => this.#leftOut.set(textOf(key), reason));
    this.#sync.subscribe(({ progress }) => {
      if (progress) this.#round = progress;
      else this.#endRound();
      if (progress) this.#show();
    });
  }

  async run(): Promise<MovedTable> {
    // The reason may be gone, such as a signature that did not allow it.
    await this.#sync.retry(this.#options.table);
    await this.#syncUntilIdle();
    const isComplete = await this.#reportRest();
    await reportResolved(this.#steps, this.#options.record);
    const { received, sent } = this.#moved();
    const rows = await this.#account.tableClient(this.#options.table).countEntities();
    return { rows, received, sent, isComplete };
  }

  async stop(): Promise<void> {
    await this.#sync.stop();
  }

  #endRound(): void {
    this.#done.rows += this.#round.rows;
    this.#done.sent += this.#round.sent;
    this.#round = { rows: 0, sent: 0 };
  }

  #moved() {
    const { rows, sent } = this.#round;
    return { received: this.#done.rows + rows, sent: this.#done.sent + sent };
  }

  #show(more = ''): void {
    const { table, show } = this.#options;
    const { received, sent } = this.#moved();
    show(`${table}: ${counted(received)} received, ${counted(sent)} sent${more}`);
  }

  // Runs rounds until one moves nothing, and waits for rows that cannot be sent yet.
  async #syncUntilIdle(): Promise<void> {
    const { signal } = this.#options;
    for (let failures = 0, waited = 0; ;) {
      const before = this.#moved();
      const error = await this.#tryRound();
      const { received, sent } = this.#moved();
      const hasMoved = received + sent > before.received + before.sent;
      if (error) {
        failures = hasMoved ? 1 : failures + 1;
        if (failures === MOST_FAILURES) throw error;
        const wait = FIRST_WAIT_MS * 2 ** (failures - 1);
        this.#show(`; no answer, next try in ${wait / 1000} s`);
        await pause(wait, signal);
        continue;
      }
      failures = 0;
      if (hasMoved) waited = 0;
      const waiting = (await this.#rest()).waiting.length;
      if (waiting === 0 || waited > LONGEST_WAIT_MS) return;
      if (hasMoved) continue;
      this.#show(`; waiting to learn whether ${counted(waiting)} groups have arrived`);
      await pause(POLL_MS, signal);
      waited += POLL_MS;
    }
  }

  // Returns an error after which another try may succeed.
  async #tryRound(): Promise<NoAnswerError | undefined> {
    try {
      await this.#sync.once();
      return undefined;
    } catch (error) {
      if (error === LEFT_OPEN) return undefined;
      if (this.#sync.status.state !== 'offline' || this.#options.signal.aborted) throw error;
      return new NoAnswerError((error as Error).message, { cause: error });
    }
  }

  // The groups that the storage account does not have, by the reason.
  async #rest() {
    const { partitions } = this.#options;
    const groups = await this.#steps.pendingGroups();
    const isRefused = ({ isRejected }: PendingGroup) => isRejected;
    const refused = groups.filter(isRefused);
    const isOpen = (group: PendingGroup) => keysOf(group).some((key) => this.#open.has(key));
    // They wait for the refused group with the same rows.
    const isBehind = new Set(refused.flatMap(keysOf));
    const others = groups.filter((group) => !isRefused(group));
    const inside = others.filter(({ partitionKey: key }) => partitions?.includes(key) ?? true);
    return {
      refused,
      open: inside.filter(isOpen),
      waiting: inside.filter(
        (group) => !isOpen(group) && !keysOf(group).some((key) => isBehind.has(key)),
      ),
    };
  }

  async #reportRest(): Promise<boolean> {
    const { refused, open, waiting } = await this.#rest();
    const tell = (what: string, key: string) => this.#options.tell(`${what}: ${key}`);
    for (const group of refused) {
      for (const key of keysOf(group)) tell('refused', `${key}: ${inOneLine(group.error)}`);
    }
    for (const key of new Set(open.flatMap(keysOf))) tell('in conflict', key);
    for (const key of new Set(waiting.flatMap(keysOf))) tell('not sent yet', key);
    for (const [key, reason] of this.#leftOut) tell('left out', `${key}: ${reason}`);
    return refused.length + open.length + waiting.length + this.#leftOut.size === 0;
  }
}

/**
 * Reports the conflicts of a table that were resolved, with the values of all sides: at least one
 * of them is in no table any more. The folder keeps them until they are written.
 */
export async function reportResolved(
  steps: SyncSteps,
  record: TableMoveOptions['record'],
): Promise<void> {
  for (;;) {
    const { conflicts = [] } = await steps.take('conflicts', { number: '0' });
    if (conflicts.length === 0) return;
    for (const conflict of conflicts as unknown as readonly StoredConflict[]) {
      const { id, local, remote, result } = conflict;
      const [ours, theirs, now] = [local, remote, result].map((row) => JSON.stringify(row));
      await record(`resolved: ${textOf(conflict)}: local ${ours}, remote ${theirs}, now ${now}`);
      await steps.take('confirm', { number: id });
    }
  }
}

interface Key {
  readonly partitionKey: string;
  readonly rowKey: string;
}

// The whole key, because nobody could find an entity by a part of its key.
const textOf = ({ partitionKey, rowKey }: Key) =>
  `PartitionKey ${JSON.stringify(partitionKey)}, RowKey ${JSON.stringify(rowKey)}`;

const keysOf = ({ partitionKey, rowKeys }: PendingGroup) =>
  rowKeys.map((rowKey) => textOf({ partitionKey, rowKey }));

const inOneLine = (text: string) => text.replace(/\s+/g, ' ');

/** A number with commas. */
export const counted = (count: number): string => count.toLocaleString('en');

/** `1 entity`, or `1,200 entities`. */
export const countedEntities = (count: number): string =>
  `${counted(count)} ${count === 1 ? 'entity' : 'entities'}`;
