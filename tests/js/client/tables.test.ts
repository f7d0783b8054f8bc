import { beforeEach, describe, expect, it } from 'vitest';

import type { TableServiceClient } from '../../../js/src/client/table-service-client.js';
import { collect, openForTest } from '../support/accounts.js';
import { errorCode, rejection, tableError } from '../support/rejection.js';
import { STORAGES } from '../support/storages.js';

describe.each(STORAGES)('the tables of an account in $adapter storage', ({ open }) => {
  let account: TableServiceClient;

  beforeEach(async () => {
    account = await openForTest({ storage: open() });
  });

  const names = async (filter?: string) =>
    (await collect(account.listTables(filter === undefined ? {} : { filter }))).map(
      ({ name }) => name,
    );

  it('are none at first', async () => {
    expect(await names()).toEqual([]);
  });

  it('are created, listed by name, and deleted', async () => {
    await account.createTable('Pets');
    await account.tableClient('Birds').createTable();
    expect(await names()).toEqual(['Birds', 'Pets']);

    await account.deleteTable('pets');
    await account.tableClient('Birds').deleteTable();
    expect(await names()).toEqual([]);
  });

  it('may be created if they exist, and deleted if they do not', async () => {
    await account.createTable('Pets');

    await account.createTable('PETS');
    await account.tableClient('Pets').createTable();
    await account.deleteTable('Birds');
    await account.tableClient('Birds').deleteTable();

    expect(await names()).toEqual(['Pets']);
  });

  it.each([
    ['a', 'OutOfRangeInput'],
    ['1pets', 'InvalidResourceName'],
    ['tables', 'InvalidInput'],
    ['\ud800ets', 'InvalidInput'],
  ])('cannot be named %j', async (name, code) => {
    const error = await tableError(account.createTable(name));

    expect(error.code).toBe(code);
    expect(error.statusCode).toBe(400);
    expect(error.details.odataError.code).toBe(code);
  });

  it('are empty when they are made again', async () => {
    const table = account.tableClient('Pets');
    await table.createTable();
    await table.createEntity({ partitionKey: 'p', rowKey: 'r' });

    await table.deleteTable();
    expect(await errorCode(table.getEntity('p', 'r'))).toBe('TableNotFound');
    await table.createTable();

    expect(await collect(table.listEntities())).toEqual([]);
  });

  it('are listed by filter and in pages', async () => {
    for (const name of ['Aaa', 'Bbb', 'Ccc', 'Ddd', 'Eee']) await account.createTable(name);

    expect(await names("TableName ge 'B' and TableName lt 'D'")).toEqual(['Bbb', 'Ccc']);

    const pages = account.listTables().byPage({ maxPageSize: 2 });
    const { value: first } = await pages.next();
    expect(first.map(({ name }: { name: string }) => name)).toEqual(['Aaa', 'Bbb']);
    const { continuationToken } = first;
    const rest = await collect(account.listTables().byPage({ continuationToken, maxPageSize: 2 }));
    expect(rest.map((page) => page.map(({ name }) => name))).toEqual([['Ccc', 'Ddd'], ['Eee']]);
  });

  it('give a wrong filter back as an error', async () => {
    expect(await errorCode(names('TableName eq'))).toBe('InvalidInput');
  });

  it('are not touched by a call whose signal has fired', async () => {
    const abortSignal = AbortSignal.abort();
    const calls = [
      account.createTable('Pets', { abortSignal }),
      account.deleteTable('Pets', { abortSignal }),
      account.tableClient('Pets').createTable({ abortSignal }),
      account.tableClient('Pets').deleteTable({ abortSignal }),
      account.listTables({ abortSignal }).next(),
    ];

    for (const call of calls) expect(await rejection(call)).toMatchObject({ name: 'AbortError' });
    expect(await names()).toEqual([]);
  });
});
