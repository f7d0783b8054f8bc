import { describe, expect, it } from 'vitest';

import { createTableHandler } from '../../../js/src/http.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { openForTest } from '../support/accounts.js';

const BASE = 'http://127.0.0.1:10002/devstoreaccount1';
const JSON_BODY = { 'Content-Type': 'application/json' };
const GUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

async function serve(name = 'devstoreaccount1') {
  const account = await openForTest({
    storage: memoryStorage(),
    name,
  });
  const handler = createTableHandler(account, { authentication: 'anonymous' });
  const base = `http://127.0.0.1:10002/${name}`;
  const send = (method: string, path: string, init: RequestInit & { duplex?: 'half' } = {}) =>
    handler(new Request(base + path, { method, ...init }));
  const post = (path: string, body: object) =>
    send('POST', path, { headers: JSON_BODY, body: JSON.stringify(body) });
  return { account, handler, send, post };
}

async function codeOf(response: Response): Promise<string> {
  const { 'odata.error': error } = (await response.json()) as {
    'odata.error': { code: string };
  };
  return `${response.status} ${error.code}`;
}

const inChunks = (size: number, chunk = 65_536) => {
  let left = size;
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      const length = Math.min(left, chunk);
      left -= length;
      if (length > 0) controller.enqueue(new Uint8Array(length).fill(0x20));
      else controller.close();
    },
  });
};

