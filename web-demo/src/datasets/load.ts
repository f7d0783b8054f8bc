/**
 * Writes a dataset into its table, as fast as the page can stay responsive.
 *
 * @module
 */

import type { TableClient, TransactionAction } from 'entitable';

import { Pace } from '../pace.js';
import { toEntity, type Dataset } from './dataset.js';

/** The service takes no more in one transaction. */
const BATCH_SIZE = 100;

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
  const response = await fetch(dataset.file, { signal });
  if (!response.ok) throw new Error(`${dataset.file}: the host answered ${response.status}.`);
  return (await response.json()) as never[];
}

/**
 * Writes the rows, up to 100 of one partition at a time. Loading twice changes
 * nothing, so a load that was stopped can be taken up again.
 *
 * @returns what was written, also if the signal stopped it.
 * @throws what the first transaction that failed threw, after those in flight ended.
 */
export async function loadRows(
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

// Entities are made when their turn comes: 200,000 at once would stop the page.
function* batchesOf(dataset: Dataset, rows: readonly never[]): Generator<TransactionAction[]> {
  const partitions = new Map<string, number[]>();
  rows.forEach((row, index) => {
    const key = dataset.partitionKeyOf(row);
    const indexes = partitions.get(key);
    if (indexes) indexes.push(index);
    else partitions.set(key, [index]);
  });
  for (const indexes of partitions.values()) {
    for (let at = 0; at < indexes.length; at += BATCH_SIZE) {
      yield indexes
        .slice(at, at + BATCH_SIZE)
        .map((index) => ['upsert', toEntity(dataset, rows[index]!, index), 'Replace']);
    }
  }
}
