/**
 * A store in PostgreSQL: how it reads and commits.
 *
 * Every commit has the lock of the store, from before it reads until after it is durable. So the
 * commits of all processes come one after another. A read is one statement, which sees only whole
 * commits.
 *
 * @module
 */

import { sameBytes } from '../bytes.js';
import type {
  Batch,
  CommitResult,
  PageStorage,
  ReadRequest,
  Snapshot,
  StatusListener,
  StorageKey,
} from '../page-storage.js';
import { StatusListeners } from '../status-listeners.js';
import { Connections, type Run } from './connections.js';
import { isCreated, isFull, isPassing, isRace, isRolledBack, storageFailure } from './failures.js';
import { HintRelay } from './hints.js';
import type { PostgresPool } from './pool.js';
import {
  append,
  appendIn,
  createTable,
  deleteAll,
  findTable,
  keyIn,
  list,
  lockAndSelect,
  select,
  snapshotIn,
  tuneTable,
  write,
  type Append,
  type Place,
} from './statements.js';

/** Where the store is, and whether accounts of other processes hint to each other. */
export interface StoreSetting extends Place {
  readonly hints: boolean;
}

// What a transaction reads, and what it stores then.
interface Decision {
  readonly request: ReadRequest;
  readonly decide: (snapshot: Snapshot) => Batch | undefined;
  /** The losses that the caller knew of. */
  readonly losses: number;
  readonly mayRepeat?: () => boolean;
}

/** The storage of one store. */
export class PostgresStorage implements PageStorage {
  readonly #place: Place;
  readonly #connections: Connections;
  readonly #relay: HintRelay | undefined;
  readonly #listeners = new StatusListeners();

  // Resolves when the table exists. Undefined before the first use and after `close()`.
  #table: Promise<void> | undefined;

  // The last commit. Commits are compared in the order of the calls.
  #last: Promise<unknown> = Promise.resolve();
  readonly #reads = new Set<Promise<unknown>>();

  // How often the server had been lost when an outcome was last unknown.
  #losses = 0;

  constructor(pool: PostgresPool, { table, store, hints }: StoreSetting) {
    this.#place = { table, store };
    this.#connections = new Connections(pool, this.#listeners);
    this.#relay = hints ? new HintRelay(pool, this.#place) : undefined;
  }

  get channel(): string | undefined {
    return this.#relay?.name;
  }

  read(given: ReadRequest): Promise<Snapshot> {
    const request = copyOfRequest(given);
    return this.#reading(async (run) => {
      const snapshot = snapshotIn(await run(select(this.#place, request)), request);
      this.#connections.noteServer(snapshot.server);
      return snapshot;
    });
  }

  list(): Promise<StorageKey[]> {
    return this.#reading(async (run) => (await run(list(this.#place))).rows.map(keyIn));
  }

  async #reading<T>(work: (run: Run) => Promise<T>): Promise<T> {
    const reading = this.#opened()
      .then(() => this.#connections.use(work))
      .catch((cause: unknown) => Promise.reject(storageFailure(cause)));
    this.#reads.add(reading);
    return reading.finally(() => this.#reads.delete(reading));
  }

  commit(given: Batch): Promise<CommitResult> {
    // Before the first await: the caller may reuse its buffers.
    const batch = copyOf(given);
    const losses = this.#losses;
    return this.#next(() => this.#commit(batch, losses)).catch(resultFor);
  }

  async #commit(batch: Batch, losses: number): Promise<CommitResult> {
    await this.#opened();
    const { server } = this.#connections;
    const simple = appendIn(batch);
    if (simple && server !== undefined && !this.#hasLostSight(losses)) {
      return this.#append(simple, server, losses);
    }
    const { expect } = batch;
    const request = { keys: expect.map(([key]) => key) };
    const decide = ({ values }: Snapshot) =>
      expect.every(([, value], at) => sameBytes(value, values[at])) ? batch : undefined;
    const result = await this.#alone({ request, decide, losses });
    if (result) return result;
    return this.#hasLostSight(losses) ? this.#unknown() : { outcome: 'moved' };
  }

  // The statement may be repeated: if the number of the record is taken, it stores nothing. The
  // outcome is then unknown, because a connection was lost, and the account searches the record.
  async #append(simple: Append, server: string, losses: number): Promise<CommitResult> {
    const text = append(this.#place, simple);
    const values = [simple.expected[1], simple.record[1], server];
    let mayBeStored = false;
    const work = (run: Run) =>
      run(text, values).catch((cause: unknown) => {
        mayBeStored ||= !isRolledBack(cause);
        throw cause;
      });
    try {
      const { rows } = await this.#connections.use(work);
      this.#connections.noteServer(String(rows[0]!['server']));
      if (this.#hasLostSight(losses)) return this.#unknown();
      return { outcome: Number(rows[0]!['stored']) === 1 ? 'ok' : 'moved' };
    } catch (cause) {
      return mayBeStored ? this.#unknown(cause) : resultFor(cause);
    }
  }

  exclusively(
    given: ReadRequest,
    decide: (snapshot: Snapshot) => Batch | undefined,
  ): Promise<CommitResult | undefined> {
    const request = copyOfRequest(given);
    const losses = this.#losses;
    let isDecided = false;
    let batch: Batch | undefined;
    const decideOnce = (snapshot: Snapshot) => {
      isDecided = true;
      const decided = decide(snapshot);
      return (batch = decided && copyOf(decided));
    };
    return this.#next(async () => {
      await this.#opened();
      try {
        const mayRepeat = () => !isDecided;
        return await this.#alone({ request, decide: decideOnce, losses, mayRepeat });
      } catch (cause) {
        if (!batch) throw storageFailure(cause);
        // Nothing is stored. Others may commit before the next attempt, so that one compares.
        const result = await this.#again(batch, losses, cause);
        return result.outcome === 'moved' ? this.#unknown() : result;
      }
    }).catch((cause: unknown) => Promise.reject(storageFailure(cause)));
  }

