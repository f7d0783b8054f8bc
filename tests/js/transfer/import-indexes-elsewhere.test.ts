// Imports of an account that does not know yet that another one has changed the indexes.

import { expect, it } from 'vitest';

import { memoryStorage } from '../../../js/src/storage/memory.js';
import { collect, openForTest } from '../support/accounts.js';
import { tableError } from '../support/rejection.js';

const ROWS = 1500;

const rows = (value: object) =>
  Array.from({ length: ROWS }, (_, at) => ({
    ...{ partitionKey: 'p', rowKey: `${10_000 + at}`, ...value },
  }));

/** Opens two accounts of a storage. The second knows the indexes that the first has removed. */
async function open() {
  const storage = memoryStorage();
  const [here, there] = [await openForTest({ storage }), await openForTest({ storage })];
  await here.createTable('Pets');
  await here.tableClient('Pets').importEntities(rows({ kept: 'x'.repeat(100) }));
  await here.updateIndexes({ tableName: 'Pets', indexes: [['a'], ['b'], ['c']] });
  const pets = there.tableClient('Pets');
  await pets.countEntities({ fresh: true });
  await here.updateIndexes({ tableName: 'Pets', indexes: [] });
  return pets;
}

it('merges into every stored entity', async () => {
  const pets = await open();

  await pets.importEntities(rows({ added: true }), { mode: 'Merge' });

  const stored = await collect(pets.listEntities());
  expect(stored.filter(({ kept, added }) => added && kept === undefined)).toEqual([]);
  expect(stored).toHaveLength(ROWS);
});

it('inserts over no stored entity', async () => {
  const pets = await open();
  const added = rows({ added: true }).slice(0, 1000);
  const fresh = added.map((row) => ({ ...row, rowKey: `new ${row.rowKey}` }));

  const error = await tableError(pets.importEntities([...fresh, ...added]));

  expect(error.code).toBe('EntityAlreadyExists');
  expect(error.details.stored).toBe(fresh.length);
  expect(await pets.countEntities({ filter: "kept ge ''" })).toBe(ROWS);
});
