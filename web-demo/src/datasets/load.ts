/**
 * Writes a dataset into its table, and keeps the page responsive.
 *
 * @module
 */

import type { TableClient, TableEntity, TableServiceClient, TransactionAction } from 'entitable';

import { isLocal } from '../explorer/limits.js';
import { importInto, type LoadOptions, type LoadProgress } from '../import-entities.js';
import { Pace } from '../pace.js';
import { toEntity, type Dataset } from './dataset.js';

/** The limit of the service for one transaction. */
const BATCH_SIZE = 100;

// How many transactions run at a time. Those that wait for a commit share the next one.
const IN_FLIGHT = 16;

/** Fetches what a dataset has. The result writes its rows, and then builds its indexes. */
export async function prepareSample(
  account: TableServiceClient,
  dataset: Dataset,
  signal: AbortSignal,
) {
  const rows = await fetchRows(dataset, signal);
  return async (table: TableClient, options: LoadOptions): Promise<LoadProgress> => {
    const progress = await loadRows(table, dataset, rows, options);
    const { table: tableName, indexes } = dataset;
    const needsIndexes = indexes && isLocal(account) && !options.signal.aborted;
    if (needsIndexes) await account.updateIndexes({ tableName, indexes });
    return progress;
  };
}

/** Fetches the rows of a dataset. */
async function fetchRows(dataset: Dataset, signal: AbortSignal): Promise<never[]> {
  const response = await fetch(dataset.url, { signal });
  if (!response.ok) throw new Error(`${dataset.url}: the host answered ${response.status}.`);
  return (await response.json()) as never[];
}

/**
 * Writes the rows of a large dataset as one import, and those of a small one as transactions. A
 * second load changes nothing, so a load that was stopped can be repeated.
 *
 * @returns how many entities were written, also if the signal stopped it.
 * @throws the error of the import, or of the first transaction that failed, after all others have
 * ended.
 */
function loadRows(
  table: TableClient,
  dataset: Dataset,
  rows: readonly never[],
  options: LoadOptions,
): Promise<LoadProgress> {
  if (!dataset.isLarge) return writeRows(table, dataset, rows, options);
  return importInto(table, entitiesOf(dataset, rows), 'Replace', options);
}

// In the order of their keys: an import then stores each entity only once.
function* entitiesOf(dataset: Dataset, rows: readonly never[]): Generator<TableEntity> {
  for (const [, indexes] of [...partitionsOf(dataset, rows)].sort(byKey)) {
    for (const index of indexes) yield toEntity(dataset, rows[index]!, index);
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

  // All share one iterator, and each takes the next batch from it. If one ends its loop early,
  // because it was stopped or has failed, it closes the iterator for all.
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

// A generator, because to create all entities at once would block the page.
function* batchesOf(dataset: Dataset, rows: readonly never[]): Generator<TransactionAction[]> {
  for (const indexes of partitionsOf(dataset, rows).values()) {
    for (let at = 0; at < indexes.length; at += BATCH_SIZE) {
      yield indexes
        .slice(at, at + BATCH_SIZE)
        .map((index) => ['upsert', toEntity(dataset, rows[index]!, index), 'Replace']);
    }
  }
}

// The rows of each partition, by their indexes in the file.
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
