// Warnings of calls that probably do not do what their author wants.

import { beforeEach, describe, expect, it, vi } from 'vitest';

import type { DevelopmentWarning, TableClient, TableServiceClient } from '../../../js/src/index.js';
import { odata } from '../../../js/src/entity/odata.js';
import { defineTable, t } from '../../../js/src/schema.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { collect, openForTest } from '../support/accounts.js';

const DAY = new Date('2024-01-01T00:00:00Z');

let account: TableServiceClient;
let pets: TableClient;
let warnings: DevelopmentWarning[];
let last: number;

beforeEach(async () => {
  warnings = [];
  last = 0;
  account = await openForTest({
    storage: memoryStorage(),
    developmentWarnings: (warning) => warnings.push(warning),
  });
  pets = await tableOf('Pets', { name: 'Rex', price: 150, born: DAY });
  await tableOf('Last', {});
});

/** A new table with one entity. */
async function tableOf(name: string, properties: object): Promise<TableClient> {
  const table = account.tableClient(name);
  await table.createTable();
  await table.createEntity({ partitionKey: 'p', rowKey: '1', ...properties });
  return table;
}

/** The warnings since the call before. Checks come in order, and the last one always warns. */
async function warned(): Promise<DevelopmentWarning[]> {
  const property = `Unknown${last++}`;
  await account.tableClient('Last').countEntities({ filter: `${property} eq 1` });
  await vi.waitFor(() => expect(warnings.at(-1)?.property).toBe(property));
  return warnings.splice(0).filter(({ table }) => table !== 'Last');
}

const codes = async () => (await warned()).map(({ code }) => code);

async function codesOf(filter: string, table = pets): Promise<string[]> {
  await table.countEntities({ filter });
  return codes();
}

describe('a property that no entity has', () => {
  it.each([
    ["rowKey eq '1'", 'rowKey', 'RowKey'],
    ["partitionkey eq 'p'", 'partitionkey', 'PartitionKey'],
    ['Price gt 5', 'Price', 'price'],
    ['pricee gt 5', 'pricee', 'price'],
    ["nmae eq 'Rex'", 'nmae', 'name'],
    ["prise ne 'x' and PartitionKey eq 'p'", 'prise', 'price'],
    ['not (timestamp gt 5)', 'timestamp', 'Timestamp'],
  ])('is reported in %s with the nearest name', async (filter, property, nearest) => {
    await pets.countEntities({ filter });

    const [warning, ...others] = await warned();
    expect(others).toEqual([]);
    expect(warning).toMatchObject({
      ...{ code: 'unknown-property', table: 'Pets', filter, property, nearest },
      message: expect.stringContaining(`Did you mean "${nearest}"?`),
    });
  });

  it('is reported in an order', async () => {
    for await (const _ of pets.listEntities({ orderBy: ['Price desc', 'name'], top: 2 }));
    for await (const _ of pets.listEntities({ orderBy: ['price', 'rowKey'], top: 2 }));

    const [warning, ...others] = await warned();
    expect(others).toEqual([]);
    expect(warning).toMatchObject({
      code: 'unknown-property',
      property: 'Price',
      nearest: 'price',
    });
    expect(warning).not.toHaveProperty('filter');
    expect(warning!.message).toContain('"Price desc,name"');
  });

  it('is reported with all names, if none is near', async () => {
    await pets.countEntities({ filter: 'weight gt 5' });

    const [warning] = await warned();
    expect(warning!.nearest).toBeUndefined();
    expect(warning!.message).toContain('PartitionKey, RowKey, Timestamp, name, price, born');
  });

  it('is not reported for an empty table, because its first entity may have it', async () => {
    const empty = account.tableClient('Empty');
    await empty.createTable();

    expect(await codesOf('Price gt 5', empty)).toEqual([]);
    await empty.createEntity({ partitionKey: 'p', rowKey: '1', price: 5 });
    expect(await codesOf('Price gt 5', empty)).toEqual(['unknown-property']);
  });

  it('is not reported if a single entity of many has it', async () => {
    const many = Array.from({ length: 3000 }, (_, i) => ({ partitionKey: 'q', rowKey: `${i}` }));
    await pets.importEntities([...many, { partitionKey: 'z', rowKey: 'z', chip: 5n }]);

    expect(await codesOf('chip gt 1L')).toEqual([]);
    expect(await codesOf('Chip gt 1L')).toEqual(['unknown-property']);
  });

  it('is not reported if a declared table has it', async () => {
    const declared = defineTable('Pets', {
      ...{ partitionKey: t.string(), rowKey: t.string() },
      weight: t.double().optional(),
    });

    const { table } = await account.openTables({ table: declared });
    await table.count({ where: 'weight gt 1.5' });
    expect(await codes()).toEqual([]);
    await pets.countEntities({ filter: 'Weight gt 1.5' });
    expect(await warned()).toMatchObject([{ code: 'unknown-property', nearest: 'weight' }]);
  });

  it('is not reported if it is the version of declared rows', async () => {
    const KEYS = { partitionKey: t.string(), rowKey: t.string() };
    await account.openTables({ pets: defineTable('Pets', KEYS, { version: 1 }) });
    expect(await codesOf('schemaVersion eq 1')).toEqual([]);

    const other = defineTable('Pets', KEYS, { version: 1, versionProperty: '$etag' });
    await account.openTables({ pets: other });
    expect(await codesOf('etag eq 1')).toEqual([]);
    expect(await codesOf('SchemaVersion eq 1')).toEqual(['unknown-property']);
  });

  it('is not reported if the table enforces a definition that has it', async () => {
    await account.enforce(
      defineTable('Pets', {
        ...{ partitionKey: t.string(), rowKey: t.string() },
        weight: t.double().optional(),
      }),
    );

    expect(await codesOf('weight gt 1.5')).toEqual([]);
  });
});

