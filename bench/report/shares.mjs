// shares.mjs - the section about how Entitable spends its time.

import { PARTS } from '../profile.mjs';
import { median } from './figures.mjs';
import { table } from './tables.mjs';

const WORK = {
  points: 'point reads, one by one and a hundred at once',
  ranges: 'ranges of 100',
  scans: 'filter and count',
  merges: '100 merge-updates',
  batches: 'batches of 100',
  inserts: 'inserts, one by one and a thousand at once',
  load: 'bulk load',
};

/** The shares in the largest store that has a profile. */
export function sharesSection(runs) {
  const profiled = runs.findLast(({ run }) => run.engines.entitable?.shares?.length);
  if (!profiled) return undefined;
  const rounds = profiled.run.engines.entitable.shares;
  const rows = Object.entries(WORK).map(([work, what]) => [
    what,
    ...Object.keys(PARTS).map((part) => percent(median(rounds.map((round) => round[work][part])))),
  ]);
  return `## Where the time goes

${profiled.count.toLocaleString('en-US')} entities, by the sampling profiler of the browser, in percent of the time of the
page's thread. What the benchmark itself did is left out.

- *Module*: WebAssembly. *Script*: Entitable's JavaScript.
- *Browser's functions*: what these call, as requests of IndexedDB, events and promises.
- *Garbage collection*: with that of the benchmark.
- *Waiting*: for the process that has the databases.

${table(['', ...Object.values(PARTS)], rows)}`;
}

const percent = (share) => String(Math.round(share * 100));