describe('a table handler', () => {
  it('answers requests as the service does', async () => {
    const { post, send } = await serve();

    const made = await post('/Tables', { TableName: 'Pets' });
    expect(made.status).toBe(201);
    expect(made.headers.get('Location')).toBe(`${BASE}/Tables('Pets')`);
    expect(made.headers.get('x-ms-request-id')).toMatch(GUID);
    expect(made.headers.get('Content-Type')).toBe(
      'application/json;odata=minimalmetadata;streaming=true;charset=utf-8',
    );
    expect(await made.json()).toEqual({
      'odata.metadata': `${BASE}/$metadata#Tables/@Element`,
      TableName: 'Pets',
    });

    const inserted = await post('/Pets', { PartitionKey: 'a b', RowKey: "O'Neil", Age: 3 });
    expect(inserted.status).toBe(201);
    const location = inserted.headers.get('Location')!;
    expect(location).toBe(`${BASE}/Pets(PartitionKey='a%20b',RowKey='O''Neil')`);
    const read = await send('GET', location.slice(BASE.length));
    expect(await read.json()).toMatchObject({ RowKey: "O'Neil", Age: 3 });
    expect(read.headers.get('ETag')).toBe(inserted.headers.get('ETag'));
  });

  it('sends no body if an answer has none', async () => {
    const { account, post, send } = await serve();
    await account.createTable('Pets');
    await post('/Pets', { PartitionKey: 'p', RowKey: 'r' });
    const target = "/Pets(PartitionKey='p',RowKey='r')";

    const merged = await send('PATCH', target, { headers: JSON_BODY, body: '{"A":1}' });
    expect([merged.status, merged.body]).toEqual([204, null]);

    const etag = merged.headers.get('ETag')!;
    const same = await send('GET', target, { headers: { 'If-None-Match': etag } });
    expect([same.status, same.body]).toEqual([304, null]);

    const head = await send('HEAD', target);
    expect([head.status, await head.text()]).toEqual([405, '']);
  });

  it('reads the method in X-HTTP-Method', async () => {
    const { account, post, send } = await serve();
    await account.createTable('Pets');
    await post('/Pets', { PartitionKey: 'p', RowKey: 'r', A: 1 });

    const merged = await send('POST', "/Pets(PartitionKey='p',RowKey='r')", {
      headers: { ...JSON_BODY, 'X-HTTP-Method': 'MERGE', 'If-Match': '*' },
      body: '{"B":2}',
    });

    expect(merged.status).toBe(204);
    expect(await account.tableClient('Pets').getEntity('p', 'r')).toMatchObject({ A: 1, B: 2 });
  });

  it('accepts a body in many chunks', async () => {
    const { account, send } = await serve();
    await account.createTable('Pets');
    const bytes = new TextEncoder().encode('{"PartitionKey":"p","RowKey":"r","A":"\u00e9"}');
    const body = new Blob(Array.from(bytes, (byte) => Uint8Array.of(byte))).stream();

    // Browsers send streams by HTTP/2 alone, but make requests of them anywhere.
    const made = await send('POST', '/Pets', { headers: JSON_BODY, body, duplex: 'half' });

    expect(made.status).toBe(201);
    expect(await account.tableClient('Pets').getEntity('p', 'r')).toMatchObject({ A: '\u00e9' });
  });

  it('stops to read a body that is too long', async () => {
    const { account, send } = await serve();
    await account.createTable('Pets');
    let cancelled = false;
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(1_000_000).fill(0x20)),
      cancel: () => void (cancelled = true),
    });

    const refused = await send('POST', '/Pets', {
      headers: JSON_BODY,
      body: endless,
      duplex: 'half',
    });

    expect(await codeOf(refused)).toBe('413 RequestBodyTooLarge');
    expect(cancelled).toBe(true);
  });

  it('accepts a body of the greatest allowed length', async () => {
    const { account, send } = await serve();
    await account.createTable('Pets');
    const body = inChunks(4 * 2 ** 20);

    const refused = await send('POST', '/Pets', { headers: JSON_BODY, body, duplex: 'half' });

    // Blanks alone are no entity, but not too many of them.
    expect(await codeOf(refused)).toBe('400 InvalidInput');
  });

  it('rejects when the body of a request fails', async () => {
    const { account, send } = await serve();
    await account.createTable('Pets');
    const gone = new Error('the client has gone');
    const body = new ReadableStream({ pull: (controller) => controller.error(gone) });

    await expect(
      send('POST', '/Pets', { headers: JSON_BODY, body, duplex: 'half' }),
    ).rejects.toThrow('the client has gone');
  });

  it('withdraws a request whose signal fires', async () => {
    const { send } = await serve();
    const controller = new AbortController();
    const sent = send('GET', '/Tables', { signal: controller.signal });
    controller.abort();

    await expect(sent).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('answers in the form of the service when the account is closed', async () => {
    const { account, send } = await serve();
    await account.close();

    const refused = await send('GET', '/Tables');

    expect(refused.headers.get('x-ms-request-id')).toMatch(GUID);
    expect(await codeOf(refused)).toBe('503 AccountClosed');
  });

  it('echoes the version and the id that the client sent', async () => {
    const { send } = await serve();
    const headers = { 'x-ms-version': '2020-12-06', 'x-ms-client-request-id': 'mine' };

    const answer = await send('GET', '/Tables', { headers });

    expect(answer.headers.get('x-ms-version')).toBe('2020-12-06');
    expect(answer.headers.get('x-ms-client-request-id')).toBe('mine');
  });

  it('serves each account of a page by itself', async () => {
    const first = await serve('first');
    const second = await serve('second');
    await first.post('/Tables', { TableName: 'Pets' });

    expect(await (await first.send('GET', '/Tables')).json()).toMatchObject({
      value: [{ TableName: 'Pets' }],
    });
    expect(await (await second.send('GET', '/Tables')).json()).toMatchObject({ value: [] });
    const stray = new Request('http://127.0.0.1:10002/first/Tables');
    expect(await codeOf(await second.handler(stray))).toBe('400 InvalidUri');
  });

  it('leaves out the fragment of an address', async () => {
    const { send } = await serve();

    expect((await send('GET', '/Tables?$top=1#here')).status).toBe(200);
  });

  it('needs the option that says which requests are allowed', async () => {
    const { account } = await serve();

    expect(() => createTableHandler(account, {} as never)).toThrow(TypeError);
  });
});

