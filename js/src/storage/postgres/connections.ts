/**
 * Takes connections from the pool, and notices when the server was lost.
 *
 * @module
 */

import { StatusListeners } from '../status-listeners.js';
import { isPassing, isRace, isRolledBack, storageFailure } from './failures.js';
import type { PostgresClient, PostgresPool, PostgresResult } from './pool.js';

/** Runs a text on a connection. Resolves to the result of its last statement. */
export type Run = (text: string, values?: unknown[]) => Promise<PostgresResult>;

// A server that starts again, or gives its work to another one, takes less.
const PATIENCE_MS = 10_000;
const FIRST_WAIT_MS = 50;
const LONGEST_WAIT_MS = 1000;

// Far more often than two commits of the same store can deadlock or collide.
const MOST_RACES = 20;

/** Connections of a pool, and what they tell about the server. */
export class Connections {
  readonly #pool: PostgresPool;
  readonly #listeners: StatusListeners;
  #server: string | undefined;
  #losses = 0;
  #isLost = false;
  #isListening = false;

  constructor(pool: PostgresPool, listeners: StatusListeners) {
    this.#pool = pool;
    this.#listeners = listeners;
  }

  /** How often the server may have lost acknowledged commits. */
  get losses(): number {
    return this.#losses;
  }

  /** The server of the last statement; undefined before the first one. */
  get server(): string | undefined {
    return this.#server;
  }

  /** Notes which server has answered. A server that started again may have lost commits. */
  noteServer(server: string): void {
    if (this.#server !== undefined && this.#server !== server) this.#losses++;
    this.#server = server;
  }

  /**
   * Does `work` on a connection. Waits some seconds for a server that was there before. If `work`
   * fails because other transactions were under way, it is done again. Rejects with the error of
   * `work`, or with a `StorageUnavailable` if there is no connection.
   *
   * @param isRepeatable - whether `work` may be done again if its connection is lost.
   */
  async use<T>(work: (run: Run) => Promise<T>, isRepeatable = false): Promise<T> {
    const deadline = performance.now() + PATIENCE_MS;
    for (let races = 0; ;) {
      const failures: unknown[] = [];
      const client = await this.#connect(deadline);
      try {
        return await this.#useOnce(client, work, failures);
      } catch (cause) {
        const isAgain = isRace(cause)
          ? ++races < MOST_RACES
          : isRepeatable && isPassing(cause) && performance.now() < deadline;
        if (!isAgain || !failures.includes(cause)) throw cause;
      }
    }
  }

  // Notes the errors of statements in `failures`.
  async #useOnce<T>(
    client: PostgresClient,
    work: (run: Run) => Promise<T>,
    failures: unknown[],
  ): Promise<T> {
    // Without a listener, the process would end. The statement under way is rejected, too.
    const ignore = () => undefined;
    client.on('error', ignore);
    // After an error it may be in the middle of a transaction, which ends with the connection.
    let isBroken = true;
    const run: Run = async (text, values) => {
      try {
        const result = await client.query(text, values);
        return Array.isArray(result) ? result.at(-1)! : result;
      } catch (cause) {
        failures.push(cause);
        if (!isRolledBack(cause)) this.#lose();
        throw cause;
      }
    };
    try {
      const result = await work(run);
      isBroken = failures.length > 0;
      return result;
    } finally {
      client.removeListener('error', ignore);
      client.release(isBroken);
    }
  }

  async #connect(deadline: number): Promise<PostgresClient> {
    this.#listen();
    for (let wait = FIRST_WAIT_MS; ; wait = Math.min(2 * wait, LONGEST_WAIT_MS)) {
      try {
        const client = await this.#pool.connect();
        if (this.#isLost) this.#listeners.report('reconnected');
        this.#isLost = false;
        return client;
      } catch (cause) {
        const mayWait = this.#server !== undefined && isPassing(cause);
        if (!mayWait || performance.now() + wait > deadline) throw storageFailure(cause);
      }
      await new Promise<void>((resolve) => setTimeout(resolve, wait));
    }
  }

  // An idle connection of the pool ends with the server. Without a listener, the process would end.
  #listen(): void {
    if (this.#isListening) return;
    this.#isListening = true;
    this.#pool.on('error', this.#lose);
  }

  readonly #lose = (): void => {
    this.#losses++;
    if (!this.#isLost) this.#listeners.report('lost');
    this.#isLost = true;
  };

  /** Removes the listener of the pool; the next use adds it again. */
  close(): void {
    if (this.#isListening) this.#pool.removeListener('error', this.#lose);
    this.#isListening = false;
  }
}
