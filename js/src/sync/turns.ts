/**
 * When rounds begin. Of all tabs, one at a time has a round.
 *
 * @module
 */

import type { AccountSession } from '../core/account-session.js';
import { isNotNow } from './remote-table.js';
import { SyncSteps } from './steps.js';

/** What turns are made of. */
export interface TurnsOptions {
  /** In milliseconds. */
  readonly interval: number;
  readonly session: AccountSession;
  readonly tables: readonly string[];
  /**
   * Does a round. It returns an error instead of throwing it. A short round leaves other tabs their
   * turn, and asks for another one if it has not come to the end.
   */
  readonly round: (isShort: boolean) => Promise<Error | undefined>;
  /** Another tab has the turn. */
  readonly waits: () => Promise<void>;
}

interface Locks {
  request<T>(
    name: string,
    options: { ifAvailable?: boolean; steal?: boolean },
    work: (lock: unknown) => Promise<T>,
  ): Promise<T>;
}

// After a failure; each one doubles the wait, up to the longest.
const FIRST_WAIT_MS = 2000;
const LONGEST_WAIT_MS = 300_000;
// Several writes in a row are pushed together.
const WRITE_MS = 50;
const BUSY_MS = 1000;
// A round ends sooner, so a tab that has it for longer is frozen. Its late answers do no harm.
const FROZEN_MS = 120_000;
// A longer timer would end at once.
const MAX_TIMER_MS = 2 ** 31 - 1;

/** The rounds of one account in this page. */
export class Turns {
  readonly #options: TurnsOptions;
  #last: Promise<Error | undefined> = Promise.resolve(undefined);
  #isRunning = false;
  #isDue = false;
  #controller: AbortController | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;
  #busySince: number | undefined;
  #waiting: (() => void)[] = [];

  constructor(options: TurnsOptions) {
    this.#options = options;
  }

  get isStarted(): boolean {
    return this.#controller !== undefined;
  }

  start(): void {
    if (this.#controller) return;
    this.#controller = new AbortController();
    this.#listen('addEventListener');
    const { signal } = this.#controller;
    for (const table of this.#options.tables) this.#followWrites(table, signal).catch(() => {});
    this.begin();
  }

  async stop(): Promise<void> {
    this.#controller?.abort();
    this.#controller = undefined;
    this.#listen('removeEventListener');
    clearTimeout(this.#timer);
    await this.#last;
    this.#endWaits();
  }

  /** A round now, after the one that is under way. */
  async once(): Promise<Error | undefined> {
    return await this.#run(false);
  }

  /** Waits for the end of the next round; it begins soon, unless sync waits after a failure. */
  next(isSoon: boolean): Promise<void> {
    const ended = new Promise<void>((resolve) => this.#waiting.push(resolve));
    if (isSoon && this.#failures === 0) this.begin();
    return ended;
  }

  #endWaits(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  #listen(method: 'addEventListener' | 'removeEventListener'): void {
    globalThis[method]?.('online', this.begin);
    globalThis.document?.[method]('visibilitychange', this.#beginIfVisible);
  }

  readonly #beginIfVisible = (): void => {
    if (globalThis.document?.visibilityState === 'visible') this.begin();
  };

  /** A round soon. A request during a round leads to one more. */
  readonly begin = (): void => {
    if (!this.#controller) return;
    this.#isDue = true;
    if (!this.#isRunning) this.#loop().catch(() => {});
  };

  async #loop(): Promise<void> {
    clearTimeout(this.#timer);
    this.#isDue = false;
    const error = await this.#run(true);
    if (!this.#controller) return;
    if (this.#isDue && !error) return await this.#loop();
    this.#timer = setTimeout(this.begin, Math.min(this.#waitAfter(error), MAX_TIMER_MS));
  }

  #waitAfter(error: Error | undefined): number {
    const { interval } = this.#options;
    if (this.#busySince !== undefined) return BUSY_MS;
    if (!error) return interval;
    const longest = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** this.#failures++);
    const asked = isNotNow(error) ? error.retryAfterMs : interval;
    return Math.max(asked, longest * (1 - Math.random() / 2));
  }

  #run(isShort: boolean): Promise<Error | undefined> {
    const run = async () => {
      this.#isRunning = true;
      try {
        return await this.#inLock(isShort);
      } catch (error) {
        // Another tab has taken the lock.
        return error as Error;
      } finally {
        this.#isRunning = false;
        this.#endWaits();
      }
    };
    // One after another.
    return (this.#last = this.#last.then(run));
  }

  async #inLock(isShort: boolean): Promise<Error | undefined> {
    const { session, round, waits } = this.#options;
    const work = async () => {
      const error = await round(isShort);
      if (!error) this.#failures = 0;
      return error;
    };
    const { locks } = (globalThis.navigator ?? {}) as { locks?: Locks };
    if (!locks) return await work();
    const steps = new SyncSteps(session, this.#options.tables[0]!);
    const asked = await steps.take('ask').catch(() => {});
    // A round tells why the store cannot be asked.
    if (!asked) return await work();
    const since = (this.#busySince ??= Date.now());
    const steal = Date.now() - since > FROZEN_MS;
    const how = steal ? { steal } : { ifAvailable: isShort };
    return await locks.request(`entitable-sync-${asked.store}`, how, async (lock) => {
      if (!lock) {
        await waits();
        return undefined;
      }
      this.#busySince = undefined;
      return await work();
    });
  }

  // Waits for writes, and begins a round if there is something to push.
  async #followWrites(table: string, signal: AbortSignal): Promise<void> {
    const { session } = this.#options;
    const ignore = () => {};
    let position: string | undefined;
    while (!signal.aborted) {
      try {
        const wait = { kind: 'awaitChanges', table, position } as const;
        ({ position } = await session.request(wait, signal, ignore));
        // Until the first round, the table is not synced.
        const status = await new SyncSteps(session, table).take('status').catch(ignore);
        if (status?.partitions?.length) setTimeout(this.begin, WRITE_MS);
      } catch {
        // A round tells what is wrong.
        return;
      }
    }
  }
}