describe('a comparison with another type', () => {
  it.each([
    ['price eq 150.5', 'price', 'Edm.Int32'],
    ['150.5 lt price', 'price', 'Edm.Int32'],
    [odata`name eq ${DAY}`, 'name', 'Edm.String'],
    [`born ge '2024-01-01'`, 'born', 'Edm.DateTime'],
    ['RowKey eq 1', 'RowKey', 'Edm.String'],
    ['name', 'name', 'Edm.String'],
  ])('is reported if it is never true: %s', async (filter, property, type) => {
    await pets.countEntities({ filter });

    expect(await pets.countEntities({ filter })).toBe(0);
    expect(await warned()).toEqual([
      {
        ...{ code: 'comparison-never-true', table: 'Pets', filter, property, types: [type] },
        message: expect.stringMatching(/the result is false for every value\. Write the literal/),
      },
    ]);
  });

  it('is not reported with another type for a property whose type is fixed', async () => {
    await pets.countEntities({ filter: "Timestamp gt '2024' and price gt 5L" });

    const messages = (await warned()).map(({ message }) => message);
    expect(messages).toEqual([
      expect.stringContaining("Write the literal like datetime'2024-01-01T00:00:00Z'. The filter"),
      expect.stringContaining('Write the literal like 150, or store the property as Edm.Int64.'),
    ]);
  });

  it.each(['price lt 150.5', 'name ne 5', `born le '2024'`])(
    'is reported if it is always true: %s',
    async (filter) => {
      expect(await pets.countEntities({ filter })).toBe(1);
      expect(await codes()).toEqual(['comparison-always-true']);
    },
  );

  it.each(['price eq 150', 'price gt 1000', 'price ge 5 and price lt 7', `PartitionKey eq 'x'`])(
    'is not reported if it depends on values: %s',
    async (filter) => expect(await codesOf(filter)).toEqual([]),
  );

  it('is not reported if one entity has a type that fits', async () => {
    await pets.createEntity({ partitionKey: 'z', rowKey: 'z', price: 0.5 });

    expect(await codesOf('price eq 150.5')).toEqual([]);
  });

  it('is reported on an empty table only of keys', async () => {
    await pets.deleteEntity('p', '1');

    expect(await codesOf('price eq 150.5 and RowKey eq 1')).toEqual(['comparison-never-true']);
  });
});

