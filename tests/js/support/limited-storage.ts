// limited-storage.ts - a storage whose database takes only short values and short batches, and
// which can crash between two commits.

import { memoryStorage } from '../../../js/src/storage/memory.js';
import type {
  Batch,
  CommitOptions,
  CommitResult,
  PageStorage,
  ReadRequest,
  Snapshot,
  StorageKey,
} from '../../../js/src/storage/page-storage.js';

export interface StorageLimits {
  readonly valueBytes: number;
  readonly batchBytes?: number;
}

/** Refuses what is beyond the limits. */
export class LimitedStorage implements PageStorage {
  readonly inner: PageStorage = memoryStorage();
  readonly limits: StorageLimits;
  commits = 0;

  /** Called before a commit with the number of the commits before it. */
  onCommit: ((commits: number, batch: Batch) => CommitResult | void) | undefined;

  /** Called before a read is answered. */
  onRead: (() => Promise<void>) | undefined;

  constructor(limits: StorageLimits) {
    this.limits = limits;
  }

  async read(request: ReadRequest): Promise<Snapshot> {
    const snapshot = await this.inner.read(request);
    await this.onRead?.();
    return snapshot;
  }

  async commit(batch: Batch, options?: CommitOptions): Promise<CommitResult> {
    const lengths = batch.puts.map(([, value]) => value.length);
    const { valueBytes, batchBytes = Infinity } = this.limits;
    const sum = lengths.reduce((one, other) => one + other, 0);
    if (sum > batchBytes || lengths.some((length) => length > valueBytes)) {
      return { outcome: 'refused', cause: new Error(`limits: ${lengths.join()}`) };
    }
    const before = this.commits++;
    return this.onCommit?.(before, batch) ?? this.inner.commit(batch, options);
  }

  list(): Promise<readonly StorageKey[]> {
    return this.inner.list!();
  }

  close(): Promise<void> {
    return this.inner.close();
  }

  destroy(): Promise<void> {
    return this.inner.destroy();
  }
}
