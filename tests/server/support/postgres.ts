// postgres.ts - databases in the PostgreSQL server of the suite (remote-servers.ts), and stores in
// them. A file whose tests crash the server starts its own.

import { randomUUID } from 'node:crypto';

import { Pool, type PoolConfig } from 'pg';
import { beforeAll, inject, onTestFinished } from 'vitest';

import { startPostgres } from '../../../scripts/lib/postgres.mjs';

export type PostgresServer = Awaited<ReturnType<typeof startPostgres>>;

interface Database {
  readonly url: string;
}

/** A new database for a test file. Roles, and lists of connections, are those of the server. */
export function useDatabase(): Database {
  const database = { url: '' };
  beforeAll(async () => {
    const name = `of-${randomUUID()}`;
    const pool = new Pool({ connectionString: inject('postgres'), max: 1 });
    await pool.query(`CREATE DATABASE "${name}"`);
    await pool.end();
    database.url = new URL(name, inject('postgres')).href;
  });
  return database;
}

/** Returns a pool that ends with the test. */
export function poolOf({ url }: Database, config: PoolConfig = {}): Pool {
  const pool = new Pool({ connectionString: url, ...config });
  // Connections end with the server. The storage listens, too, but only while it is open.
  pool.on('error', () => {});
  onTestFinished(() => pool.end());
  return pool;
}

let stores = 0;

/** A store name that no other test of this file has used. */
export const freshStore = () => `store-${++stores}`;
