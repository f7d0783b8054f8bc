// counts.ts - what became of an account's commits, as its storage sees it.

import type { Batch, CommitResult, PageStorage } from '../../../js/src/storage/page-storage.js';

export interface Counts {
  commits: number;
  /** Commits that another one was faster than. */
  lost: number;
  folds: number;
  merges: number;
}

export function newCounts(): Counts {
  return { commits: 0, lost: 0, folds: 0, merges: 0 };
}

/** The same storage, which counts. */
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

// A fold puts base and root, a merge the root alone; a step of an import has a record, too.
function stepIn({ puts }: Batch): 'folds' | 'merges' | undefined {
  const keys = puts.map(([key]) => key);
  if (!keys.includes('pages/root') || keys.some((key) => /^log\/\d/.test(key))) return undefined;
  return keys.includes('log/base') ? 'folds' : 'merges';
}
