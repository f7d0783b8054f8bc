// A Worker whose accounts are spread over several Durable Objects, with the official client.

import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import {
  AzureNamedKeyCredential,
  AzureSASCredential,
  TableClient,
  TableServiceClient,
} from '@azure/data-tables';
import type { Miniflare, MiniflareOptions } from 'miniflare';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { generateTableSas } from '../../../js/src/http.js';
import { testOfficialClient } from '../support/official-client.js';
import { bundled, startWorker } from '../support/durable-object/workerd.js';

const ACCOUNT = 'pets';
const key = btoa('a key');
const json = { Accept: 'application/json;odata=nometadata', 'Content-Type': 'application/json' };
const options = { allowInsecureConnection: true, retryOptions: { maxRetries: 0 } };

const scriptWith = (given: string) =>
  bundled({
    contents: `
      import { tableWorker } from 'entitable/edge';
      import wasm from 'entitable/entitable.wasm';
      const { TableObject, worker } = tableWorker({ wasm, ${given} });
      export { TableObject, worker as default };`,
  });

let scripts: Record<'four' | 'eight' | 'one' | 'open', string>;

beforeAll(async () => {
  scripts = {
    four: await scriptWith('shards: 4'),
    eight: await scriptWith('shards: 8'),
    one: await scriptWith('shards: 1'),
    open: await scriptWith("shards: 3, authorize: () => true, cors: true, accountIn: 'host'"),
  };
}, 60_000);

function started(script: string, more: Partial<MiniflareOptions> = {}): Miniflare {
  const worker = startWorker(script, {
    durableObjects: { TABLES: { className: 'TableObject', useSQLite: true } },
    bindings: { ENTITABLE_ACCOUNTS: `${ACCOUNT}:${key}` },
    ...more,
  } as Partial<MiniflareOptions>);
  onTestFinished(() => worker.dispose());
  return worker;
}

const credential = new AzureNamedKeyCredential(ACCOUNT, key);

async function clientsOf(worker: Miniflare) {
  const url = `${(await worker.ready).origin}/${ACCOUNT}`;
  return {
    url,
    service: new TableServiceClient(url, credential, options),
    pets: new TableClient(url, 'Pets', credential, options),
  };
}

async function collect<T>(all: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const one of all) found.push(one);
  return found;
}

const keysOf = (entities: { partitionKey?: string; rowKey?: string }[]) =>
  entities.map(({ partitionKey, rowKey }) => `${partitionKey}/${rowKey}`);

describe('a Worker with four objects for an account', { timeout: 30_000 }, () => {
  let worker: Miniflare;
  let accounts = 0;

  beforeAll(async () => {
    const names = Array.from({ length: 100 }, (_, at) => `account${at}:${key}`);
    worker = startWorker(scripts.four, {
      durableObjects: { TABLES: { className: 'TableObject', useSQLite: true } },
      bindings: { ENTITABLE_ACCOUNTS: names.join(';') },
    } as Partial<MiniflareOptions>);
    await worker.ready;
  });

  afterAll(() => worker.dispose());

  testOfficialClient(async () => {
    const name = `account${accounts++}`;
    const { origin } = await worker.ready;
    const own = new AzureNamedKeyCredential(name, key);
    return {
      service: new TableServiceClient(`${origin}/${name}`, own, options),
      secondary: new TableServiceClient(`${origin}/${name}-secondary`, own, options),
      table: (table) => new TableClient(`${origin}/${name}`, table, own, options),
    };
  });
});

