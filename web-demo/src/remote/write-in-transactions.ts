/**
 * Writes many entities behind the REST API, each only if it is still as it was: by transactions, so
 * that a hundred of them take one request. It is loaded with the first such change.
 *
 * @module
 */

import type { TableClient, TransactionAction } from 'entitable';

import { writeOne, type Write, type Written } from '../changes/write-one.js';
import { toEntity } from '../entity-draft.js';

// Of the service.
const MOST_ACTIONS = 100;

/** Where one entity is no longer as it was, the others of its transaction are written alone. */
export async function writeInTransactions(
  table: TableClient,
  writes: readonly Write[],
): Promise<Written[]> {
  const written = new Map<Write, Written>();
  const add = (some: readonly Write[], outcomes: readonly Written[]) =>
    some.forEach((write, at) => written.set(write, outcomes[at]!));
  for (const some of groupsOf(writes)) add(some, await writeGroup(table, some));
  return writes.map((write) => written.get(write)!);
}

async function writeGroup(table: TableClient, writes: readonly Write[]): Promise<Written[]> {
  const alone = () => Promise.all(writes.map((write) => writeOne(table, write)));
  // An action that deletes has no etag.
  if (writes.length === 1 || !writes[0]!.to) return alone();
  try {
    const { subResponses } = await table.submitTransaction(writes.map(actionOf));
    return subResponses.map(({ etag }) => ({ etag }));
  } catch {
    return alone();
  }
}

function actionOf({ from, to }: Write): TransactionAction {
  if (!from.entity) return ['create', toEntity(to!)];
  return ['update', toEntity(to!), 'Replace', { etag: from.etag! }];
}

// Each of one partition; deletions apart.
function groupsOf(writes: readonly Write[]): Write[][] {
  const groups: Write[][] = [];
  const open = new Map<string, Write[]>();
  for (const write of writes) {
    const id = `${write.to ? 'w' : 'd'}${(write.to ?? write.from.entity!).partitionKey}`;
    let group = open.get(id);
    if (!group || group.length === MOST_ACTIONS) groups.push((group = []));
    open.set(id, group);
    group.push(write);
  }
  return groups;
}