describe('an entity that another client stored with names of system properties', () => {
  it('is read and written by the clients of this package', async () => {
    const { account, post, send } = await serve();
    await post('/Tables', { TableName: 'Pets' });
    const names = ['etag', 'timestamp', 'partitionKey', 'rowKey'];
    const members = Object.fromEntries(names.map((name) => [name, `a ${name}`]));
    await post('/Pets', { PartitionKey: 'p', RowKey: 'r', ...members });
    const table = account.tableClient('Pets');
    const mine = Object.fromEntries(names.map((name) => [`$${name}`, `a ${name}`]));

    const entity = await table.getEntity('p', 'r');
    expect(entity).toMatchObject({ partitionKey: 'p', rowKey: 'r', ...mine });
    expect(entity.etag).toMatch(/^W\//);
    for await (const listed of table.listEntities()) expect(listed).toEqual(entity);
    const typed = await table.getEntity('p', 'r', { disableTypeConversion: true });
    expect(typed['$etag']).toEqual({ type: 'String', value: 'a etag' });
    const query = { select: ['$etag', 'rowKey'], filter: "etag eq 'a etag'" };
    for await (const listed of table.listEntities(query)) {
      expect(listed).toEqual({ etag: entity.etag, rowKey: 'r', $etag: 'a etag' });
    }

    const keys = { partitionKey: 'p', rowKey: 'r' };
    await table.updateEntity({ ...entity, ...keys, $etag: 'new' }, 'Replace', {
      etag: entity.etag,
    });
    await table.importEntities([{ ...entity, rowKey: 's' }]);
    for (const [rowKey, etag] of Object.entries({ r: 'new', s: 'a etag' })) {
      const answer = await send('GET', `/Pets(PartitionKey='p',RowKey='${rowKey}')`);
      expect(await answer.json()).toMatchObject({ PartitionKey: 'p', ...members, etag });
    }
    expect(account.validator.validateEntity({ partitionKey: 'p', rowKey: 'r', ...mine })).toEqual(
      [],
    );
  });
});

describe('two handlers of one store', () => {
  // As two processes behind a load balancer.
  async function openTwo(fresh: boolean) {
    const storage = memoryStorage();
    const accounts = [await openForTest({ storage }), await openForTest({ storage })];
    await accounts[0]!.createTable('Pets');
    const [, there] = accounts.map((account) =>
      createTableHandler(account, { authentication: 'anonymous', fresh }),
    );
    const send = (path: string, init?: RequestInit) => there!(new Request(BASE + path, init));
    // The other account has read once.
    expect((await send('/Tables')).status).toBe(200);
    const [pets] = accounts.map((account) => account.tableClient('Pets'));
    return { pets: pets!, send };
  }

  it.each(['GET', 'a batch'])('with fresh, %s sees every earlier write', async (how) => {
    const { pets, send } = await openTwo(true);
    const path = "/Pets(PartitionKey='p',RowKey='r')";
    const read = async () => {
      if (how === 'GET') return (await send(path)).status;
      const parts = ['--b', 'Content-Type: application/http', '', `GET ${BASE}${path} HTTP/1.1`];
      const body = [...parts, 'Accept: application/json', '', '', '--b--', ''].join('\r\n');
      const headers = { 'Content-Type': 'multipart/mixed; boundary=b' };
      const answer = await send('/$batch', { method: 'POST', headers, body });
      return Number(/^HTTP\/1\.1 (\d+)/m.exec(await answer.text())?.[1]);
    };

    const before = await read();
    await pets.createEntity({ partitionKey: 'p', rowKey: 'r' });
    const after = await read();
    await pets.deleteEntity('p', 'r');

    expect([before, after, await read()]).toEqual([404, 200, 404]);
  });

  it('without fresh, may answer with an earlier state', async () => {
    const { pets, send } = await openTwo(false);
    await pets.createEntity({ partitionKey: 'p', rowKey: 'r' });

    expect((await send("/Pets(PartitionKey='p',RowKey='r')")).status).toBe(404);
  });
});
