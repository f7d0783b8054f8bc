// Two clients that are older than the official one, with their own ways of writing requests: they
// create, insert, query with paging, send batches and delete.

import { createRequire } from 'node:module';

import { beforeEach, describe, expect, it } from 'vitest';

import { serve } from '../package/support/serve.js';

const require = createRequire(import.meta.url);

type Callback = (error: unknown, ...results: unknown[]) => void;
type Method = (...words: unknown[]) => unknown;

/** Calls a method whose last argument is a callback; resolves with what the callback is given. */
function call<T extends unknown[]>(client: object, name: string, ...words: unknown[]): Promise<T> {
  return new Promise((resolve, reject) => {
    const done: Callback = (error, ...results) => {
      if (error) reject(error as Error);
      else resolve(results as T);
    };
    (client as Record<string, Method>)[name]!(...words, done);
  });
}

const ROWS = 7;
const PAGE = 3;

describe('azure-storage', () => {
  const azure = require('azure-storage');
  const { entityGenerator: make } = azure.TableUtilities;
  const key = (row: string) => ({
    PartitionKey: make.String('p \u00e9'),
    RowKey: make.String(row),
  });
  let tables: object;

  beforeEach(async () => {
    const { connectionString } = await serve('--in-memory', '--quiet');
    tables = azure.createTableService(connectionString);
    await call(tables, 'createTable', 'Pets');
  });

  const rowsOf = async (query: object) => {
    const pages: string[] = [];
    let token: unknown = null;
    do {
      const [{ entries, continuationToken }] = await call<
        [{ entries: { RowKey: { _: string } }[]; continuationToken: unknown }]
      >(tables, 'queryEntities', 'Pets', query, token);
      pages.push(entries.map(({ RowKey }) => RowKey._).join(''));
      token = continuationToken;
    } while (token);
    return pages;
  };

  it('makes, lists and drops tables', async () => {
    await call(tables, 'createTable', 'Birds');
    const [{ created }] = await call<[{ created: boolean }]>(
      tables,
      'createTableIfNotExists',
      'Birds',
    );
    const [{ entries }] = await call<[{ entries: string[] }]>(tables, 'listTablesSegmented', null);
    const [{ exists }] = await call<[{ exists: boolean }]>(tables, 'doesTableExist', 'Fish');
    await call(tables, 'deleteTable', 'Birds');

    expect({ created, entries, exists }).toEqual({
      created: false,
      entries: ['Birds', 'Pets'],
      exists: false,
    });
    await expect(call(tables, 'deleteTable', 'Birds')).rejects.toMatchObject({
      code: 'ResourceNotFound',
      statusCode: 404,
    });
  });

  it('gives every type back', async () => {
    await call(tables, 'insertEntity', 'Pets', {
      ...key("O'Rex"),
      name: make.String('Rex \u00e9'),
      age: make.Int32(7),
      chip: make.Int64('9007199254740993'),
      weight: make.Double(31.5),
      whole: make.Double(3),
      isVaccinated: make.Boolean(true),
      born: make.DateTime(new Date('2017-03-05T00:00:00.123Z')),
      tag: make.Guid('7b0b7a3e-52d7-4a43-9c1b-51e6f3f0c001'),
      photo: make.Binary(Buffer.of(0, 127, 255)),
    });

    const [rex] = await call<[Record<string, { _: unknown }>]>(
      tables,
      'retrieveEntity',
      'Pets',
      'p \u00e9',
      "O'Rex",
    );

    expect(Object.fromEntries(Object.entries(rex).map(([name, { _ }]) => [name, _]))).toMatchObject(
      {
        name: 'Rex \u00e9',
        age: 7,
        chip: '9007199254740993',
        weight: 31.5,
        whole: 3,
        isVaccinated: true,
        born: new Date('2017-03-05T00:00:00.123Z'),
        tag: '7b0b7a3e-52d7-4a43-9c1b-51e6f3f0c001',
        photo: Buffer.of(0, 127, 255),
      },
    );
  });

  it('replaces, merges and deletes, if the etag is right', async () => {
    const [inserted] = await call<[object]>(tables, 'insertEntity', 'Pets', {
      ...key('r'),
      a: make.Int32(1),
    });
    await call(tables, 'mergeEntity', 'Pets', { ...key('r'), b: make.Int32(2) });
    const stale = { ...key('r'), ...inserted };

    await expect(call(tables, 'replaceEntity', 'Pets', stale)).rejects.toMatchObject({
      code: 'UpdateConditionNotSatisfied',
    });
    await call(tables, 'insertOrMergeEntity', 'Pets', { ...key('r'), c: make.Int32(3) });
    const [merged] = await call<[object]>(tables, 'retrieveEntity', 'Pets', 'p \u00e9', 'r');
    expect(merged).toMatchObject({ a: { _: 1 }, b: { _: 2 }, c: { _: 3 } });
    await call(tables, 'insertOrReplaceEntity', 'Pets', key('r'));
    const [replaced] = await call<[object]>(tables, 'retrieveEntity', 'Pets', 'p \u00e9', 'r');
    expect(replaced).not.toHaveProperty('a');
    await call(tables, 'deleteEntity', 'Pets', key('r'));
    await expect(call(tables, 'retrieveEntity', 'Pets', 'p \u00e9', 'r')).rejects.toMatchObject({
      code: 'ResourceNotFound',
    });
  });

  it('queries page by page', async () => {
    for (let row = 0; row < ROWS; row++) {
      await call(tables, 'insertEntity', 'Pets', { ...key(`${row}`), row: make.Int32(row) });
    }
    const query = () => new azure.TableQuery();

    expect(await rowsOf(query().top(PAGE))).toEqual(['012', '345', '6']);
    expect(await rowsOf(query().where('PartitionKey eq ? and row ge ?', 'p \u00e9', 4))).toEqual([
      '456',
    ]);
    expect(await rowsOf(query().where('RowKey eq ?', 'none'))).toEqual(['']);
  });

  it('sends batches, all or nothing', async () => {
    const batch = new azure.TableBatch();
    for (let row = 0; row < ROWS; row++) batch.insertEntity(key(`${row}`), { echoContent: true });
    const [inserted] = await call<[{ entity: object }[]]>(tables, 'executeBatch', 'Pets', batch);
    expect(inserted.map(({ entity }) => entity)).toMatchObject(
      Array.from({ length: ROWS }, (_, row) => key(`${row}`)),
    );

    const second = new azure.TableBatch();
    second.deleteEntity(key('0'));
    second.mergeEntity({ ...key('1'), a: make.Int32(1) });
    second.insertOrReplaceEntity({ ...key('x') });
    await call(tables, 'executeBatch', 'Pets', second);
    expect(await rowsOf(new azure.TableQuery())).toEqual(['123456x']);

    const third = new azure.TableBatch();
    third.deleteEntity(key('1'));
    third.insertEntity(key('2'));
    await expect(call(tables, 'executeBatch', 'Pets', third)).rejects.toMatchObject({
      code: 'EntityAlreadyExists',
    });
    expect(await rowsOf(new azure.TableQuery())).toEqual(['123456x']);
  });
});

