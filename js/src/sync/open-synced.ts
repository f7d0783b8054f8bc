/**
 * `openAccount` of the entries with sync.
 *
 * @module
 */

import { invalidInput } from '../base/errors.js';
import { isObject } from '../base/kinds.js';
import { shown } from '../base/shown.js';
import {
  openWith,
  type AccountOptions,
  type WorkerAccountOptions,
} from '../client/open-account.js';
import type { loadWarnings } from '../client/load-warnings.js';
import type { TableServiceClient } from '../client/table-service-client.js';
import type { EntryModule } from '../core/load-module.js';
import type { DeclaredTables } from '../tables/table.js';
import type { SyncOptions, SyncTableOptions } from './models.js';
import { checkedSync } from './open-tables.js';
import { AccountSync } from './sync.js';

/** The tables of a sync: by the names that the app has for its declared tables, if it has some. */
type NamedTables<Tables> = keyof Tables extends never
  ? SyncOptions['tables']
  : { readonly [Name in keyof Tables]?: SyncTableOptions };

/** The option `sync`: the options of `syncTables`, or `true`, if the app calls it later. */
export type SyncOption<Tables = Record<never, never>> =
  true | (Omit<SyncOptions, 'tables'> & { readonly tables: NamedTables<Tables> });

/** Options of `openAccount()` of `entitable/sync`. */
export type SyncedAccountOptions<
  Tables extends DeclaredTables = DeclaredTables,
  Sync = SyncOption<Tables>,
> = (AccountOptions<Tables> | WorkerAccountOptions<Tables>) & { readonly sync: Sync };

/** An account that is synced: `account.sync.start()` begins it. */
export type SyncedAccount<
  Tables = Record<never, never>,
  Sync = object,
> = TableServiceClient<Tables> & (Sync extends true ? unknown : { readonly sync: AccountSync });

/** @internal `openAccount()` of every entry with sync. */
export async function openSynced<Tables extends DeclaredTables, Sync>(
  entry: EntryModule,
  given: SyncedAccountOptions<Tables, Sync>,
  warnings: typeof loadWarnings,
): Promise<SyncedAccount<Tables, Sync>> {
  const { sync: option, ...options } = { ...given } as SyncedAccountOptions<Tables>;
  if (option !== true && !isObject(option)) {
    throw invalidInput(
      'The option sync of openAccount must be the options of syncTables, or true, not ' +
        `${shown(option)}.`,
    );
  }
  const checked = option === true ? undefined : checkedSync(option as SyncOptions);
  const opened = await openWith(entry, options as AccountOptions<Tables>, warnings);
  const sync = checked && new AccountSync(opened, checked);
  return Object.assign(opened, sync && { sync }) as SyncedAccount<Tables, Sync>;
}
