// counts.ts - counts the commits of an account by their outcomes.

import type { Batch, CommitResult, PageStorage } from '../../../js/src/storage/page-storage.js';

export interface Counts {
  commits: number;
  /** Commits that failed because another one was faster. */
  lost: number;
  flushes: number;
  compactions: number;
}

export function newCounts(): Counts {
  return { commits: 0, lost: 0, flushes: 0, compactions: 0 };
}

/** Returns the same storage, which counts. */
export function counted(storage: PageStorage, counts: Counts): PageStorage {
  const count = (batch: Batch, { outcome }: CommitResult) => {
    counts.commits++;
    if (outcome === 'moved') counts.lost++;
    const step = stepIn(batch);
    if (outcome === 'ok' && step) counts[step]++;
  };
  return {
    read: (request) => storage.read(request),
    async commit(batch, options) {
      const result = await storage.commit(batch, options);
      count(batch, result);
      return result;
    },
    async exclusively(request, decide, options) {
      const result = await storage.exclusively!(request, decide, options);
      if (result) counts.commits++;
      return result;
    },
    onStatus: (listener) => storage.onStatus!(listener),
    close: () => storage.close(),
    destroy: () => storage.destroy(),
  };
}

// A flush puts the checkpoint (`log/base`) and the manifest (`pages/root`), a compaction only the
// manifest. A step of an import has a log record, too.
function stepIn({ puts }: Batch): 'flushes' | 'compactions' | undefined {
  const keys = puts.map(([key]) => key);
  if (!keys.includes('pages/root') || keys.some((key) => /^log\/\d/.test(key))) return undefined;
  return keys.includes('log/base') ? 'flushes' : 'compactions';
}
