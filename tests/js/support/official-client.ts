// Every method of the official client's TableClient and TableServiceClient, wherever its requests
// go.

import {
  odata,
  TableTransaction,
  type TableClient,
  type TableEntity,
  type TableServiceClient,
} from '@azure/data-tables';
import { beforeEach, describe, expect, it } from 'vitest';

import { collect } from './accounts.js';

/** Clients of a fresh account. */
export interface OfficialClients {
  readonly service: TableServiceClient;

  /** The same at the secondary address, which is for reading. */
  readonly secondary: TableServiceClient;
  table(name: string): TableClient;
}

const ALL_TYPES = {
  name: 'Rex \u00e9\u{1f600}',
  age: 7,
  weight: 31.5,
  vaccinated: true,
  chip: { type: 'Int64', value: '276098102345678' },
  born: { type: 'DateTime', value: '2017-03-05T00:00:00.1234567Z' },
  tag: { type: 'Guid', value: '7b0b7a3e-52d7-4a43-9c1b-51e6f3f0c001' },
} as const;

/** Tests the client against accounts that `open` makes, one for each test. */
export function testOfficialClient(open: () => Promise<OfficialClients>): void {
  let service: TableServiceClient;
  let secondary: TableServiceClient;
  let pets: TableClient;

  beforeEach(async () => {
    const clients = await open();
    service = clients.service;
    secondary = clients.secondary;
    pets = clients.table('Pets');
    await pets.createTable();
  });

  describe('the official TableServiceClient', () => {
    it('creates, lists and deletes tables', async () => {
      await service.createTable('Birds');
      const names = async (filter?: string) =>
        (await collect(service.listTables({ ...(filter && { queryOptions: { filter } }) }))).map(
          ({ name }) => name,
        );

      expect(await names()).toEqual(['Birds', 'Pets']);
      expect(await names(odata`TableName ge ${'C'}`)).toEqual(['Pets']);
      await service.deleteTable('Birds');
      await service.deleteTable('Birds');
      expect(await names()).toEqual(['Pets']);
    });

    it('pages through tables', async () => {
      for (const name of ['A11', 'A22', 'A33']) await service.createTable(name);
      const pages = await collect(service.listTables().byPage({ maxPageSize: 2 }));

      expect(pages.map((page) => page.map(({ name }) => name))).toEqual([
        ['A11', 'A22'],
        ['A33', 'Pets'],
      ]);
    });
  });

  describe('the official TableClient', () => {
    const rex = { partitionKey: 'dogs', rowKey: "O'Rex 1", ...ALL_TYPES };

    it('creates a table that exists without an error', async () => {
      await pets.createTable();
      expect((await collect(service.listTables())).length).toBe(1);
    });

    it('gives every type back', async () => {
      const photo = Uint8Array.of(0, 127, 255);
      const { etag } = await pets.createEntity({ ...rex, photo });

      const found = await pets.getEntity<Record<string, unknown>>(rex.partitionKey, rex.rowKey, {
        disableTypeConversion: false,
      });

      expect(found.etag).toBe(etag);
      expect(found).toMatchObject({ name: rex.name, age: 7, weight: 31.5, vaccinated: true });
      expect(found['chip']).toBe(276098102345678n);
      expect(found['born']).toEqual(new Date('2017-03-05T00:00:00.123Z'));
      expect(found['tag']).toEqual(rex.tag);
      // A Buffer in Node.
      expect(Uint8Array.from(found['photo'] as Uint8Array)).toEqual(photo);
      expect(found.timestamp).toMatch(/^\d{4}-/);
    });

    it('selects properties', async () => {
      await pets.createEntity(rex);

      const found = await pets.getEntity(rex.partitionKey, rex.rowKey, {
        queryOptions: { select: ['age'] },
      });

      expect(found).toMatchObject({ age: 7 });
      expect(found).not.toHaveProperty('name');
    });

    it('updates by merging and replacing, if the etag is right', async () => {
      const { etag } = await pets.createEntity({ partitionKey: 'p', rowKey: 'r', a: 1 });
      const merged = await pets.updateEntity({ partitionKey: 'p', rowKey: 'r', b: 2 }, 'Merge', {
        etag: etag!,
      });
      expect(await pets.getEntity('p', 'r')).toMatchObject({ a: 1, b: 2, etag: merged.etag });

      await expect(
        pets.updateEntity({ partitionKey: 'p', rowKey: 'r', c: 3 }, 'Replace', { etag: etag! }),
      ).rejects.toMatchObject({
        statusCode: 412,
        details: { odataError: { code: 'UpdateConditionNotSatisfied' } },
      });

      await pets.updateEntity({ partitionKey: 'p', rowKey: 'r', c: 3 }, 'Replace');
      expect(await pets.getEntity('p', 'r')).not.toHaveProperty('a');
    });

    it('upserts', async () => {
      const entity = { partitionKey: 'p', rowKey: 'r' };
      await pets.upsertEntity({ ...entity, a: 1 });
      await pets.upsertEntity({ ...entity, b: 2 }, 'Merge');
      expect(await pets.getEntity('p', 'r')).toMatchObject({ a: 1, b: 2 });

      await pets.upsertEntity({ ...entity, c: 3 }, 'Replace');
      expect(await pets.getEntity('p', 'r')).not.toHaveProperty('a');
    });

    it('deletes, if the etag is right', async () => {
      const { etag } = await pets.createEntity({ partitionKey: 'p', rowKey: 'r' });
      await pets.upsertEntity({ partitionKey: 'p', rowKey: 'r', a: 1 });

      await expect(pets.deleteEntity('p', 'r', { etag: etag! })).rejects.toMatchObject({
        statusCode: 412,
      });
      await pets.deleteEntity('p', 'r');
      await expect(pets.getEntity('p', 'r')).rejects.toMatchObject({
        name: 'RestError',
        statusCode: 404,
        details: { odataError: { code: 'ResourceNotFound' } },
      });
    });

    it('reports why an entity cannot be created', async () => {
      await pets.createEntity({ partitionKey: 'p', rowKey: 'r' });

      await expect(pets.createEntity({ partitionKey: 'p', rowKey: 'r' })).rejects.toMatchObject({
        statusCode: 409,
        details: { odataError: { code: 'EntityAlreadyExists' } },
      });
      await expect(pets.createEntity({ partitionKey: 'a/b', rowKey: 'r' })).rejects.toMatchObject({
        statusCode: 400,
        details: { odataError: { code: 'OutOfRangeInput' } },
      });
    });

    it('queries by filter, with pages that go on', async () => {
      for (let i = 0; i < 7; i++) {
        await pets.createEntity({ partitionKey: 'p\u00e9', rowKey: `${i}`, even: i % 2 === 0 });
      }
      const filter = odata`PartitionKey eq ${'p\u00e9'} and even eq ${true}`;
      const list = () => pets.listEntities<{ even: boolean }>({ queryOptions: { filter } });
      const rows = (entities: { rowKey?: string }[]) =>
        entities.map(({ rowKey }) => rowKey).join('');

      expect(rows(await collect(list()))).toBe('0246');
      const pages = await collect(list().byPage({ maxPageSize: 3 }));
      expect(pages.map(rows)).toEqual(['024', '6']);
      const first = await list().byPage({ maxPageSize: 1 }).next();
      const { continuationToken } = first.value as { continuationToken?: string };
      const others = await collect(list().byPage({ continuationToken: continuationToken! }));
      expect(others.map(rows)).toEqual(['246']);
    });

    it('submits transactions, all or nothing', async () => {
      const transaction = new TableTransaction();
      for (let i = 0; i < 100; i++) transaction.createEntity({ partitionKey: 'p', rowKey: `${i}` });
      const { status, subResponses } = await pets.submitTransaction(transaction.actions);
      expect(status).toBe(202);
      expect(subResponses.map((one) => one.status)).toEqual(Array(100).fill(204));
      expect(subResponses[7]!.rowKey).toBe('7');
      expect((await pets.getEntity('p', '7')).etag).toBe(subResponses[7]!.etag);

      const entity = (rowKey: string): TableEntity => ({ partitionKey: 'p', rowKey, a: 1 });
      await pets.submitTransaction([
        ['update', entity('0'), 'Merge'],
        ['update', entity('1'), 'Replace', { etag: subResponses[1]!.etag! }],
        ['upsert', entity('x'), 'Merge'],
        ['upsert', entity('y'), 'Replace'],
        ['delete', entity('2')],
      ]);
      expect((await collect(pets.listEntities())).length).toBe(101);

      await expect(
        pets.submitTransaction([
          ['create', entity('new')],
          ['create', entity('0')],
        ]),
      ).rejects.toMatchObject({
        statusCode: 409,
        code: 'EntityAlreadyExists',
      });
      await expect(pets.getEntity('p', 'new')).rejects.toMatchObject({ statusCode: 404 });
    });

    it('deletes its table', async () => {
      await pets.deleteTable();
      await expect(pets.createEntity({ partitionKey: 'p', rowKey: 'r' })).rejects.toMatchObject({
        statusCode: 404,
        details: { odataError: { code: 'TableNotFound' } },
      });
      await pets.deleteTable();
    });

    it('is given up when its signal fires', async () => {
      const controller = new AbortController();
      controller.abort();
      const abortSignal = controller.signal;

      await expect(pets.getEntity('p', 'r', { abortSignal })).rejects.toMatchObject({
        name: 'AbortError',
      });
    });
  });

  describe('the settings of the official clients', () => {
    it('keeps access policies', async () => {
      const policies = [
        {
          id: 'readers',
          accessPolicy: {
            start: new Date('2024-01-01T00:00:00Z'),
            expiry: new Date('2030-01-01T00:00:00Z'),
            permission: 'r',
          },
        },
      ];
      expect([...(await pets.getAccessPolicy())]).toEqual([]);
      await pets.setAccessPolicy(policies);

      expect([...(await pets.getAccessPolicy())]).toEqual(policies);
      await expect(
        pets.setAccessPolicy(Array.from({ length: 6 }, (_, i) => ({ id: `${i}` }))),
      ).rejects.toMatchObject({ statusCode: 400 });
    });

    it('keeps the properties of the service', async () => {
      const rule = {
        allowedOrigins: 'https://a.example',
        allowedMethods: 'GET,PUT',
        allowedHeaders: 'x-ms-*',
        exposedHeaders: '',
        maxAgeInSeconds: 60,
      };
      const logging = {
        version: '1.0',
        read: true,
        write: false,
        delete: true,
        retentionPolicy: { enabled: true, days: 7 },
      };
      await service.setProperties({ cors: [rule] });
      await service.setProperties({ logging });
      const { cors, logging: kept, hourMetrics } = await service.getProperties();

      expect(kept).toEqual(logging);
      expect(cors).toEqual([rule]);
      expect(hourMetrics).toMatchObject({ enabled: false });
    });

    it('has statistics at the secondary address', async () => {
      expect((await secondary.getStatistics()).geoReplication).toMatchObject({ status: 'live' });
      await expect(secondary.createTable('New')).rejects.toMatchObject({ statusCode: 403 });
    });
  });
}
