// bank.ts - an account with two tables, for transactions.

import { onTestFinished } from 'vitest';

import type { TransactionTables } from '../../../js/src/client/opened-account.js';
import { openAccount } from '../../../js/src/index.js';
import { defineTable, t } from '../../../js/src/schema.js';
import { STORAGES } from './storages.js';

export const accounts = defineTable('Accounts', {
  partitionKey: t.string(),
  rowKey: t.string(),
  balance: t.int32(),
  owner: t.string().optional(),
});
export const moves = defineTable('Moves', {
  partitionKey: t.string(),
  rowKey: t.string(),
  amount: t.int32().default(1),
});
export const tables = { accounts, moves };
export type Tx = TransactionTables<typeof tables>;

export const ann = { partitionKey: 'a', rowKey: 'ann' };
export const bob = { partitionKey: 'b', rowKey: 'bob' };

/** Ann has 100, and Bob 50. */
export async function openBank(storage = STORAGES[0]!.open()) {
  const account = await openBankOn(storage);
  onTestFinished(() => storage.destroy());
  const table = account.tables.accounts;
  await table.insert({ ...ann, balance: 100 });
  await table.insert({ ...bob, balance: 50 });
  const inTransaction = <T>(run: (tx: Tx) => T | Promise<T>) => account.transaction(run);
  const balanceOf = async (key: typeof ann) => (await table.get(key))?.balance;
  return { account, storage, table, inTransaction, balanceOf };
}

/** Another account on the same storage, such as another tab. */
export const openAnother = openBankOn;

async function openBankOn(storage: ReturnType<(typeof STORAGES)[0]['open']>) {
  const account = await openAccount({ storage, tables });
  onTestFinished(() => account.close());
  await account.ready;
  return account;
}
