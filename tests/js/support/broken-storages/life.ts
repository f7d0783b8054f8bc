// life.ts - storages that break a rule about closing and destroying.

import type { Batch, ReadRequest } from '../../../../js/src/storage/page-storage.js';
import { PlainStorage, turn, broken, type BrokenStorage } from './plain-storage.js';

export const BROKEN_LIFE: readonly BrokenStorage[] = [
  broken(
    'forgets its values when it is closed',
    {
      async close(this: PlainStorage) {
        this.values.clear();
      },
    },
    'keeps its values when it is closed, and opens at the next use',
  ),
  broken(
    'cannot be used again after a close',
    {
      isClosed: false,
      async close(this: PlainStorage & { isClosed: boolean }) {
        this.isClosed = true;
      },
      async read(this: PlainStorage & { isClosed: boolean }, request: ReadRequest) {
        if (this.isClosed) throw new Error('closed');
        return PlainStorage.prototype.read.call(this, request);
      },
    },
    'keeps its values when it is closed, and opens at the next use',
    'can be closed before its first use',
    'ends calls that have begun before it closes',
  ),
  broken(
    'drops calls under way when it is closed',
    {
      closings: 0,
      async close(this: PlainStorage & { closings: number }) {
        this.closings++;
      },
      async commit(this: PlainStorage & { closings: number }, batch: Batch) {
        const before = this.closings;
        const copy = {
          ...batch,
          puts: batch.puts.map(([key, value]) => [key, value.slice()] as const),
        };
        await turn();
        if (before !== this.closings) return { outcome: 'refused' };
        return PlainStorage.prototype.commit.call(this, copy);
      },
    },
    'ends calls that have begun before it closes',
  ),
  broken(
    'keeps its values when it is destroyed',
    { destroy: async () => undefined },
    'is empty after it was destroyed, and works again',
    'can be destroyed when it is closed, was never used, or was destroyed',
  ),
  broken(
    'keeps the log when it is destroyed',
    {
      async destroy(this: PlainStorage) {
        for (const key of [...this.values.keys()]) {
          if (key.startsWith('pages')) this.values.delete(key);
        }
      },
    },
    'is empty after it was destroyed, and works again',
  ),
];
