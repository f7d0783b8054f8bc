// postgres.ts - stores in a PostgreSQL server.

import { Pool, type PoolConfig } from 'pg';
import { onTestFinished } from 'vitest';

import { startPostgres } from '../../../scripts/lib/postgres.mjs';

export type PostgresServer = Awaited<ReturnType<typeof startPostgres>>;

/** Returns a pool that ends with the test. */
export function poolOf({ url }: PostgresServer, config: PoolConfig = {}): Pool {
  const pool = new Pool({ connectionString: url, ...config });
  // Connections end with the server. The storage listens, too, but only while it is open.
  pool.on('error', () => {});
  onTestFinished(() => pool.end());
  return pool;
}

let stores = 0;

/** A store name that no other test of this file has used. */
export const freshStore = () => `store-${++stores}`;
