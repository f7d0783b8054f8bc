// Reads of a declared table in plain JavaScript, where no compiler checks the options.

import { expect, it } from 'vitest';

import { defineTable, t } from '../../../js/src/schema.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { collect, openForTest } from '../support/accounts.js';
import { tableError } from '../support/rejection.js';

const pets = defineTable('Pets', {
  partitionKey: t.string(),
  rowKey: t.string(),
  name: t.string(),
});

async function openPets() {
  const account = await openForTest({ storage: memoryStorage() });
  const table = account.table(pets);
  await table.createTable();
  await table.createEntity({ partitionKey: 'p', rowKey: 'r', name: 'Ada' });
  return table;
}

it('refuse a name that the table does not declare', async () => {
  const table = await openPets();

  for (const select of [['nam'], ['name', 'nam'], ['name, nam']]) {
    const options = { select: select as never };
    for (const read of [
      () => table.getEntity('p', 'r', options),
      () => collect(table.listEntities(options)),
      () => collect(table.liveEntities(options)),
    ]) {
      const error = await tableError(read());
      expect(error.code).toBe('InvalidInput');
      expect(error.message).toContain('The table Pets declares no property "nam".');
    }
  }
});

it.each([['name'], ['name', 'etag'], ['PartitionKey', 'timestamp'], ['partitionKey,name'], ['*']])(
  'take %s',
  async (...select) => {
    const table = await openPets();

    await table.getEntity('p', 'r', { select: select as never });
  },
);

it.each(['typed', 'disableTypeConversion'])('refuse the option %s', async (option) => {
  const table = await openPets();

  const options = { [option]: true } as never;
  for (const read of [
    () => table.getEntity('p', 'r', options),
    () => collect(table.listEntities(options)),
  ]) {
    const error = await tableError(read());
    expect(error.code).toBe('InvalidInput');
    expect(error.message).toContain(`it has no option ${option}.`);
  }
});
