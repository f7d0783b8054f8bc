/**
 * The first read of an engine, begun while its module is still compiled.
 *
 * @module
 */

import { inNextTurn } from '../base/next-turn.js';
import type { PageStorage, ReadRequest, Snapshot } from '../storage/page-storage.js';
import { commitsHere, Hints } from './hints.js';

// What every engine reads first: checkpoint, manifest and log.
const FIRST: ReadRequest = { keys: ['log/base', 'pages/root'], recordsAfter: 0 };

/** Holds a snapshot for the engine, as long as no other account is known to have committed. */
export class EarlyRead {
  /** Those of the account. */
  readonly hints: Hints;
  readonly #isListening: boolean;
  readonly #commits = commitsHere();
  #snapshot: Promise<Snapshot | undefined> | undefined;

  /** Begins the read, if the storage has hints. */
  constructor(storage: PageStorage) {
    this.hints = new Hints(storage);
    // Before the read: a commit that it does not see is followed by its hint.
    this.hints.heard = this.drop;
    this.#isListening = this.hints.open() !== undefined;
    if (this.#isListening) this.#snapshot = readFirst(storage);
  }

  /**
   * Takes the snapshot, or undefined, if there is none for this request. The promise never rejects;
   * it resolves to undefined, if the read failed.
   */
  take(request: ReadRequest): Promise<Snapshot | undefined> | undefined {
    const snapshot = this.#snapshot;
    if (!snapshot || !isFirst(request)) return undefined;
    this.drop();
    return this.#commits === commitsHere() ? snapshot : undefined;
  }

  /** The engine reads by itself. */
  readonly drop = (): void => {
    this.#snapshot = undefined;
  };

  /**
   * Drops the snapshot, and stops listening, after this turn. So only a request that follows the
   * opening at once gets it. A later one gets what is newest then.
   */
  endSoon(): void {
    if (!this.#isListening) return;
    inNextTurn(() => {
      this.drop();
      if (this.hints.heard === this.drop) this.end();
    });
  }

  /** Stops listening. */
  end(): void {
    this.hints.heard = undefined;
    this.hints.close();
  }
}

// Another failure than before may come with the read of the engine, which reports it.
async function readFirst(storage: PageStorage): Promise<Snapshot | undefined> {
  try {
    return await storage.read(FIRST);
  } catch {
    return undefined;
  }
}

const isFirst = ({ keys, recordsAfter }: ReadRequest): boolean =>
  recordsAfter === FIRST.recordsAfter && keys.join() === FIRST.keys.join();
