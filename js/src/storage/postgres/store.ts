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
import {
  isCreated,
  isFull,
  isNotStored,
  isRace,
  isRolledBack,
  storageFailure,
} from './failures.js';
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
  write,
  type Append,
  type Place,
} from './statements.js';

/** Where the store is, and whether accounts of other processes hint to each other. */
export interface StoreSetting extends Place {
  readonly hints: boolean;
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
      .then(() => this.#connections.use(work, true))
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
    if (simple && server !== undefined) return this.#append(simple, server, losses);
    const { expect } = batch;
    const request = { keys: expect.map(([key]) => key) };
    const holds = ({ values }: Snapshot) =>
      expect.every(([, value], at) => sameBytes(value, values[at]));
    const decide = (snapshot: Snapshot) => (holds(snapshot) ? batch : undefined);
    const result = await this.#alone(request, decide, losses);
    if (result) return result;
    return this.#hasLostSight(losses) ? this.#unknown() : { outcome: 'moved' };
  }

  async #append(simple: Append, server: string, losses: number): Promise<CommitResult> {
    if (this.#hasLostSight(losses)) return this.#unknown();
    const text = append(this.#place, simple);
    const values = [simple.expected[1], simple.record[1], server];
    try {
      const { rows } = await this.#connections.use((run) => run(text, values));
      this.#connections.noteServer(String(rows[0]!['server']));
      if (this.#hasLostSight(losses)) return this.#unknown();
      return { outcome: Number(rows[0]!['stored']) === 1 ? 'ok' : 'moved' };
    } catch (cause) {
      return isNotStored(cause) ? resultFor(cause) : this.#unknown(cause);
    }
  }

  exclusively(
    given: ReadRequest,
    decide: (snapshot: Snapshot) => Batch | undefined,
  ): Promise<CommitResult | undefined> {
    const request = copyOfRequest(given);
    const losses = this.#losses;
    return this.#next(async () => {
      await this.#opened();
      return this.#alone(request, decide, losses);
    }).catch((cause: unknown) => Promise.reject(storageFailure(cause)));
  }

  // Rejects only before it calls `decide`, and calls that once.
  #alone(
    request: ReadRequest,
    decide: (snapshot: Snapshot) => Batch | undefined,
    losses: number,
  ): Promise<CommitResult | undefined> {
    return this.#connections.use(async (run) => {
      const snapshot = snapshotIn(await run(lockAndSelect(this.#place, request)), request);
      this.#connections.noteServer(snapshot.server);
      const decided = decide(snapshot);
      const batch = decided && copyOf(decided);
      if (batch && !this.#hasLostSight(losses)) return this.#store(run, batch);
      await run('ROLLBACK').catch(() => undefined);
      return batch && this.#unknown();
    });
  }

  // Never rejects, so that the transaction is not run again: `decide` is called once.
  async #store(run: Run, batch: Batch): Promise<CommitResult> {
    const writing = write(this.#place, batch);
    let isCommitting = false;
    try {
      if (writing) await run(writing.text, writing.values);
      isCommitting = true;
      const { command } = await run('COMMIT');
      if (command === 'COMMIT') return { outcome: 'ok' };
      return { outcome: 'refused', cause: new Error(`PostgreSQL answers COMMIT with ${command}.`) };
    } catch (cause) {
      // A connection that is lost before the COMMIT ends the transaction. Nobody knows how far a
      // COMMIT came whose answer is lost. A race is worth another attempt, which `unknown` causes.
      const isUnknown = isRace(cause) || (isCommitting && !isRolledBack(cause));
      return isUnknown ? this.#unknown(cause) : resultFor(cause);
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
    const isThere = () =>
      this.#connections.use(
        async (run) => (await run(findTable(this.#place))).rows[0]!['found'] !== null,
        true,
      );
    if (!(await isThere())) {
      try {
        await this.#connections.use((run) => run(createTable(this.#place)));
      } catch (cause) {
        // Another process may just have created it, whose role owns it.
        if (!isCreated(cause) && !(await isThere())) throw cause;
      }
    }
    this.#relay?.start();
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
      }, true);
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
