/**
 * The import of some stores. It is loaded when an import begins.
 *
 * @module
 */

import { abortError } from '../../base/errors.js';
import { OpenedTables } from '../../client/account-tables.js';
import type { TableRequests } from '../../client/table-requests.js';
import type { Table } from '../../tables/table.js';
import { importStore, noted, type Job, type MarkedJob, type Marks } from './import-store.js';
import { marks } from './marks.js';
import type { StoreProgress } from './models.js';
import type { Place } from './place.js';
import { Source } from './source.js';

/**
 * Imports what earlier calls have left.
 *
 * @returns what was done with each store, in all calls.
 */
export async function importStores(
  place: Place,
  jobs: readonly Job[],
): Promise<Record<string, StoreProgress>> {
  const results: Record<string, StoreProgress> = {};
  const open: MarkedJob[] = [];
  for (const job of jobs.map((one) => ({ ...one, marks: marksBeside(one.table) }))) {
    const { signal } = job;
    if (signal?.aborted) throw abortError(signal);
    const { isDone, progress } = await noted(job);
    results[job.store] = progress;
    if (!isDone) open.push(job);
  }
  // eslint-disable-next-line entitable/arguments-before-await -- a database, which has no copy
  const source = open.length ? await Source.open(place) : undefined;
  if (!source) return results;
  try {
    for (const { store } of open) source.checkStore(store);
    for (const job of open) {
      await importStore(job, source, (progress) => {
        results[job.store] = progress;
        job.onProgress?.({ store: job.store, ...progress });
      });
    }
    return results;
  } finally {
    source.close();
  }
}

const opened = new WeakMap<object, Marks>();

/** The marks in the account of a table. */
function marksBeside({ requests }: Table): Marks {
  const { session, validator } = requests as unknown as TableRequests;
  const known = opened.get(session);
  if (known) return known;
  const { tables } = new OpenedTables(session, validator, { marks });
  const made = tables['marks'] as unknown as Marks;
  opened.set(session, made);
  return made;
}