  async #again(batch: Batch, losses: number, cause: unknown): Promise<CommitResult> {
    if (!isPassing(cause) && !isRace(cause)) return resultFor(cause);
    return this.#commit(batch, losses).catch(resultFor);
  }

  // Rejects only if nothing is stored.
  #alone({ request, decide, losses, mayRepeat }: Decision): Promise<CommitResult | undefined> {
    return this.#connections.use(async (run, sendsAtOnce) => {
      const snapshot = snapshotIn(await run(lockAndSelect(this.#place, request)), request);
      this.#connections.noteServer(snapshot.server);
      const batch = decide(snapshot);
      if (batch) return this.#store({ run, sendsAtOnce }, batch, losses);
      await run('ROLLBACK').catch(() => undefined);
      return undefined;
    }, mayRepeat);
  }

  // Other processes wait meanwhile. So a connection that can do so sends the end of the transaction
  // behind the write; if the write fails, the server answers COMMIT with ROLLBACK.
  async #store(
    { run, sendsAtOnce }: { run: Run; sendsAtOnce: boolean },
    batch: Batch,
    losses: number,
  ): Promise<CommitResult> {
    const writing = write(this.#place, batch);
    const written = writing && run(writing.text, writing.values);
    if (!sendsAtOnce) await written;
    // The account reads the log, and calls again. It is not to do so if the server refuses writes:
    // the first call would then have an unknown outcome, though nothing was committed.
    const isBlind = this.#hasLostSight(losses);
    try {
      const [{ command }] = await Promise.all([run(isBlind ? 'ROLLBACK' : 'COMMIT'), written]);
      if (isBlind) return this.#unknown();
      if (command === 'COMMIT') return { outcome: 'ok' };
      return { outcome: 'refused', cause: new Error(`PostgreSQL answers COMMIT with ${command}.`) };
    } catch (cause) {
      // Nobody knows how far a COMMIT came whose answer is lost.
      if (isBlind || isRolledBack(cause)) throw cause;
      return this.#unknown(cause);
    }
  }

  // A server that starts again may have lost commits. So may a server that takes the place of
  // another. So the outcome of the next commit is unknown, and of all commits that were called
  // before that outcome was reported. Their callers read the store.
  #hasLostSight(sinceLosses: number): boolean {
    return sinceLosses !== this.#connections.losses;
  }

  #unknown(cause?: unknown): CommitResult {
    this.#losses = this.#connections.losses;
    return { outcome: 'unknown', cause };
  }

  #next<T>(work: () => Promise<T>): Promise<T> {
    const next = this.#last.then(work, work);
    this.#last = next.catch(() => undefined);
    return next;
  }

  // Only the first use creates the table: its role may not have the right to do so.
  #opened(): Promise<void> {
    this.#table ??= this.#open().catch((cause: unknown) => {
      this.#table = undefined;
      throw cause;
    });
    return this.#table;
  }

  async #open(): Promise<void> {
    let table = await this.#findTable();
    if (table['found'] === null) {
      const creating = this.#connections.use((run) => run(createTable(this.#place)));
      const failure = await creating.then(
        () => undefined,
        (cause: unknown) => ({ cause }),
      );
      table = await this.#findTable();
      // Another process may just have created it, whose role owns it.
      if (failure && table['found'] === null && !isCreated(failure.cause)) throw failure.cause;
    }
    // The store works without. The next opening tries again.
    if (table['untuned'] === true) {
      await this.#connections.use((run) => run(tuneTable(this.#place))).catch(() => undefined);
    }
    this.#relay?.start();
  }

  async #findTable(): Promise<Record<string, unknown>> {
    return this.#connections.use(async (run) => (await run(findTable(this.#place))).rows[0]!);
  }

  onStatus(listener: StatusListener): () => void {
    return this.#listeners.add(listener);
  }

  async close(): Promise<void> {
    await Promise.allSettled([...this.#reads, this.#last]);
    await this.#relay?.stop();
    this.#connections.close();
    this.#table = undefined;
  }

  /** Removes the rows of this store. The table stays, because other stores may be in it. */
  async destroy(): Promise<void> {
    const nothing = { keys: [] };
    await this.#next(async () => {
      await this.#opened();
      await this.#connections.use(async (run) => {
        await run(lockAndSelect(this.#place, nothing));
        await run(deleteAll(this.#place));
        await run('COMMIT');
      });
    }).catch((cause: unknown) => Promise.reject(storageFailure(cause)));
    await this.close();
  }
}

// Of a transaction that was rolled back, or was never begun.
function resultFor(cause: unknown): CommitResult {
  return { outcome: isFull(cause) ? 'quota' : 'refused', cause: storageFailure(cause) };
}

const copyOfRequest = ({ keys, recordsAfter }: ReadRequest) => ({ keys: [...keys], recordsAfter });

const copyOf = ({ expect, puts, deletes }: Batch): Batch => ({
  expect: expect.map(([key, value]) => [key, value?.slice()]),
  puts: puts.map(([key, value]) => [key, value.slice()]),
  deletes: [...deletes],
});
