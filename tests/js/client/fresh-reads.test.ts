// Reads of the writes of another account on the same storage, such as another tab.

import { describe, expect, test } from 'vitest';

import { collect, openForTest } from '../support/accounts.js';
import { errorCode } from '../support/rejection.js';
import { STORAGES } from '../support/storages.js';

describe.each(STORAGES)('reads over $adapter', ({ open }) => {
  async function twoAccounts() {
    const storage = open();
    const [mine, theirs] = [await openForTest({ storage }), await openForTest({ storage })];
    await mine.createTable('Pets');
    expect(await collect(theirs.listTables())).toHaveLength(1);
    await mine.tableClient('Pets').createEntity({ partitionKey: 'dogs', rowKey: 'rex' });
    await mine.createTable('Toys');
    return theirs;
  }

  test('see the state of this account', async () => {
    const account = await twoAccounts();
    const pets = account.tableClient('Pets');

    expect(await errorCode(pets.getEntity('dogs', 'rex'))).toBe('ResourceNotFound');
    expect(await collect(pets.listEntities())).toEqual([]);
  });

  test('that are fresh see every acknowledged write of other accounts', async () => {
    const fresh = true;
    const pets = (await twoAccounts()).tableClient('Pets');
    expect(await pets.getEntity('dogs', 'rex', { fresh })).toMatchObject({ rowKey: 'rex' });

    const more = (await twoAccounts()).tableClient('Pets');
    expect(await collect(more.listEntities({ fresh }))).toHaveLength(1);

    const counted = (await twoAccounts()).tableClient('Pets');
    expect(await counted.countEntities({ fresh })).toBe(1);

    expect(await collect((await twoAccounts()).listTables({ fresh }))).toHaveLength(2);
  });
});
