// Reads of the writes of another account on the same storage, such as another tab.

import { describe, expect, test, vi } from 'vitest';

import { collect, openForTest } from '../support/accounts.js';
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

  test('see the writes of other accounts as soon as their hint is there', async () => {
    const pets = (await twoAccounts()).tableClient('Pets');

    await vi.waitFor(async () => expect(await collect(pets.listEntities())).toHaveLength(1));
    expect(await pets.getEntity('dogs', 'rex')).toMatchObject({ rowKey: 'rex' });
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
