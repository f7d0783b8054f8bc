/**
 * Takes connections from the pool, and notices when the server was lost.
 *
 * @module
 */

import { StatusListeners } from '../status-listeners.js';
import { isPassing, isRace, isRolledBack } from './failures.js';
import type { PostgresClient, PostgresPool, PostgresResult } from './pool.js';

/** Runs a text on a connection. Resolves to the result of its last statement. */
export type Run = (text: string, values?: unknown[]) => Promise<PostgresResult>;

type Work<T> = (run: Run, sendsAtOnce: boolean) => Promise<T>;

// A server that starts again, or gives its work to another one, takes less.
const PATIENCE_MS = 10_000;
const FIRST_WAIT_MS = 50;
const LONGEST_WAIT_MS = 1000;

// How long one attempt may take when nobody waits for the server any more.
const ATTEMPT_MS = 1000;

// Far more often than two commits of the same store can deadlock or collide.
const MOST_RACES = 20;

/** Connections of a pool, and what they tell about the server. */
export class Connections {
  readonly #pool: PostgresPool;
  readonly #listeners: StatusListeners;
  #server: string | undefined;
  #losses = 0;
  #isListening = false;

  // Until when calls wait for a server that was lost; undefined while it answers. It is the same
  // for all calls: an account makes one after another, and their waits would add up.
  #waitUntil: number | undefined;

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
   * Does `work` on a connection. It is done again if it fails because other transactions were under
   * way, or because its connection or the server was lost. Ten seconds after the server was lost,
   * and ten seconds after the call, it is not done again. Rejects with the last error.
   *
   * @param work - gets also whether the connection sends statements before earlier ones are
   * answered.
   * @param mayRepeat - whether `work` may be done again after it has failed.
   */
  async use<T>(work: Work<T>, mayRepeat = () => true): Promise<T> {
    const end = performance.now() + PATIENCE_MS;
    let races = 0;
    for (let wait = FIRST_WAIT_MS; ; wait = Math.min(2 * wait, LONGEST_WAIT_MS)) {
      const failures: unknown[] = [];
      try {
        return await this.#useOnce(await this.#connect(end, failures), work, failures);
      } catch (cause) {
        if (!failures.includes(cause) || !mayRepeat()) throw cause;
        if (isRace(cause)) {
          if (++races === MOST_RACES) throw cause;
          continue;
        }
        const until = Math.min(end, this.#waitUntil ?? end);
        const mayWait = this.#server !== undefined && isPassing(cause);
        if (!mayWait || performance.now() + wait > until) throw cause;
      }
      await new Promise<void>((resolve) => setTimeout(resolve, wait));
    }
  }

  // Notes the errors of statements in `failures`.
  async #useOnce<T>(client: PostgresClient, work: Work<T>, failures: unknown[]): Promise<T> {
    // Without a listener, the process would end. The statement under way is rejected, too.
    const ignore = () => undefined;
    client.on('error', ignore);
    // After an error it may be in the middle of a transaction, which ends with the connection.
    let isBroken = true;
    const run: Run = async (text, values) => {
      try {
        const result = await client.query(text, values);
        this.#reached();
        return Array.isArray(result) ? result.at(-1)! : result;
      } catch (cause) {
        failures.push(cause);
        if (isRolledBack(cause)) this.#reached();
        else this.#lose();
        throw cause;
      }
    };
    try {
      const result = await work(run, client.pipeline === true);
      isBroken = failures.length > 0;
      return result;
    } finally {
      client.removeListener('error', ignore);
      client.release(isBroken);
    }
  }

  // Notes the error in `failures`.
  async #connect(end: number, failures: unknown[]): Promise<PostgresClient> {
    this.#listen();
    const begin = performance.now();
    try {
      const connecting = this.#pool.connect();
      if (this.#server === undefined) return await connecting;
      const until = Math.min(end, this.#waitUntil ?? end);
      return await within(connecting, Math.max(until - begin, ATTEMPT_MS));
    } catch (cause) {
      failures.push(cause);
      if (isPassing(cause)) this.#miss(begin);
      throw cause;
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
    this.#miss(performance.now());
  };

  // The server does not answer since then.
  #miss(since: number): void {
    if (this.#waitUntil === undefined) this.#listeners.report('lost');
    this.#waitUntil ??= since + PATIENCE_MS;
  }

  #reached(): void {
    if (this.#waitUntil !== undefined) this.#listeners.report('reconnected');
    this.#waitUntil = undefined;
  }

  /** Removes the listener of the pool; the next use adds it again. */
  close(): void {
    if (this.#isListening) this.#pool.removeListener('error', this.#lose);
    this.#isListening = false;
  }
}

// A connection that comes too late goes back to the pool, for the next attempt.
async function within(connecting: Promise<PostgresClient>, ms: number): Promise<PostgresClient> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isLate = false;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      isLate = true;
      reject(new Error('no connection within the time limit'));
    }, ms);
  });
  connecting.then(
    (client) => isLate && client.release(),
    () => undefined,
  );
  return Promise.race([connecting, late]).finally(() => clearTimeout(timer));
}
