/**
 * A store in PostgreSQL, which all processes of an app share.
 *
 * @module
 */

import { invalidInput } from '../base/errors.js';
import { hasMethod } from '../base/kinds.js';
import { checkedOptions } from '../base/options.js';
import { shown } from '../base/shown.js';
import type { PageStorage } from './page-storage.js';
import type { PostgresPool } from './postgres/pool.js';
import { PostgresStorage } from './postgres/store.js';

export type { PostgresClient, PostgresPool, PostgresResult } from './postgres/pool.js';

/** Options of {@link postgresStorage}. */
export interface PostgresStorageOptions {
  /**
   * The table that has the values of all stores; `entitable` by default. It may begin with a
   * schema: `app.entitable`. Letters are lower-case.
   */
  readonly table?: string | undefined;

  /**
   * Whether live views of other processes hear of a commit at once, by NOTIFY. The storage then
   * keeps one connection of the pool, unless the pool has only one. True by default. If false, they
   * find it within five seconds.
   */
  readonly hints?: boolean | undefined;
}

const NAME = /^[\w.-]{1,100}$/;
const TABLE = /^([a-z_][a-z0-9_]{0,62}\.)?[a-z_][a-z0-9_]{0,62}$/;

/**
 * Returns the store of that name in a PostgreSQL database. Any number of processes may use it at
 * the same time. The first use creates the table, if it is missing.
 *
 * A commit is as durable as `synchronous_commit` of the server makes it; the option `durability` of
 * an account has no effect. The pool belongs to the app: close the account first, then the pool.
 *
 * @param pool - a `Pool` of `pg`. It must reach the primary server.
 * @param name - 1 to 100 letters, digits, `_`, `-` and dots.
 * @example
 * ```ts
 * const pool = new Pool({ connectionString: process.env.DATABASE_URL });
 * const account = await openAccount({ storage: postgresStorage(pool, 'shop') });
 * ```
 * @throws {@link TableError} `InvalidInput`, if this is no pool, or a name or an option is not
 * valid.
 */
export function postgresStorage(
  pool: PostgresPool,
  name: string,
  options?: PostgresStorageOptions,
): PageStorage {
  if (!hasMethod(pool, 'connect') || !hasMethod(pool, 'on')) {
    throw invalidInput('The first argument of postgresStorage must be a Pool of "pg".');
  }
  if (typeof name !== 'string' || !NAME.test(name)) {
    throw invalidInput(
      `The name of postgresStorage must be 1 to 100 letters, digits, "_", "-" and dots, not ${shown(name)}.`,
    );
  }
  const { table = 'entitable', hints = true } = checkedOptions('postgresStorage', options, {
    table: 'string',
    hints: 'boolean',
  });
  if (!TABLE.test(table)) {
    throw invalidInput(
      'The option table of postgresStorage must be the name of a table in lower-case letters, digits ' +
        `and "_", perhaps after a schema and a dot, not ${shown(table)}.`,
    );
  }
  // A name may be a word of SQL.
  const quoted = table.replace(/[^.]+/g, '"$&"');
  return new PostgresStorage(pool, { store: name, table: quoted, hints });
}
