// The table of orders: one partition for each customer.

import { TableClient } from '@azure/data-tables';

export interface Order {
  product: string;
  count: number;
}

/** The table in the account that the setting TABLES names. */
export function ordersTable(): TableClient {
  const connection = process.env['TABLES'];
  if (!connection) throw new Error('The setting TABLES is missing.');
  // Only a server on this machine has an address with http:.
  return TableClient.fromConnectionString(connection, 'Orders', { allowInsecureConnection: true });
}