describe('a Worker with several objects for an account', { timeout: 60_000 }, () => {
  it('serves the official client', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'entitable-shards-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const worker = started(scripts.four, { durableObjectsPersist: folder });
    const { url, service, pets } = await clientsOf(worker);
    await pets.createTable();
    await service.createTable('Logs');
    expect((await collect(service.listTables())).map(({ name }) => name)).toEqual(['Logs', 'Pets']);

    const partitions = Array.from({ length: 40 }, (_, at) => `p${`${at}`.padStart(2, '0')}`);
    await Promise.all(
      partitions.map((partitionKey, at) =>
        pets.submitTransaction([
          ['create', { partitionKey, rowKey: '1', age: at }],
          ['create', { partitionKey, rowKey: '2', age: at, name: 'Rex' }],
        ]),
      ),
    );
    const expected = partitions.flatMap((partition) => [`${partition}/1`, `${partition}/2`]);

    // In one page, in pages of other lengths, with a filter, with a projection.
    expect(keysOf(await collect(pets.listEntities()))).toEqual(expected);
    const pages = await collect(pets.listEntities().byPage({ maxPageSize: 7 }));
    expect(pages.map(({ length }) => length)).toEqual([...new Array<number>(11).fill(7), 3]);
    expect(keysOf(pages.flat())).toEqual(expected);
    const named = pets.listEntities<{ name: string }>({
      queryOptions: { filter: "name eq 'Rex' and age lt 10", select: ['name', 'rowKey'] },
    });
    expect((await collect(named)).map(({ name, rowKey }) => `${name} ${rowKey}`)).toEqual(
      new Array(10).fill('Rex 2'),
    );
    const ofOne = pets.listEntities({ queryOptions: { filter: "PartitionKey eq 'p07'" } });
    expect(keysOf(await collect(ofOne))).toEqual(['p07/1', 'p07/2']);

    const { etag } = await pets.getEntity('p03', '1');
    await pets.updateEntity({ partitionKey: 'p03', rowKey: '1', age: 99 }, 'Merge', {
      etag: etag!,
    });
    expect(await pets.getEntity('p03', '1')).toMatchObject({ age: 99 });
    await pets.deleteEntity('p03', '1');
    await expect(pets.getEntity('p03', '1')).rejects.toMatchObject({ statusCode: 404 });
    await expect(pets.createEntity({ partitionKey: 'p03', rowKey: '2' })).rejects.toMatchObject({
      statusCode: 409,
    });

    const sas = await generateTableSas({
      ...{ account: ACCOUNT, key, table: 'Pets', permissions: 'r' },
      ...{ startPartitionKey: 'p10', endPartitionKey: 'p12' },
      expiresOn: new Date(Date.now() + 600_000),
    });
    const reader = new TableClient(url, 'Pets', new AzureSASCredential(sas), options);
    expect(keysOf(await collect(reader.listEntities()))).toEqual(
      ['p10', 'p11', 'p12'].flatMap((partition) => [`${partition}/1`, `${partition}/2`]),
    );
    await expect(reader.createEntity({ partitionKey: 'p11', rowKey: 'x' })).rejects.toMatchObject({
      statusCode: 403,
    });

    await pets.deleteTable();
    await expect(pets.getEntity('p05', '1')).rejects.toMatchObject({ statusCode: 404 });
    await pets.createTable();
    expect(await collect(pets.listEntities())).toEqual([]);

    // The catalogue and four shards.
    const objects = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
      /[0-9a-f]{64}\.sqlite$/.test(name),
    );
    expect(objects).toHaveLength(5);
  });

  it('asks stored policies and permissions in each object', async () => {
    const worker = started(scripts.four);
    const { url, pets } = await clientsOf(worker);
    await pets.createTable();
    await pets.setAccessPolicy([
      { id: 'readers', accessPolicy: { permission: 'r', expiry: new Date(Date.now() + 600_000) } },
    ]);
    const sas = await generateTableSas({
      ...{ account: ACCOUNT, key, table: 'Pets', identifier: 'readers' },
    });
    const reader = new TableClient(url, 'Pets', new AzureSASCredential(sas), options);

    for (const partitionKey of ['a', 'b', 'c', 'd', 'e', 'f']) {
      await pets.createEntity({ partitionKey, rowKey: '1' });
      expect(await reader.getEntity(partitionKey, '1')).toMatchObject({ partitionKey });
      await expect(reader.deleteEntity(partitionKey, '1')).rejects.toMatchObject({
        statusCode: 403,
      });
    }
    expect(await collect(reader.listEntities())).toHaveLength(6);
    await pets.setAccessPolicy([]);
    await expect(reader.getEntity('a', '1')).rejects.toMatchObject({ statusCode: 403 });
  });

  it('lets signatures in from the address that they name', async () => {
    const worker = started(scripts.four);
    const { url, pets } = await clientsOf(worker);
    await pets.createTable();
    const sas = await generateTableSas({
      ...{ account: ACCOUNT, key, table: 'Pets', permissions: 'r', ipRange: '10.1.1.1' },
      expiresOn: new Date(Date.now() + 600_000),
    });
    const read = async (path: string, address: string) =>
      (
        await worker.dispatchFetch(`${url}/${path}?${sas}`, {
          headers: { ...json, 'CF-Connecting-IP': address },
        })
      ).status;

    expect(await read('Pets', '10.1.1.1')).toBe(200);
    expect(await read('Pets', '10.1.1.2')).toBe(403);
    expect(await read("Pets(PartitionKey='a',RowKey='b')", '10.1.1.1')).toBe(404);
    expect(await read("Pets(PartitionKey='a',RowKey='b')", '10.1.1.2')).toBe(403);
  });

  it('serves accounts in objects with keys and values', async () => {
    const worker = started(scripts.four, {
      durableObjects: { TABLES: { className: 'TableObject', useSQLite: false } },
    });
    const { pets } = await clientsOf(worker);
    await pets.createTable();
    for (const partitionKey of ['c', 'a', 'b'])
      await pets.createEntity({ partitionKey, rowKey: '1' });

    expect(keysOf(await collect(pets.listEntities()))).toEqual(['a/1', 'b/1', 'c/1']);
  });

  it('refuses wrong signatures, for tables and for entities', async () => {
    const { url } = await clientsOf(started(scripts.four));
    const wrong = new AzureNamedKeyCredential(ACCOUNT, btoa('another key'));
    const pets = new TableClient(url, 'Pets', wrong, options);

    await expect(pets.createTable()).rejects.toMatchObject({ statusCode: 403 });
    await expect(pets.getEntity('a', 'b')).rejects.toMatchObject({ statusCode: 403 });
    await expect(collect(pets.listEntities())).rejects.toMatchObject({ statusCode: 403 });
  });

  it('lets no client talk to the catalogue', async () => {
    const worker = started(scripts.open);
    const send = (method: string, path: string, header: string, body?: string) =>
      worker.dispatchFetch(`http://pets.tables.example.com${path}`, {
        method,
        headers: { ...json, 'x-entitable-catalogue': header },
        ...(body !== undefined && { body }),
      });

    expect((await send('POST', '/Tables', 'open 7', '{"TableName":"Pets"}')).status).toBe(201);
    const entity = '{"PartitionKey":"a","RowKey":"1"}';
    expect((await send('POST', '/Pets', 'open 3', entity)).status).toBe(201);
    const answer = await send('GET', "/Pets(PartitionKey='a',RowKey='1')", 'settle pets');
    expect(await answer.json()).toMatchObject({ PartitionKey: 'a' });
    expect((await send('DELETE', "/Tables('Pets')", 'settle Pets')).status).toBe(204);
  });

  it('answers pages of other origins', async () => {
    const worker = started(scripts.open);
    const send = (method: string, path: string, headers: Record<string, string>, body?: string) =>
      worker.dispatchFetch(`http://pets.tables.example.com${path}`, {
        method,
        headers: { ...json, Origin: 'https://example.com', ...headers },
        ...(body !== undefined && { body }),
      });

    const preflight = await send('OPTIONS', '/Pets', { 'Access-Control-Request-Method': 'GET' });
    expect(preflight.status).toBe(200);
    await send('POST', '/Tables', {}, '{"TableName":"Pets"}');
    for (const key of ['a', 'b', 'c', 'd']) {
      await send('POST', '/Pets', {}, JSON.stringify({ PartitionKey: key, RowKey: '1' }));
    }
    const page = await send('GET', '/Pets?$top=2', {});
    expect(page.headers.get('Access-Control-Allow-Origin')).toBe('*');
    expect(page.headers.get('Access-Control-Expose-Headers')?.toLowerCase()).toContain(
      'x-ms-continuation-nextpartitionkey',
    );
    expect(((await page.json()) as { value: unknown[] }).value).toHaveLength(2);
  });

  it('lets a Worker of an earlier deployment write nothing to the catalogue', async () => {
    // Its requests go to the object of the account.
    const script = await bundled({
      contents: `
        import { tableWorker } from 'entitable/edge';
        import wasm from 'entitable/entitable.wasm';
        const { TableObject, worker } = tableWorker({ wasm, shards: 2, authorize: () => true });
        const early = (request, { TABLES }) => TABLES.get(TABLES.idFromName('pets')).fetch(request);
        export { TableObject };
        export default {
          fetch: (request, env) =>
            request.headers.has('early') ? early(request, env) : worker.fetch(request, env),
        };`,
    });
    const worker = started(script);
    const send = (path: string, body: string, headers: Record<string, string> = {}) =>
      worker.dispatchFetch(`http://localhost/pets${path}`, {
        method: 'POST',
        headers: { ...json, ...headers },
        body,
      });
    const entity = '{"PartitionKey":"a","RowKey":"1"}';

    expect((await send('/Pets', entity, { early: '1' })).status).toBe(404);
    expect((await send('/Tables', '{"TableName":"Pets"}')).status).toBe(201);
    expect((await send('/Pets', entity, { early: '1' })).status).toBe(503);
    expect((await send('/Pets', entity)).status).toBe(201);
  });

  it.each([
    ['four', 'one', 'The account has 4 shards: the Worker needs the option shards.'],
    ['one', 'four', 'The account has tables already, which are not in shards.'],
  ] as const)('refuses an account of %s with %s', async (before, after, reason) => {
    const folder = mkdtempSync(join(tmpdir(), 'entitable-shards-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const persist = { durableObjectsPersist: folder };
    const first = startWorker(scripts[before], {
      durableObjects: { TABLES: { className: 'TableObject', useSQLite: true } },
      bindings: { ENTITABLE_ACCOUNTS: `${ACCOUNT}:${key}` },
      ...persist,
    } as Partial<MiniflareOptions>);
    await (await clientsOf(first)).pets.createTable();
    await first.dispose();

    const lines: string[] = [];
    const second = started(scripts[after], {
      ...persist,
      handleRuntimeStdio: (stdout: NodeJS.ReadableStream, stderr: NodeJS.ReadableStream) => {
        for (const stream of [stdout, stderr]) {
          stream.on('data', (chunk) => lines.push(String(chunk)));
        }
      },
    } as Partial<MiniflareOptions>);
    const { pets } = await clientsOf(second);
    await expect(collect(pets.listEntities())).rejects.toMatchObject({ statusCode: 503 });
    await expect.poll(() => lines.join('')).toContain(reason);
  });
});
