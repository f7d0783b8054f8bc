/**
 * The first read of an engine. It begins while the module is still being compiled.
 *
 * @module
 */

import { inNextTurn } from '../base/next-turn.js';
import type { PageStorage, ReadRequest, Snapshot } from '../storage/page-storage.js';
import { commitsHere, Hints } from './hints.js';

// What every engine reads first: checkpoint, manifest and log, and copies of the pages that it
// needs next.
const FIRST: ReadRequest = { keys: ['log/base', 'pages/root', 'pages/0'], recordsAfter: 0 };

/** Holds a snapshot for the engine until it hears of a commit by another account. */
export class EarlyRead {
  /** The hints of the account. */
  readonly hints: Hints;
  readonly #isListening: boolean;
  readonly #stopListening: () => void;
  readonly #commits = commitsHere();
  #snapshot: Promise<Snapshot | undefined> | undefined;

  /** Begins the read, if the storage has hints. */
  constructor(storage: PageStorage) {
    this.hints = new Hints(storage);
    // Before the read: a commit that it does not see is followed by its hint.
    this.#stopListening = this.hints.on(this.drop);
    this.#isListening = this.hints.open() !== undefined;
    if (this.#isListening) this.#snapshot = readFirst(storage);
  }

  /**
   * Takes the snapshot; returns undefined if there is none for this request. The promise never
   * rejects; it resolves to undefined if the read failed.
   */
  take(request: ReadRequest): Promise<Snapshot | undefined> | undefined {
    const snapshot = this.#snapshot;
    if (!snapshot || !isFirst(request)) return undefined;
    this.drop();
    return this.#commits === commitsHere() ? snapshot : undefined;
  }

  /** Discards the snapshot. The engine then reads the storage itself. */
  readonly drop = (): void => {
    this.#snapshot = undefined;
  };

  /**
   * Discards the snapshot. So only a request that follows the opening gets it.
   * A later request gets the newest state.
   *
   * @param ms - after so long; by default, after this turn.
   */
  endSoon(ms?: number): void {
    if (!this.#isListening) return;
    const end = () => {
      this.drop();
      this.#stopListening();
    };
    if (ms) setTimeout(end, ms);
    else inNextTurn(end);
  }

  /** No account is opened. */
  end(): void {
    this.hints.close();
  }
}

// A failure is ignored: the engine reads again, and reports the failure of its own read.
async function readFirst(storage: PageStorage): Promise<Snapshot | undefined> {
  try {
    return await storage.read(FIRST);
  } catch {
    return undefined;
  }
}

const isFirst = ({ keys, recordsAfter }: ReadRequest): boolean =>
  recordsAfter === FIRST.recordsAfter && keys.join() === FIRST.keys.join();
