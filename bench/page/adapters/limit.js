// limit.js - measures the part of IndexedDB in the time of Entitable. It records the batches that
// Entitable stores for some work, and then stores the same batches again without the core.

import { indexedDbStorage } from '../../../dist/storage/indexeddb.js';

import { inserts, batches, merges } from '../workloads/writing.js';
import { load } from '../workloads/loading.js';
import { quantile, timed } from '../workloads/timing.js';
import { createAccount } from './account.js';

// In this order, because each work needs the data of those before.
const WORK = { load, merges, batches, inserts };

export default function createLimit({ name, assets }) {
  return {
    async limits(command) {
      const recorded = await record(command, { name: `${name}-source`, assets });
      const storage = indexedDbStorage(`${name}-again`);
      await storage.destroy();
      const times = {};
      for (const [work, commits] of Object.entries(recorded)) {
        times[work] = [];
        for (const batch of commits) {
          const ms = await timed(() => storeAgain(storage, batch));
          times[work].push({ ms, isRecord: isRecord(batch) });
        }
      }
      await storage.close();
      return figures(times, command);
    },
  };
}

async function record(command, options) {
  let commits;
  const recording = (storage) => {
    const commit = storage.commit.bind(storage);
    storage.commit = (batch, commitOptions) => {
      commits.push(copyOf(batch));
      return commit(batch, commitOptions);
    };
    return storage;
  };
  const entitable = createAccount(options, (name) => recording(indexedDbStorage(name)));
  const recorded = {};
  for (const [name, work] of Object.entries(WORK)) {
    commits = recorded[name] = [];
    await work(entitable, command);
  }
  await entitable.close();
  return recorded;
}

const copyOf = ({ expect, puts, deletes, ...more }) => ({
  expect: expect.map(([key, value]) => [key, value?.slice()]),
  puts: puts.map(([key, value]) => [key, value.slice()]),
  deletes: [...deletes],
  ...more,
});

async function storeAgain(storage, batch) {
  const { outcome } = await storage.commit(batch);
  if (outcome !== 'ok') throw new Error(`what was stored once is ${outcome} the second time`);
}

// Not a step of a flush, a compaction or an import.
const isRecord = ({ puts, deletes }) =>
  deletes.length === 0 && puts.length === 1 && puts[0][0].startsWith('log/');

function figures({ load: loaded, merges: merged, batches: batched, inserts: inserted }, { count }) {
  const sum = (times) => times.reduce((total, { ms }) => total + ms, 0);
  const median = (times) =>
    quantile(
      times.filter(({ isRecord }) => isRecord).map(({ ms }) => ms),
      0.5,
    );
  return {
    perSecond: (count / sum(loaded)) * 1000,
    mergeMs: median(merged),
    batchMs: median(batched),
    insertMs: median(inserted),
  };
}
