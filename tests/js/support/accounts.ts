// accounts.ts - accounts that are closed, and stores that are removed, after each test.

import { onTestFinished } from 'vitest';

import type { AccountOptions } from '../../../js/src/client/open-account.js';
import type { TableClient } from '../../../js/src/client/table-client.js';
import type { TableServiceClient } from '../../../js/src/client/table-service-client.js';
import { openAccount, type DeclaredTables, type TableOf } from '../../../js/src/index.js';
import type { TableDefinition } from '../../../js/src/schema.js';

/** Opens an account for the length of the test. */
export async function openForTest<const Tables extends DeclaredTables = Record<never, never>>(
  options: AccountOptions<Tables>,
): Promise<TableServiceClient<Tables>> {
  const account = await openAccount(options);
  onTestFinished(async () => {
    await account.close();
    await options.storage.destroy();
  });
  return account;
}

/** The same, with a table in it. */
export async function openTable(options: AccountOptions, name = 'Pets'): Promise<TableClient> {
  const account = await openForTest(options);
  await account.createTable(name);
  return account.tableClient(name);
}

/** Opens one declared table of an account, here or in the cloud, which has some of its methods. */
export async function tableOf<Definition extends TableDefinition>(
  account: { openTables(tables: { table: Definition }): Promise<{ table: object }> },
  definition: Definition,
): Promise<TableOf<Definition>> {
  return (await account.openTables({ table: definition })).table as TableOf<Definition>;
}

/** All that an iteration yields. */
export async function collect<T>(all: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const one of all) found.push(one);
  return found;
}
