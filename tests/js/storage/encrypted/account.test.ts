// Accounts in encrypted stores.

import { expect, it, onTestFinished } from 'vitest';

import { openAccount } from '../../../../js/src/index.js';
import { encryptedStorage } from '../../../../js/src/storage/encrypted.js';
import { collect, openForTest } from '../../support/accounts.js';
import { newKey } from '../../support/encrypted.js';
import { tableError } from '../../support/rejection.js';
import { STORAGES } from '../../support/storages.js';

it.each(STORAGES)('is an account like any other over $adapter', async ({ open }) => {
  const [inner, key] = [open(), await newKey()];
  const first = await openForTest({ storage: encryptedStorage(inner, key) });
  await first.createTable('Pets');
  const pets = first.tableClient('Pets');
  await pets.importEntities(
    Array.from({ length: 500 }, (_, at) => ({ partitionKey: 'p', rowKey: `${at}`, Age: at })),
  );
  await first.close();

  const again = await openAccount({ storage: encryptedStorage(inner, key) });
  onTestFinished(() => again.close());
  const filter = 'Age ge 498';
  const found = await collect(again.tableClient('Pets').listEntities({ filter }));
  expect(found.map(({ rowKey }) => rowKey)).toEqual(['498', '499']);
});

it.each(STORAGES)(
  'is not opened with another key, and not changed, over $adapter',
  async ({ open }) => {
    const [inner, key] = [open(), await newKey()];
    const account = await openForTest({ storage: encryptedStorage(inner, key) });
    await account.createTable('Pets');
    await account.close();

    const plain = openAccount({ storage: inner }).then((it) => it.createTable('Dogs'));
    expect(await tableError(plain)).toMatchObject({
      code: 'StorageKeyMismatch',
      message: expect.stringContaining('Give openAccount() an encryptedStorage().'),
    });
    const strange = encryptedStorage(inner, await newKey());
    const opening = openAccount({ storage: strange }).then((it) => it.createTable('Dogs'));
    const { code, message } = await tableError(opening);
    expect({ code, message }).toEqual({
      code: 'StorageKeyMismatch',
      message: expect.stringMatching(/^The value under log\/base was encrypted with another key\./),
    });

    const right = await openAccount({ storage: encryptedStorage(inner, key) });
    onTestFinished(() => right.close());
    expect((await collect(right.listTables())).map(({ name }) => name)).toEqual(['Pets']);
  },
);
