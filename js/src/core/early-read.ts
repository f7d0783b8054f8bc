/**
 * The first read of an engine. It begins while the module is still being compiled.
 *
 * @module
 */

import type { PageStorage, ReadRequest, Snapshot } from '../storage/page-storage.js';
import { commitsHere, Hints } from './hints.js';

// What every engine reads first: checkpoint, manifest and log, and copies of the pages that it
// needs next.
const FIRST: ReadRequest = { keys: ['log/base', 'pages/root', 'pages/0'], recordsAfter: 0 };

// An app asks for its first list once it has rendered, and a page once its worker has told that the
// account is opened. Whoever asks later gets the newest state, even if a hint was lost.
const FIRST_REQUEST_MS = 100;

/** Holds a snapshot for the engine until it hears of a commit by another account. */
export class EarlyRead {
  /** The hints of the account. */
  readonly hints: Hints;
  readonly #stopListening: () => void;
  readonly #commits = commitsHere();
  #snapshot: Promise<Snapshot | undefined> | undefined;
  #until = Infinity;

  /** Begins the read, if the storage has hints. */
  constructor(storage: PageStorage) {
    this.hints = new Hints(storage);
    // Before the read: a commit that it does not see is followed by its hint.
    this.#stopListening = this.hints.on(this.drop);
    if (this.hints.open()) this.#snapshot = readFirst(storage);
  }

  /**
   * Takes the snapshot; returns undefined if there is none for this request. The promise never
   * rejects; it resolves to undefined if the read failed.
   */
  take(request: ReadRequest): Promise<Snapshot | undefined> | undefined {
    const snapshot = this.#snapshot;
    if (!snapshot || !isFirst(request)) return undefined;
    this.drop();
    const isInTime = performance.now() <= this.#until;
    return isInTime && this.#commits === commitsHere() ? snapshot : undefined;
  }

  /** Discards the snapshot. The engine then reads the storage itself. */
  readonly drop = (): void => {
    this.#snapshot = undefined;
    this.#stopListening();
  };

  /** The account is opened: its first request gets the snapshot, unless it comes late. */
  opened(): void {
    this.#until = performance.now() + FIRST_REQUEST_MS;
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