describe('warnings', () => {
  const calls: Record<string, (filter: string) => unknown> = {
    listEntities: (filter) => collect(pets.listEntities({ filter })),
    byPage: (filter) => collect(pets.listEntities({ filter }).byPage({ maxPageSize: 1 })),
    countEntities: (filter) => pets.countEntities({ filter }),
    explain: (filter) => pets.explain({ filter }),
    exportEntities: (filter) => new Response(pets.exportEntities({ filter })).text(),
    liveEntities: async (filter) => {
      for await (const entities of pets.liveEntities({ filter })) if (entities) break;
    },
    liveCount: async (filter) => {
      for await (const count of pets.liveCount({ filter })) if (count !== undefined) break;
    },
    subscribe: (filter) =>
      new Promise<void>((resolve) => {
        const stop = pets.subscribe({ filter }, () => {
          stop();
          resolve();
        });
      }),
  };

  it.each(Object.keys(calls))('are given for %s', async (name) => {
    await calls[name]!("rowKey eq '1'");

    expect(await codes()).toEqual(['unknown-property']);
  });

  it('are given once for each place', async () => {
    const other = await tableOf('Other', { price: 1 });
    for (const number of [1, 2, 3]) await pets.countEntities({ filter: `Price gt ${number}` });
    await pets.countEntities({ filter: 'Price gt 1 and Price gt 2' });
    expect(await codes()).toEqual(['unknown-property']);

    await pets.countEntities({ filter: 'Price gt 1 and price gt 1' });
    await other.countEntities({ filter: 'Price gt 1' });
    expect((await warned()).map(({ table }) => table)).toEqual(['Pets', 'Other']);
  });

  it('are given after the data has changed, even if the same call was right before', async () => {
    const filter = 'price gt 5';
    expect(await codesOf(filter)).toEqual([]);
    await pets.updateEntity({ partitionKey: 'p', rowKey: '1', price: 'much' });

    // The second call is checked again, and the fourth.
    expect(await codesOf(filter)).toEqual(['comparison-never-true']);
  });

  it('do not change the error of a wrong call', async () => {
    await expect(pets.countEntities({ filter: 'price eq' })).rejects.toMatchObject({
      code: 'InvalidInput',
    });
    expect(await codes()).toEqual([]);
  });

  it('cause no unhandled rejection when the account is closed', async () => {
    await pets.countEntities({ filter: 'Price gt 5' });
    const list = collect(pets.listEntities({ filter: 'Price gt 5' }));
    const settled = await Promise.allSettled([list, account.close()]);

    expect(settled[1].status).toBe('fulfilled');
  });
});

describe('a scan of a table', () => {
  // No page has a range of texts that a filter could skip.
  const rows = (count: number) =>
    Array.from({ length: count }, (_, i) => {
      const text = [...`${i}`].reverse().join('');
      return { partitionKey: 'p', rowKey: `${i}`, text };
    });

  it('is reported if it compares more than 10,000 entities', async () => {
    const days = account.tableClient('Days');
    await days.createTable();
    await days.importEntities(rows(10_000));
    const filter = "text gt '5' and text lt '51'";
    expect(await codesOf(filter, days)).toEqual([]);

    await days.createEntity({ partitionKey: 'q', rowKey: 'q', text: 'q' });
    await days.countEntities({ filter: "text gt '6' and text lt '61'" });
    const [warning, ...others] = await warned();
    expect(others).toEqual([]);
    expect(warning).toMatchObject({ code: 'table-scan', table: 'Days' });
    expect(warning!.message).toContain('compares 10001 entities of table "Days"');

    expect(await codesOf("PartitionKey eq 'p' and text gt '7'", days)).toEqual([]);
    await collect(days.listEntities({ select: ['rowKey'] }));
    expect(await codes()).toEqual([]);
  });
});

describe('an import', () => {
  it('is reported if it stores a property under several types', async () => {
    const mixed = account.tableClient('Mixed');
    await mixed.createTable();
    await mixed.importEntities([
      { partitionKey: 'p', rowKey: '1', price: 3, name: 'a' },
      { partitionKey: 'p', rowKey: '2', price: 3.5, name: 'b' },
      { partitionKey: 'p', rowKey: '3', price: 'much' },
    ]);

    expect(await warned()).toEqual([
      {
        ...{ code: 'mixed-types', table: 'Mixed', property: 'price' },
        types: ['Edm.String', 'Edm.Int32', 'Edm.Double'],
        message: expect.stringContaining("{ type: 'Double', value: 3 }"),
      },
    ]);
  });

  it('is reported if the table has the property under another type', async () => {
    await pets.importEntities([{ partitionKey: 'p', rowKey: '2', price: 'much' }]);

    expect(await codes()).toEqual(['mixed-types']);
  });

  it('is not reported if it replaces the values of another type', async () => {
    const row = { partitionKey: 'p', rowKey: '1', price: 'much' };
    await pets.importEntities([row], { mode: 'Replace' });

    expect(await codes()).toEqual([]);
  });
});
