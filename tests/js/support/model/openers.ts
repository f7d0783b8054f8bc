// openers.ts - accounts on one storage, some of which meet faults or die.

import { openAccount, type AccountOptions } from '../../../../js/src/index.js';
import { verify } from '../../../../js/src/recovery.js';
import type { TableServiceClient } from '../../../../js/src/client/table-service-client.js';
import type {
  Batch,
  CommitOptions,
  CommitResult,
  PageStorage,
  ReadRequest,
  Snapshot,
} from '../../../../js/src/storage/page-storage.js';

/**
 * What becomes of a commit: it is refused; nobody knows whether it was stored, though it was or was
 * not; or the process dies, before it is stored or after that.
 */
export const FATES = ['refused', 'lost', 'unanswered', 'dies before', 'dies after'] as const;
export type Fate = (typeof FATES)[number];

// The engine flushes after 200 ms without a write (StoreLimits::long_idle_ms).
const LONG_IDLE_MS = 300;

const DEAD = new Error('The process is dead.');

/** The storage of one process, which can fail and die. */
class MortalStorage implements PageStorage, Mortal {
  readonly #inner: PageStorage;
  readonly exclusively: PageStorage['exclusively'];
  isDead = false;
  #fate: Fate | undefined;
  #commitsLeft = 0;
  // Whether its last commit was a log record, which is not in pages yet.
  #isUnflushed = false;
  #onFlush = () => {};

  constructor(inner: PageStorage) {
    this.#inner = inner;
    if (!inner.exclusively) return;
    this.exclusively = (request, decide, options) => {
      if (this.isDead) return Promise.reject(DEAD);
      return inner.exclusively!(request, decide, options);
    };
  }

  get channel(): string | undefined {
    return this.#inner.channel;
  }

  /** Lets a fate meet the commit after so many others; or no commit, if there is none. */
  meet(fate: Fate | undefined, commitsLeft = 0): void {
    this.#fate = fate;
    this.#commitsLeft = commitsLeft;
  }

  /**
   * Waits until what it has stored last is in pages, or its fate has met it. Few rows may also stay
   * in the log, for which nobody waits longer than the engine does.
   */
  async flushed(): Promise<void> {
    const timer = setTimeout(() => this.#end(), LONG_IDLE_MS);
    while (this.#isUnflushed) await new Promise<void>((resolve) => (this.#onFlush = resolve));
    clearTimeout(timer);
  }

  #end(): void {
    this.#isUnflushed = false;
    this.#onFlush();
  }

  async read(request: ReadRequest): Promise<Snapshot> {
    if (this.isDead) throw DEAD;
    return await this.#inner.read(request);
  }

  async commit(batch: Batch, options?: CommitOptions): Promise<CommitResult> {
    if (this.isDead) return { outcome: 'unknown', cause: DEAD };
    const isMet = this.#fate !== undefined && this.#commitsLeft-- === 0;
    if (!isMet) return await this.#commit(batch, options);
    const fate = this.#fate!;
    this.#fate = undefined;
    this.#end();
    this.isDead = fate.startsWith('dies');
    if (fate === 'refused') return { outcome: 'refused', cause: new Error('It is refused.') };
    if (fate === 'unanswered' || fate === 'dies after') await this.#inner.commit(batch, options);
    return { outcome: 'unknown', cause: new Error(fate) };
  }

  async #commit(batch: Batch, options: CommitOptions | undefined): Promise<CommitResult> {
    const result = await this.#inner.commit(batch, options);
    if (result.outcome !== 'ok') return result;
    this.#isUnflushed = !batch.puts.some(([key]) => key === 'pages/root');
    if (!this.#isUnflushed) this.#end();
    return result;
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  destroy(): Promise<void> {
    return this.#inner.destroy();
  }
}

/** What may die: a storage in this thread, or a worker. */
export interface Mortal {
  readonly isDead: boolean;
  meet(fate: Fate | undefined, commitsLeft?: number): void;
  flushed(): Promise<void>;
}

/** An opened account, and what meets faults, if something does. */
export interface Opener {
  readonly account: TableServiceClient;
  readonly mortal: Mortal | undefined;
}

type Options = Omit<AccountOptions, 'storage' | 'worker'>;

/** Where accounts work. */
export interface Place {
  /** Opens an account that may die, or one that meets no faults. */
  open(isMortal: boolean, options: Options): Promise<Opener>;
  /**
   * If the accounts are remote, and so have the reads of the service alone: moves entities, or what
   * holds them. They keep their etags, or have new ones now, or are still on their way.
   */
  move?(to: number): Promise<'kept' | 'moved' | 'moving'>;
  /** What is wrong with the store, when all accounts are closed. */
  verify?(): Promise<unknown[]>;
  destroy(): Promise<void>;
}

/** Accounts in this thread. Each has a storage of its own, or all share one. */
export function placeOn(open: () => PageStorage): Place {
  // In a worker, a storage in memory can have no accounts in this thread.
  let isHere = true;
  return {
    async open(given, options) {
      const mortal = given && isHere ? new MortalStorage(open()) : undefined;
      const account = await openAccount({ ...options, storage: mortal ?? open() });
      isHere = !account.isInWorker;
      return { account, mortal };
    },
    verify: () => (isHere ? verify(open()) : Promise.resolve([])),
    destroy: () => open().destroy(),
  };
}
