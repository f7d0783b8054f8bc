// Addresses beyond 2 GiB, which are negative numbers in WebAssembly.

import { expect, it } from 'vitest';

import { openWith } from '../../../js/src/client/open-account.js';
import { loadModule } from '../../../js/src/core/load-module.js';
import { SERVER_MODULE } from '../../../js/src/server/server-module.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { collect } from '../support/accounts.js';

const MEBIBYTE = 2 ** 20;

it('are used like all others by the module of the server', async () => {
  const module = await loadModule(SERVER_MODULE);
  // Memory without writes takes none of the machine's memory.
  const random = crypto.getRandomValues(new Uint8Array(32));
  const others = Array.from({ length: 36 }, () => {
    const other = new module.Engine('acct', 'http://b', random, false, 0, Infinity);
    expect(other.reserve(64 * MEBIBYTE, 0)).toBeGreaterThan(0);
    return other;
  });
  expect(others.at(-1)!.reserve(64 * MEBIBYTE, 0)).toBeGreaterThan(2 ** 31);
  const storage = memoryStorage();
  const kind = { ...SERVER_MODULE.kind, createModule: () => Promise.resolve(module) };
  const account = await openWith({ ...SERVER_MODULE, kind }, { storage });
  const table = account.tableClient('Pets');
  await account.createTable('Pets');

  const Text = 'x'.repeat(30_000);
  const keys = Array.from({ length: 100 }, (_, i) => `${1000 + i}`);
  await Promise.all(
    keys.map((rowKey) => table.createEntity({ partitionKey: 'dogs', rowKey, Text, Other: Text })),
  );
  const found = await collect(table.listEntities<{ Text: string }>());

  expect(found.map(({ rowKey }) => rowKey)).toEqual(keys);
  expect(found.every((entity) => entity.Text === Text)).toBe(true);
  expect(module.HEAPU8.length).toBeGreaterThan(2 ** 31);
  await account.close();
  const again = await openWith(SERVER_MODULE, { storage });
  expect(await again.tableClient('Pets').getEntity('dogs', '1042')).toMatchObject({ Text });
  await again.close();
  for (const other of others) other.delete();
});
