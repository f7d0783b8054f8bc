/**
 * Tells accounts in this browser from those behind the REST API.
 *
 * @module
 */

import type { TableClient, TableServiceClient } from 'entitable';

/** Whether the store is on this side of the network, and does what the service cannot. */
export function isLocal(account: TableServiceClient | TableClient): boolean {
  return 'enforcedSchema' in account || 'aggregate' in account;
}
