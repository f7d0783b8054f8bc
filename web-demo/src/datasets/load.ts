/**
 * Writes a dataset into its table, and keeps the page responsive.
 *
 * @module
 */

import type { TableClient, TableEntity, TableServiceClient } from 'entitable';

import { isLocal } from '../explorer/limits.js';
import { importInto } from '../import-entities.js';
import type { LoadOptions, LoadProgress } from '../load-progress.js';
import { toEntity, type Dataset } from './dataset.js';

/** Fetches what a dataset has. The result writes its rows, and then builds its indexes. */
export async function prepareSample(
  account: TableServiceClient,
  dataset: Dataset,
  signal: AbortSignal,
) {
  const rows = await fetchRows(dataset, signal);
  return async (table: TableClient, options: LoadOptions): Promise<LoadProgress> => {
    // A second load changes nothing, so a load that was stopped can be repeated.
    const progress = await importInto(table, entitiesOf(dataset, rows), 'Replace', options);
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

// In the order of their keys: an import then stores each entity only once.
function* entitiesOf(dataset: Dataset, rows: readonly never[]): Generator<TableEntity> {
  for (const [, indexes] of [...partitionsOf(dataset, rows)].sort(byKey)) {
    for (const index of indexes) yield toEntity(dataset, rows[index]!, index);
  }
}

const byKey = ([a]: [string, unknown], [b]: [string, unknown]) => (a < b ? -1 : 1);

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