describe('azure-table-node', () => {
  const { createClient, Query } = require('azure-table-node');
  const key = (row: string) => ({ PartitionKey: 'p', RowKey: row });
  let tables: { startBatch(): Record<string, Method> };

  beforeEach(async () => {
    const { connectionString, url } = await serve('--in-memory', '--quiet');
    tables = createClient({
      accountUrl: `${url.href}/`,
      accountName: 'devstoreaccount1',
      accountKey: /AccountKey=([^;]+)/.exec(connectionString)![1],
      retry: false,
    });
    await call(tables, 'createTable', 'Pets');
  });

  type Page = [entities: { RowKey: string }[], continuation?: string[]];

  const rowsOf = async (options: object) => {
    const pages: string[] = [];
    let continuation: string[] | undefined;
    do {
      const page: Page = await call<Page>(tables, 'queryEntities', 'Pets', {
        ...options,
        continuation,
      });
      pages.push(page[0].map(({ RowKey }) => RowKey).join(''));
      continuation = page[1];
    } while (continuation);
    return pages;
  };

  it('makes, lists and drops tables', async () => {
    await call(tables, 'createTable', 'Birds');
    const [names] = await call<[string[]]>(tables, 'listTables');
    await call(tables, 'deleteTable', 'Birds');

    expect(names).toEqual(['Birds', 'Pets']);
    await expect(call(tables, 'deleteTable', 'Birds')).rejects.toMatchObject({
      code: 'ResourceNotFound',
    });
  });

  it('gives every type back', async () => {
    const rex = {
      ...key("O'Rex \u00e9"),
      name: 'Rex \u00e9',
      age: 7,
      weight: 31.5,
      isVaccinated: true,
      born: new Date('2017-03-05T00:00:00.123Z'),
      tag: '7b0b7a3e-52d7-4a43-9c1b-51e6f3f0c001',
      photo: Buffer.of(0, 127, 255),
    };
    await call(tables, 'insertEntity', 'Pets', rex);

    const [found] = await call<[object]>(tables, 'getEntity', 'Pets', 'p', rex.RowKey);

    expect(found).toMatchObject(rex);
  });

  it('updates, merges and deletes, if the etag is right', async () => {
    const [etag] = await call<[string]>(tables, 'insertEntity', 'Pets', { ...key('r'), a: 1 });
    await call(tables, 'mergeEntity', 'Pets', { ...key('r'), b: 2 }, { force: true });

    const stale = { ...key('r'), __etag: etag };
    await expect(call(tables, 'updateEntity', 'Pets', stale)).rejects.toMatchObject({
      code: 'UpdateConditionNotSatisfied',
    });
    await call(tables, 'insertOrMergeEntity', 'Pets', { ...key('r'), c: 3 });
    const [merged] = await call<[object]>(tables, 'getEntity', 'Pets', 'p', 'r');
    expect(merged).toMatchObject({ a: 1, b: 2, c: 3 });
    await call(tables, 'insertOrReplaceEntity', 'Pets', { ...key('r') });
    const [replaced] = await call<[object]>(tables, 'getEntity', 'Pets', 'p', 'r');
    expect(replaced).not.toHaveProperty('a');
    await call(tables, 'deleteEntity', 'Pets', key('r'), { force: true });
    await expect(call(tables, 'getEntity', 'Pets', 'p', 'r')).rejects.toMatchObject({
      code: 'ResourceNotFound',
    });
  });

  it('queries page by page', async () => {
    for (let row = 0; row < ROWS; row++) {
      await call(tables, 'insertEntity', 'Pets', { ...key(`${row}`), row });
    }

    expect(await rowsOf({ limitTo: PAGE })).toEqual(['012', '345', '6']);
    expect(await rowsOf({ query: Query.create('row', '>=', 4) })).toEqual(['456']);
    expect(await rowsOf({ query: Query.create('RowKey', '==', 'none') })).toEqual(['']);
  });

  it('sends batches, all or nothing', async () => {
    const insert = tables.startBatch();
    for (let row = 0; row < ROWS; row++) insert['insertEntity']!('Pets', key(`${row}`));
    const [etags] = await call<[string[]]>(insert, 'commit');
    expect(etags.every((etag) => etag.startsWith('W/'))).toBe(true);

    const change = tables.startBatch();
    change['mergeEntity']!('Pets', { ...key('1'), a: 1 }, { force: true });
    change['deleteEntity']!('Pets', { ...key('0') }, { force: true });
    change['insertOrReplaceEntity']!('Pets', key('x'));
    await call(change, 'commit');
    expect(await rowsOf({})).toEqual(['123456x']);

    const refused = tables.startBatch();
    refused['deleteEntity']!('Pets', key('1'), { force: true });
    refused['insertEntity']!('Pets', key('2'));
    await expect(call(refused, 'commit')).rejects.toMatchObject({ code: 'EntityAlreadyExists' });
    expect(await rowsOf({})).toEqual(['123456x']);
  });
});
