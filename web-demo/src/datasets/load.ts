/**
 * Writes a dataset into its table, as fast as the page can stay responsive.
 *
 * @module
 */

import type { ImportProgress, TableClient, TableEntity, TransactionAction } from 'entitable';

import { Pace } from '../pace.js';
import { toEntity, type Dataset } from './dataset.js';

/** The service takes no more in one transaction. */
const BATCH_SIZE = 100;

// Entities made between two looks at the clock.
const ENTITIES_A_LOOK = 256;

// Transactions that wait while one commit is on its way share the next.
const IN_FLIGHT = 16;

export interface LoadProgress {
  readonly loaded: number;
  readonly milliseconds: number;
}

export interface LoadOptions {
  /** Stops the load; what was written stays. */
  readonly signal: AbortSignal;
  onProgress(progress: LoadProgress): void;
}

/** Fetches the rows of a dataset. */
export async function fetchRows(dataset: Dataset, signal: AbortSignal): Promise<never[]> {
  const response = await fetch(dataset.url, { signal });
  if (!response.ok) throw new Error(`${dataset.url}: the host answered ${response.status}.`);
  return (await response.json()) as never[];
}

/**
 * Writes the rows; many of them as one import, few as transactions. Loading twice changes
 * nothing, so a load that was stopped can be taken up again.
 *
 * @returns what was written, also if the signal stopped it.
 * @throws what the import or the first transaction that failed threw, once nothing of it is
 * in flight.
 */
export function loadRows(
  table: TableClient,
  dataset: Dataset,
  rows: readonly never[],
  options: LoadOptions,
): Promise<LoadProgress> {
  const load = dataset.isLarge ? importRows : writeRows;
  return load(table, dataset, rows, options);
}

async function importRows(
  table: TableClient,
  dataset: Dataset,
  rows: readonly never[],
  { signal, onProgress }: LoadOptions,
): Promise<LoadProgress> {
  const start = performance.now();
  const progressOf = ({ stored }: ImportProgress): LoadProgress => ({
    loaded: stored,
    milliseconds: performance.now() - start,
  });
  try {
    const all = await table.importEntities(entitiesOf(dataset, rows), {
      mode: 'Replace',
      abortSignal: signal,
      onProgress: (progress) => onProgress(progressOf(progress)),
    });
    return progressOf(all);
  } catch (error) {
    // The error of an import that was stopped says how far it came.
    if (signal.aborted) return progressOf(error as ImportProgress);
    throw error;
  }
}

// In the order of their keys, in which they are stored for good at once.
async function* entitiesOf(dataset: Dataset, rows: readonly never[]): AsyncGenerator<TableEntity> {
  const pace = new Pace();
  let made = 0;
  for (const [, indexes] of [...partitionsOf(dataset, rows)].sort(byKey)) {
    for (const index of indexes) {
      if (made++ % ENTITIES_A_LOOK === 0) await pace.turn();
      yield toEntity(dataset, rows[index]!, index);
    }
  }
}

const byKey = ([a]: [string, unknown], [b]: [string, unknown]) => (a < b ? -1 : 1);

// Up to 100 of one partition at a time.
async function writeRows(
  table: TableClient,
  dataset: Dataset,
  rows: readonly never[],
  { signal, onProgress }: LoadOptions,
): Promise<LoadProgress> {
  const batches = batchesOf(dataset, rows);
  const start = performance.now();
  const pace = new Pace();
  let progress: LoadProgress = { loaded: 0, milliseconds: 0 };

  // Each takes the next batch from the one iterator that they share. Who leaves the loop
  // early, stopped or failed, closes the iterator for the others, too.
  const work = async () => {
    for (const batch of batches) {
      await pace.turn();
      if (signal.aborted) return;
      await table.submitTransaction(batch);
      const milliseconds = performance.now() - start;
      progress = { loaded: progress.loaded + batch.length, milliseconds };
      onProgress(progress);
    }
  };
  const outcomes = await Promise.allSettled(Array.from({ length: IN_FLIGHT }, work));
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  return progress;
}

// Entities are made when their turn comes: many at once would stop the page.
function* batchesOf(dataset: Dataset, rows: readonly never[]): Generator<TransactionAction[]> {
  for (const indexes of partitionsOf(dataset, rows).values()) {
    for (let at = 0; at < indexes.length; at += BATCH_SIZE) {
      yield indexes
        .slice(at, at + BATCH_SIZE)
        .map((index) => ['upsert', toEntity(dataset, rows[index]!, index), 'Replace']);
    }
  }
}

// The rows of each partition, by their places in the file.
function partitionsOf(dataset: Dataset, rows: readonly never[]): Map<string, number[]> {
  const partitions = new Map<string, number[]>();
  rows.forEach((row, index) => {
    const key = dataset.partitionKeyOf(row);
    const indexes = partitions.get(key);
    if (indexes) indexes.push(index);
    else partitions.set(key, [index]);
  });
  return partitions;
}
