/**
 * A storage whose reads and commits are observed.
 *
 * @module
 */

import type {
  Batch,
  CommitResult,
  PageStorage,
  ReadRequest,
  Snapshot,
  StatusListener,
} from '../../storage/page-storage.js';

/** What sees the calls. */
export interface StorageObserver {
  /** Waits for a call that reads, and may change how it fails. */
  readonly reading: <T>(reading: Promise<T>) => Promise<T>;
  /** Takes what was read, and how many milliseconds that took. */
  readonly read?: (request: ReadRequest, snapshot: Snapshot, ms: number) => void;
  /** Takes a batch with its result, and how many milliseconds that took. */
  readonly committed: (result: CommitResult, batch: Batch, ms: number) => void;
}

/** The same storage, with the optional methods that it has. */
export function observedStorage(storage: PageStorage, observer: StorageObserver): PageStorage {
  const { reading, read, committed } = observer;
  return {
    async read(request) {
      const start = performance.now();
      const snapshot = await reading(storage.read(request));
      read?.(request, snapshot, performance.now() - start);
      return snapshot;
    },
    async commit(batch, options) {
      const start = performance.now();
      const result = await storage.commit(batch, options);
      committed(result, batch, performance.now() - start);
      return result;
    },
    ...(storage.exclusively && { exclusively: observedExclusively(storage, observer) }),
    get channel() {
      return storage.channel;
    },
    ...(storage.list && { list: () => storage.list!() }),
    ...(storage.onStatus && {
      onStatus: (listener: StatusListener) => storage.onStatus!(listener),
    }),
    close: () => storage.close(),
    destroy: () => storage.destroy(),
  };
}

function observedExclusively(
  storage: PageStorage,
  { reading, read, committed }: StorageObserver,
): NonNullable<PageStorage['exclusively']> {
  return async (request, decide, options) => {
    let start = performance.now();
    let batch: Batch | undefined;
    const decideSeen = (snapshot: Snapshot) => {
      const now = performance.now();
      read?.(request, snapshot, now - start);
      start = now;
      return (batch = decide(snapshot));
    };
    const result = await reading(storage.exclusively!(request, decideSeen, options));
    if (result) committed(result, batch!, performance.now() - start);
    return result;
  };
}
