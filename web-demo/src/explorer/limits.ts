/**
 * What an account cannot do. Accounts behind the REST API have no sums, order or live changes.
 *
 * @module
 */

import type { TableClient, TableServiceClient } from 'entitable';

/** Whether the store is on this side of the network, and does what the service cannot. */
export function isLocal(account: TableServiceClient | TableClient): boolean {
  return 'enforcedSchema' in account || 'aggregate' in account;
}

/** For people, where something is missing. */
export const REMOTE_LIMITS =
  'The service of this account has no order, no sums, no counts and no live changes. ' +
  'Entities are shown by their keys, as they were when they were read.';

/** What helps: the name of a button. */
export const REMOTE_REMEDY = 'To sort, search and chart them, choose “Sort and chart a copy”.';
