/**
 * Lists tables, and the partitions of a table.
 *
 * @module
 */

import {
  odata,
  type TableEntityResultPage,
  type TableClient,
  type TableServiceClient,
} from 'entitable';

/** The names of all tables, in the order of the service. */
export async function listTableNames(account: TableServiceClient): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of account.listTables()) names.push(name!);
  return names;
}

/** The filter for one partition. */
export function partitionFilter(partitionKey: string): string {
  return odata`PartitionKey eq ${partitionKey}`;
}

/** Some partitions of a table, in order, and whether more follow. */
export interface PartitionPage {
  readonly keys: readonly string[];
  readonly hasMore: boolean;
}

/**
 * Finds up to `limit` partitions after a key, or from the first one on. Each query reads the first
 * entity after the last key found, so the time depends on the number of partitions alone.
 */
export async function listPartitions(
  table: TableClient,
  limit: number,
  after?: string,
): Promise<PartitionPage> {
  const keys: string[] = [];
  for (let last = after; ; last = keys.at(-1)) {
    const next = await firstPartition(table, last);
    if (next === undefined) return { keys, hasMore: false };
    if (keys.length === limit) return { keys, hasMore: true };
    keys.push(next);
  }
}

async function firstPartition(table: TableClient, after?: string): Promise<string | undefined> {
  const filter = after === undefined ? undefined : odata`PartitionKey gt ${after}`;
  const pages = table.listEntities({ filter, select: ['PartitionKey'] }).byPage({ maxPageSize: 1 });
  const page = (await pages.next()).value as TableEntityResultPage<object> | undefined;
  return page?.[0]?.partitionKey;
}
