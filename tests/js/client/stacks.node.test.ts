// The stack of an error has the function that made the call, although the call has waited.

import { expect, it } from 'vitest';

import { exportAll } from '../../../js/src/archive.js';
import { deleteAccount, openAccount, type TableClient } from '../../../js/src/index.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { openForTest } from '../support/accounts.js';
import { tableError } from '../support/rejection.js';

const rex = { partitionKey: 'dogs', rowKey: '1' };

async function pets(): Promise<TableClient> {
  const account = await openForTest({ storage: memoryStorage() });
  await account.createTable('Pets');
  await account.tableClient('Pets').createEntity(rex);
  return account.tableClient('Pets');
}

type Call = (table: TableClient, missing: TableClient) => Promise<unknown>;

// Each awaits, so that the frame is there to come back to.
const CALLS: Record<string, Call> = {
  createEntity: async function callerOfThis(table) {
    await table.createEntity(rex);
  },
  updateEntity: async function callerOfThis(table) {
    await table.updateEntity({ partitionKey: 'dogs', rowKey: '2' });
  },
  deleteEntity: async function callerOfThis(table) {
    await table.deleteEntity('dogs', '2');
  },
  getEntity: async function callerOfThis(table) {
    await table.getEntity('dogs', '2');
  },
  'a get without a key': async function callerOfThis(table) {
    await table.getEntity('dogs', undefined as never);
  },
  countEntities: async function callerOfThis(_, missing) {
    await missing.countEntities();
  },
  submitTransaction: async function callerOfThis(table) {
    await table.submitTransaction([['create', rex]]);
  },
  'a split transaction': async function callerOfThis(table) {
    await table.submitTransaction([['create', rex]], { split: true });
  },
  importEntities: async function callerOfThis(table) {
    await table.importEntities([rex]);
  },
  getAccessPolicy: async function callerOfThis(_, missing) {
    await missing.getAccessPolicy();
  },
  'a write without a key': async function callerOfThis(table) {
    await table.deleteEntity('dogs', 5 as never);
  },
  'an export': async function callerOfThis(_, missing) {
    for await (const bytes of missing.exportEntities()) throw bytes;
  },
  'an iteration': async function callerOfThis(_, missing) {
    for await (const entity of missing.listEntities()) throw entity;
  },
  'an iteration by pages': async function callerOfThis(_, missing) {
    for await (const page of missing.listEntities().byPage()) throw page;
  },
};

it.each(Object.entries(CALLS))('of %s', async (_, call) => {
  const table = await pets();
  const account = await openForTest({ storage: memoryStorage() });

  const { stack } = await tableError(call(table, account.tableClient('Missing')));

  expect(stack).toContain('callerOfThis');
});

const WRITES: Record<string, Call> = {
  createEntity: async function callerOfThis(table) {
    await table.createEntity(rex);
  },
  updateEntity: async function callerOfThis(table) {
    await table.updateEntity(rex);
  },
  upsertEntity: async function callerOfThis(table) {
    await table.upsertEntity(rex);
  },
  deleteEntity: async function callerOfThis(table) {
    await table.deleteEntity('dogs', '1');
  },
  countEntities: async function callerOfThis(table) {
    await table.countEntities();
  },
  explain: async function callerOfThis(table) {
    await table.explain();
  },
};

it.each(Object.entries(WRITES))('of %s on an account that is closed', async (_, call) => {
  const account = await openForTest({ storage: memoryStorage() });
  const table = account.tableClient('Pets');
  await account.close();

  expect((await tableError(call(table, table))).stack).toContain('callerOfThis');
});

it('of a live result', async () => {
  const account = await openForTest({ storage: memoryStorage() });
  async function callerOfThis() {
    for await (const entities of account.tableClient('Missing').liveEntities()) throw entities;
  }

  expect((await tableError(callerOfThis())).stack).toContain('callerOfThis');
});

it('of the account', async () => {
  const account = await openForTest({ storage: memoryStorage() });
  async function callerOfThis() {
    await account.createTable('my-pets');
  }

  expect((await tableError(callerOfThis())).stack).toContain('callerOfThis');
});

it('of an archive', async () => {
  const account = await openForTest({ storage: memoryStorage() });
  await account.close();
  async function callerOfThis() {
    for await (const bytes of exportAll(account)) expect(bytes.length).toBeGreaterThan(0);
  }

  const error = await tableError(callerOfThis());
  expect(error.stack).toMatch(/^TableError: The account is closed\.\n/);
  expect(error.stack).toContain('callerOfThis');
});

it('of openAccount and deleteAccount', async () => {
  const fails = async () => {
    await Promise.resolve();
    throw new Error('disk');
  };
  const gone = { ...memoryStorage(), read: fails, destroy: fails };
  const calls = [
    async function callerOfThis() {
      await openAccount({ storage: gone as never });
    },
    async function callerOfThis() {
      await deleteAccount(gone as never);
    },
  ];

  for (const call of calls) expect((await tableError(call())).stack).toContain('callerOfThis');
});
