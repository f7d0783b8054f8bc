/**
 * The driver of PostgreSQL. The build bundles it into a script of its own, which the command loads
 * only if it needs one.
 *
 * @module
 */

import { Pool } from 'pg';

import type { PostgresPool } from '../storage/postgres.js';

// A server that is gone without a word must not hold up requests for ever.
const CONNECT_MS = 10_000;
const STATEMENT_MS = 30_000;

const CONNECTIONS = 10;

/** The pool, without the types of the driver, which a user of the package does not have. */
export type ClosablePool = PostgresPool & { end(): Promise<void> };

/**
 * Makes a pool of connections.
 *
 * @param url - `postgres://user:password@host:port/database`, and options of `pg` as a query.
 * @param connections - how many it has at most.
 */
export function openPool(url: string, connections = CONNECTIONS): ClosablePool {
  const pool = new Pool({
    connectionString: url,
    max: connections,
    fallback_application_name: 'entitable',
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: STATEMENT_MS,
    keepAlive: true,
    pipeline: true,
  });
  // Idle connections end with the server. Without a listener, the process would end, too.
  pool.on('error', () => undefined);
  return pool;
}
