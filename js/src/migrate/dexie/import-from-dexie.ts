/**
 * `importFromDexie`.
 *
 * @module
 */

import { invalidInput } from '../../base/errors.js';
import { hasMethod, isObject } from '../../base/kinds.js';
import { loaded } from '../../base/loaded.js';
import { checkedOptions } from '../../base/options.js';
import { shown } from '../../base/shown.js';
import type { Table } from '../../tables/table.js';
import type { Job } from './import-store.js';
import type {
  DexieImportOptions,
  DexieLike,
  SourceDatabase,
  StoreProgress,
  TablesOfStores,
} from './models.js';
import { nameOf } from './place.js';

const KINDS = {
  signal: 'signal',
  tables: 'any',
  convert: 'any',
  onProgress: 'function',
  onRefused: 'function',
} as const;

/**
 * Copies stores of a database of Dexie, or of any other one of IndexedDB, into tables. Each value
 * becomes one row under the same names, unless `convert` makes others of it. The database stays as
 * it is.
 *
 * It imports once: after an abort, an error or the end of the page, the same call goes on behind
 * the last row that is stored. When everything is, it does nothing any more, even if the app has
 * deleted rows meanwhile. Several tabs may run it at once. For that it keeps a row for each store
 * in the table `EntitableImports` of the account.
 *
 * @example
 * ```ts
 * await importFromDexie('todo', { tables: { tasks: account.tables.tasks } });
 * ```
 * @param from - a `Dexie`, an open `IDBDatabase`, or the name of a database. If there is no
 * database of this name, nothing happens.
 * @returns what was done with each store, in earlier calls, too.
 * @throws {@link TableError} `InvalidInput`, if an option is wrong, a store is missing, or a value
 * is no row; the errors of `insert`: their messages have the store and the key.
 * `StorageUnavailable`, if the database cannot be read.
 */
export async function importFromDexie<const Tables extends TablesOfStores>(
  from: DexieLike | SourceDatabase | string,
  options: DexieImportOptions<Tables>,
): Promise<{ readonly [Store in keyof Tables]: StoreProgress }> {
  const name = nameOf(from);
  const given = checkedOptions<DexieImportOptions<TablesOfStores>, typeof KINDS>(
    'importFromDexie',
    options,
    KINDS,
  );
  const jobs = jobsOf(name, given);
  const { importStores } = await loaded(import('./import-stores.js'));
  // eslint-disable-next-line entitable/arguments-before-await -- a database, which has no copy
  const results: Readonly<Record<string, StoreProgress>> = await importStores(from, jobs);
  return results as { [Store in keyof Tables]: StoreProgress };
}

/**
 * The stores to import.
 *
 * @throws {@link TableError} `InvalidInput`.
 */
function jobsOf(database: string, options: DexieImportOptions<TablesOfStores>): Job[] {
  const { tables, convert = {}, ...rest } = options;
  const stores: [string, unknown][] = isObject(tables) ? Object.entries(tables) : [];
  if (!stores.length) {
    throw invalidInput('importFromDexie needs tables: { store: account.tables.x }.');
  }
  if (!isObject(convert)) {
    throw invalidInput(`The option convert is an object with functions, not ${shown(convert)}.`);
  }
  for (const [store, make] of Object.entries(convert)) {
    const isKnown = Object.hasOwn(tables, store);
    if (isKnown && (make === undefined || typeof make === 'function')) continue;
    const what = isKnown ? `must be a function, not ${shown(make)}` : 'is of no store in tables';
    throw invalidInput(`The option convert.${store} ${what}.`);
  }
  return stores.map(([store, given]) => {
    const table = checkedTable(store, given);
    return { ...rest, database, store, table, convert: convert[store] };
  });
}

function checkedTable(store: string, table: unknown): Table {
  if (hasMethod((table as Partial<Table> | undefined)?.requests, 'over')) return table as Table;
  throw invalidInput(`The option tables.${store} must be a table of an account on this device.`);
}
