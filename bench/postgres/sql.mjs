// sql.mjs - the same work by an app that has a table of its own, without a server before it.

import { Pool } from 'pg';

/** @param connections - how many statements may be under way at a time. */
export async function sql(url, connections) {
  const pool = new Pool({ connectionString: url, max: connections });
  await pool.query('DROP TABLE IF EXISTS bench');
  await pool.query(`CREATE TABLE bench (
    partition_key text, row_key text, name text, city text, count int, share float8, active bool,
    time timestamptz DEFAULT now(), PRIMARY KEY (partition_key, row_key))`);
  // Named, so that each connection plans it once.
  const insert = {
    name: 'insert',
    text: `INSERT INTO bench (partition_key, row_key, name, city, count, share, active)
      VALUES ($1, $2, $3, $4, $5, $6, $7)`,
  };
  const read = {
    name: 'read',
    text: 'SELECT * FROM bench WHERE partition_key = $1 AND row_key = $2',
  };
  const list = { name: 'list', text: 'SELECT * FROM bench WHERE partition_key = $1' };
  return {
    insert: (entity) => pool.query({ ...insert, values: Object.values(entity) }),
    read: (partition, row) => pool.query({ ...read, values: [partition, row] }),
    list: async (partition) => (await pool.query({ ...list, values: [partition] })).rows.length,
    stop: () => pool.end(),
  };
}
