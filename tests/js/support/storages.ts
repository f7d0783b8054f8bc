// storages.ts - every storage that a test is run over, and storages that misbehave.

import { indexedDbStorage } from '../../../js/src/storage/indexeddb.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import type {
  Batch,
  CommitOptions,
  CommitResult,
  PageStorage,
  ReadRequest,
  Snapshot,
} from '../../../js/src/storage/page-storage.js';

let names = 0;

/** A database name that no other test, of this run or an earlier one, has used. */
export function freshName(): string {
  return `test-${crypto.randomUUID()}-${names++}`;
}

// A browser has no folders, and Node no IndexedDB.
const { freshFileStorage } =
  typeof indexedDB === 'undefined' ? await import('./file-storages.js') : {};

/** Where to keep things: each `open` makes a new, empty store. */
export const STORAGES: { adapter: string; open: () => PageStorage }[] = [
  { adapter: 'memory', open: memoryStorage },
  freshFileStorage
    ? { adapter: 'file', open: freshFileStorage }
    : { adapter: 'indexeddb', open: () => indexedDbStorage(freshName()) },
];

/** Passes everything on, counts it, and lets a test answer in the storage's place. */
export class WatchedStorage implements PageStorage {
  readonly inner: PageStorage;
  commits: Batch[] = [];
  reads: ReadRequest[] = [];
  options: (CommitOptions | undefined)[] = [];
  closed = 0;

  /** If set: what becomes of a commit, which then does not reach the storage. */
  onCommit: ((batch: Batch) => Promise<CommitResult> | undefined) | undefined;

  /** If set: what becomes of a read. */
  onRead: ((request: ReadRequest) => Promise<Snapshot> | undefined) | undefined;

  // Tests that want one give it one.
  exclusively?: PageStorage['exclusively'];

  constructor(inner: PageStorage = memoryStorage()) {
    this.inner = inner;
  }

  async read(request: ReadRequest): Promise<Snapshot> {
    this.reads.push(request);
    return this.onRead?.(request) ?? this.inner.read(request);
  }

  async commit(batch: Batch, options?: CommitOptions): Promise<CommitResult> {
    this.commits.push(batch);
    this.options.push(options);
    return this.onCommit?.(batch) ?? this.inner.commit(batch, options);
  }

  async close(): Promise<void> {
    this.closed++;
    await this.inner.close();
  }

  destroy(): Promise<void> {
    return this.inner.destroy();
  }
}

/** The same, with the hints of the storage. */
export class WithHints extends WatchedStorage {
  readonly channel = this.inner.channel;
}
