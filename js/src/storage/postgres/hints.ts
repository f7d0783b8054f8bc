/**
 * Hints between processes: an account has committed. Accounts of a process tell each other on a
 * `BroadcastChannel`. The relay passes that on to other processes by NOTIFY, and back.
 *
 * Hints may get lost. Behind a PgBouncer that shares connections between transactions, LISTEN hears
 * nothing. Followers of a table then find commits within five seconds.
 *
 * @module
 */

import { fnv1a } from '../../base/fnv.js';
import type { PostgresClient, PostgresPool } from './pool.js';
import type { Place } from './statements.js';

const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 60_000;

/** Relays hints between the processes of one store. */
export class HintRelay {
  /**
   * The name of the `BroadcastChannel`. Each relay has its own: accounts of another storage in this
   * process hear of a commit by NOTIFY.
   */
  readonly name = `entitable:postgres:${Math.random()}`;
  readonly #pool: PostgresPool;
  readonly #topic: string;
  #channel: BroadcastChannel | undefined;
  #client: PostgresClient | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #wait = FIRST_WAIT_MS;

  // A connection takes one statement at a time. One hint is for all commits since the last one.
  #isSending = false;
  #isDue = false;

  // The connection attempt under way; never rejects.
  #listening: Promise<void> = Promise.resolve();

  constructor(pool: PostgresPool, { table, store }: Place) {
    this.#pool = pool;
    this.#topic = `entitable_${(fnv1a(`${table}/${store}`) >>> 0).toString(16)}`;
  }

  /** Begins to relay. It keeps one connection of the pool, unless that has only one. */
  start(): void {
    const hasRoom = (this.#pool.options?.max ?? Infinity) > 1;
    if (this.#channel || !hasRoom || typeof BroadcastChannel === 'undefined') return;
    this.#channel = new BroadcastChannel(this.name);
    (this.#channel as { unref?: () => void }).unref?.();
    this.#channel.onmessage = () => {
      this.#isDue = true;
      // eslint-disable-next-line @typescript-eslint/no-floating-promises -- it never rejects
      void this.#send();
    };
    this.#listening = this.#listen();
  }

  async #listen(): Promise<void> {
    let client: PostgresClient | undefined;
    try {
      const made = (client = await this.#pool.connect());
      made.on('error', () => this.#forget(made));
      made.on('notification', ({ payload }) => {
        if (payload !== this.name) this.#channel?.postMessage(0);
      });
      made.unref?.();
      await made.query(`LISTEN ${this.#topic}`);
      this.#client = made;
      this.#wait = FIRST_WAIT_MS;
      // Something may have been committed here or elsewhere in the meantime.
      this.#channel?.postMessage(0);
      await this.#send();
    } catch {
      client?.release(true);
      this.#listenLater();
    }
  }

  async #send(): Promise<void> {
    if (this.#isSending) return;
    this.#isSending = true;
    for (let client; this.#isDue && (client = this.#client);) {
      this.#isDue = false;
      try {
        await client.query(`SELECT pg_notify('${this.#topic}', '${this.name}')`);
      } catch {
        this.#forget(client);
      }
    }
    this.#isSending = false;
  }

  #forget(client: PostgresClient): void {
    if (this.#client !== client) return;
    this.#client = undefined;
    client.release(true);
    this.#listenLater();
  }

  #listenLater(): void {
    if (!this.#channel) return;
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => {
      this.#listening = this.#listen();
    }, this.#wait);
    (this.#retry as { unref?: () => void }).unref?.();
    this.#wait = Math.min(2 * this.#wait, LONGEST_WAIT_MS);
  }

  async stop(): Promise<void> {
    this.#channel?.close();
    this.#channel = undefined;
    clearTimeout(this.#retry);
    await this.#listening;
    const client = this.#client;
    this.#client = undefined;
    client?.release(true);
  }
}
