import { expect, it, onTestFinished, vi } from 'vitest';

import { openAccount } from '../../../js/src/index.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { Validator } from '../../../js/src/validation/validator.js';
import { openForTest, openTable } from '../support/accounts.js';
import { loadPageModule } from '../support/modules.js';
import { errorCode, tableError } from '../support/rejection.js';

// Longer than a request may be; to copy it would take a hundred times as much memory as a module.
const long = 'x'.repeat(100_000_000);
const keys = { partitionKey: 'dogs', rowKey: 'rex' };

it('refuses texts that are far too long before it copies them', async () => {
  const account = await openAccount({ storage: memoryStorage() });
  const table = account.tableClient('Pets');
  await account.createTable('Pets');
  const grow = vi.spyOn(WebAssembly.Memory.prototype, 'grow');
  onTestFinished(() => grow.mockRestore());
  const binary = new Uint8Array(100_000_000);
  const refusals = [
    table.createEntity({ ...keys, Name: long }),
    table.createEntity({ ...keys, Name: { type: 'String', value: long } }),
    table.createEntity({ ...keys, Bytes: binary }),
    table.createEntity({ ...keys, [long]: 1 }),
    table.createEntity({ partitionKey: long, rowKey: 'rex' }),
    table.upsertEntity({ ...keys, Name: long }),
    table.submitTransaction([['create', { ...keys, Name: long }]]),
    table.importEntities([{ ...keys, Name: long }]),
  ].map(errorCode);
  expect(await Promise.all(refusals)).toEqual(refusals.map(() => 'RequestBodyTooLarge'));

  const others = [
    table.getEntity(long, 'rex'),
    table.deleteEntity('dogs', long),
    table.getEntity('dogs', 'rex', { select: [long] }),
    table.updateEntity({ ...keys, Age: 1 }, 'Merge', { etag: long }),
    (async () => table.listEntities({ filter: long }).next())(),
    (async () => table.listEntities().byPage({ continuationToken: long }).next())(),
    account.createTable(long),
    account.tableClient(long).getEntity('dogs', 'rex'),
  ].map(errorCode);
  for (const code of await Promise.all(others)) {
    expect(['InvalidInput', 'RequestBodyTooLarge']).toContain(code);
  }
  // In pages of 64 KiB. The module checks the first 4 MiB of a name.
  expect(grow.mock.calls.reduce((sum, [pages]) => sum + pages, 0)).toBeLessThan(300);
  await account.close();
});

it('has a message of one line', async () => {
  const account = await openForTest({ storage: memoryStorage() });
  const table = account.tableClient('Pets');
  await account.createTable('Pets');
  const rule = {
    allowedMethods: 'GET',
    allowedHeaders: '',
    exposedHeaders: '',
    maxAgeInSeconds: 0,
  };
  const storage = memoryStorage();
  const calls: (() => unknown)[] = [
    () => table.setAccessPolicy([{ id: long }]),
    () => account.setProperties({ cors: [{ ...rule, allowedOrigins: long }] }),
    () => table.listEntities().byPage({ continuationToken: long }).next(),
    () => account.createTable(long),
    () => openAccount({ storage, name: long }),
    () => openAccount({ storage, baseUrl: `http://${long}` }),
    () => openAccount({ storage, [long]: 1 } as never),
    () => openAccount({ storage, durability: long as never }),
    () => table.importEntities([], { mode: long as never }),
    () => table.updateEntity(keys, long as never),
    () => table.submitTransaction([[long as never, keys]]),
    () => account.tableClient('Pets').getEntity('a', 'b', { [long]: 1 } as never),
  ];
  for (const call of calls) {
    const { code, message } = await tableError((async () => call())());
    expect(['InvalidInput', 'RequestBodyTooLarge']).toContain(code);
    expect(message.length).toBeLessThan(700);
  }
});

it('refuses a transaction that is far too long before it copies all of it', async () => {
  const table = await openTable({ storage: memoryStorage() });
  const name = 'x'.repeat(3_000_000);

  const code = await errorCode(
    table.submitTransaction(
      Array.from({ length: 100 }, (_, i) => [
        'create',
        { partitionKey: 'dogs', rowKey: `${i}`, Name: name },
      ]),
    ),
  );

  expect(code).toBe('RequestBodyTooLarge');
});

it('reports such texts like all texts that are too long', async () => {
  const validator = new Validator(await loadPageModule(), {});

  expect(validator.validateEntity({ ...keys, Name: long })).toEqual([
    expect.objectContaining({ rule: 'body-size', code: 'RequestBodyTooLarge', limit: 4_194_304 }),
  ]);
  expect(validator.validateKey(long)).toEqual([
    expect.objectContaining({ rule: 'key-length', limit: 1024 }),
  ]);
  expect(validator.validateTableName(long)).toEqual([
    expect.objectContaining({ rule: 'table-name-length', limit: 63 }),
  ]);
});
