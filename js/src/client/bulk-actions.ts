/**
 * Changes of many entities as transactions of the service.
 *
 * @module
 */

import { MAX_TRANSACTION_PARTS } from '../base/limits.js';
import type { Operation } from '../core/frames.js';
import { hasRemovals } from '../entity/json.js';
import type { EntityKeys, GivenKeys } from '../entity/keys.js';
import { updateOperation } from '../entity/operations.js';
import type { AnyRequests } from './entity-requests.js';

/**
 * Returns a merge as an action of a transaction, or undefined if it is refused or takes more than
 * one request.
 */
export async function mergeAction(
  requests: AnyRequests,
  part: GivenKeys,
  etag: string,
): Promise<Operation | undefined> {
  const { name, rows } = requests;
  if (rows?.versions) return undefined;
  try {
    const entity = rows ? await rows.stored(part, true) : part;
    if (hasRemovals(entity)) return undefined;
    requests.check(entity, true);
    return updateOperation(name, entity, 'Merge', etag);
  } catch {
    // It is refused when it is written alone.
    return undefined;
  }
}

/** Returns the entities of each transaction, which has one partition. */
export function groupsOf<Item extends EntityKeys>(items: readonly Item[]): Item[][] {
  const groups: Item[][] = [];
  for (const item of items) {
    const last = groups.at(-1);
    const isFull = last?.length === MAX_TRANSACTION_PARTS;
    if (last && !isFull && last[0]!.partitionKey === item.partitionKey) last.push(item);
    else groups.push([item]);
  }
  return groups;
}
