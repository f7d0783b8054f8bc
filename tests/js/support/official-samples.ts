// The samples of the official client. Each sample that needs only a key has a test.

import {
  odata,
  TableTransaction,
  type TableClient,
  type TableServiceClient,
  type TransactionAction,
} from '@azure/data-tables';
import { describe, expect, it } from 'vitest';

import { collect } from './accounts.js';
import type { OfficialClients } from './official-client.js';

const PRODUCTS = [
  { partitionKey: 'stationery', rowKey: 'A1', name: 'Marker', price: 5.5, quantity: 34 },
  { partitionKey: 'stationery', rowKey: 'A2', name: 'Pen', price: 2.25, quantity: 50 },
  { partitionKey: 'stationery', rowKey: 'A3', name: 'Ruler', price: 1.5, quantity: 5 },
  { partitionKey: 'toys', rowKey: 'A1', name: 'Top', price: 4.75, quantity: 9 },
] as const;

type OperationOptions = NonNullable<Parameters<TableServiceClient['createTable']>[1]>;

/** Tests what the samples show, each against an account of its own. */
export function testOfficialSamples(open: () => Promise<OfficialClients>): void {
  const openTable = async (name = 'Products') => {
    const { table } = await open();
    const products = table(name);
    await products.createTable();
    return { products, table };
  };
  const fill = async (table: TableClient) => {
    for (const product of PRODUCTS) await table.createEntity(product);
  };

  describe('the samples of the official client', () => {
    it('make a table, see that it exists, and drop it', async () => {
      const { service } = await open();
      const statusOf = async (call: (options: OperationOptions) => Promise<void>) => {
        let last = 0;
        await call({ onResponse: ({ status }) => void (last = status) });
        return last;
      };

      expect(await statusOf((options) => service.createTable('newtable', options))).toBe(201);
      expect(await statusOf((options) => service.createTable('newtable', options))).toBe(409);
      expect(await statusOf((options) => service.deleteTable('newtable', options))).toBe(204);
      expect(await statusOf((options) => service.deleteTable('newtable', options))).toBe(404);
    });

    it('find tables by their name', async () => {
      const { service } = await open();
      await service.createTable('first');
      await service.createTable('second');
      const filter = odata`TableName eq ${'second'}`;

      const tables = await collect(service.listTables({ queryOptions: { filter } }));

      expect(tables.map(({ name }) => name)).toEqual(['second']);
    });

    it('create an entity, read it and delete it', async () => {
      const { products } = await openTable();
      const [marker] = PRODUCTS;
      await products.createEntity(marker);

      expect(await products.getEntity('stationery', 'A1')).toMatchObject(marker);
      await products.deleteEntity('stationery', 'A1');
      expect(await collect(products.listEntities())).toEqual([]);
    });

    it('query by price, and select', async () => {
      const { products } = await openTable();
      await fill(products);
      const query = { filter: odata`price le ${5}`, select: ['name'] };

      const cheap = await collect(products.listEntities({ queryOptions: query }));

      expect(cheap.map((one) => one['name'])).toEqual(['Pen', 'Ruler', 'Top']);
      expect(cheap[0]).not.toHaveProperty('price');
    });

    it('read single pages', async () => {
      const { products } = await openTable();
      await fill(products);
      const iterator = products.listEntities().byPage({ maxPageSize: 3 });

      expect((await iterator.next()).value).toHaveLength(3);
      expect((await iterator.next()).value).toHaveLength(1);
      expect((await iterator.next()).done).toBe(true);
    });

    it('go on from a continuation token in a client of its own', async () => {
      const { products, table } = await openTable();
      await fill(products);
      const first = await products.listEntities().byPage({ maxPageSize: 2 }).next();
      const { continuationToken } = first.value as { continuationToken: string };

      const others = table('Products').listEntities().byPage({ continuationToken });

      const names = (await collect(others)).flat().map((one) => one['name']);
      expect(names).toEqual(['Ruler', 'Top']);
    });

    it('submit actions as a transaction', async () => {
      const { products } = await openTable();
      const [, pen, ruler] = PRODUCTS;
      await products.createEntity(ruler);
      const actions: TransactionAction[] = [
        ['create', pen],
        ['update', { ...ruler, price: 2 }, 'Replace'],
        ['upsert', { partitionKey: 'stationery', rowKey: 'A4', name: 'Ink' }, 'Merge'],
      ];

      const { status, subResponses } = await products.submitTransaction(actions);

      expect(status).toBe(202);
      expect(subResponses.every((one) => one.status === 204 && one.etag)).toBe(true);
      expect(await products.getEntity('stationery', 'A3')).toMatchObject({ price: 2 });
    });

    it('build a transaction with the helper, and find its answers by key', async () => {
      const { products } = await openTable();
      const transaction = new TableTransaction();
      const [marker, pen, ruler] = PRODUCTS;
      for (const product of [marker, pen, ruler]) transaction.createEntity(product);
      transaction.upsertEntity({ partitionKey: 'stationery', rowKey: 'A4' }, 'Replace');

      const answer = await products.submitTransaction(transaction.actions);

      expect(answer.getResponseForEntity('A2')).toMatchObject({ status: 204 });
      await products.submitTransaction([
        ['delete', { partitionKey: 'stationery', rowKey: 'A4' }],
        ['update', { partitionKey: 'stationery', rowKey: 'A1', price: 6 }, 'Merge'],
      ]);
      const found = await collect(products.listEntities());
      expect(found.map((one) => one['price'])).toEqual([6, 2.25, 1.5]);
    });

    it('merge and replace, by update and by upsert', async () => {
      const { products } = await openTable();
      const key = { partitionKey: 'stationery', rowKey: 'A1' };
      await products.createEntity({ ...key, name: 'Marker', price: 5 });

      await products.updateEntity({ ...key, brand: 'Ours' }, 'Merge');
      expect(await products.getEntity('stationery', 'A1')).toMatchObject({ price: 5 });
      await products.upsertEntity({ ...key, brand: 'Theirs' }, 'Replace');
      expect(await products.getEntity('stationery', 'A1')).not.toHaveProperty('price');
      await products.upsertEntity({ ...key, price: 4 }, 'Merge');
      const last = await products.getEntity('stationery', 'A1');
      expect(last).toMatchObject({ brand: 'Theirs', price: 4 });
    });

    it('keep integers of 64 bits, as BigInt and as text', async () => {
      const { products } = await openTable();
      const key = { partitionKey: 'p', rowKey: '1' };
      await products.createEntity({ ...key, large: 9223372036854775807n });
      await products.createEntity({
        partitionKey: 'p',
        rowKey: '2',
        large: { type: 'Int64', value: '-9223372036854775808' },
      });
      const filter = 'large gt 4611686018427387904L';

      const [found] = await collect(products.listEntities({ queryOptions: { filter } }));
      const asText = await products.getEntity('p', '2', { disableTypeConversion: true });

      expect(found).toMatchObject({ rowKey: '1', large: 9223372036854775807n });
      expect(asText['large']).toEqual({ type: 'Int64', value: '-9223372036854775808' });
    });

    it('copy a table to another, a transaction for each partition', async () => {
      const { products, table } = await openTable();
      await fill(products);
      const copy = table('Copy');
      await copy.createTable();
      const actions = new Map<string, TransactionAction[]>();
      for await (const { partitionKey, rowKey, name } of products.listEntities<{
        name: string;
      }>()) {
        const entity = { partitionKey: partitionKey!, rowKey: rowKey!, name };
        const ofPartition = actions.get(entity.partitionKey) ?? [];
        actions.set(entity.partitionKey, [...ofPartition, ['upsert', entity, 'Replace']]);
      }
      for (const ofPartition of actions.values()) await copy.submitTransaction(ofPartition);

      const copied = await collect(copy.listEntities());
      expect(copied.map((one) => one['name'])).toEqual(['Marker', 'Pen', 'Ruler', 'Top']);
    });
  });
}
