import { beforeEach, describe, expect, it, vi } from 'vitest';

import { createShardCatalogue, createShardRouter } from '../../../../js/src/edge.js';
import { createTableHandler, type TableHandler } from '../../../../js/src/http.js';
import { memoryStorage } from '../../../../js/src/storage/memory.js';
import { openForTest } from '../../support/accounts.js';
import {
  ACCOUNT,
  BASE_URL,
  JSON_HEADERS,
  openSharded,
  textRecords,
  type Fate,
  type Sharded,
} from '../../support/shards.js';
import { wasmBytes } from '../../support/wasm.js';

const SHARDS = 4;

async function withPets(fateOf?: (step: string) => Fate): Promise<Sharded> {
  const account = await openSharded(SHARDS, fateOf);
  await account.send('POST', '/Tables', { headers: JSON_HEADERS, body: '{"TableName":"Pets"}' });
  account.steps.length = 0;
  return account;
}

const upsert = ({ send }: Sharded, partition: string, value: unknown = 1) =>
  send('PUT', `/Pets(PartitionKey='${partition}',RowKey='1')`, {
    headers: JSON_HEADERS,
    body: JSON.stringify({ value }),
  });

const batch = (parts: string[]) => ({
  headers: { 'Content-Type': 'multipart/mixed; boundary=b' },
  body:
    '--b\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n' +
    parts.map((part) => `--c\r\nContent-Type: application/http\r\n\r\n${part}\r\n\r\n`).join('') +
    '--c--\r\n--b--\r\n',
});

/** The shards that were asked, in order. */
const asked = ({ steps }: Sharded) =>
  steps.map((step) => /^router → (shard \d|catalogue)/.exec(step)?.[1]);

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
});

describe('a router', () => {
  it('asks one shard for a partition, the same for every request', async () => {
    const account = await withPets();
    await upsert(account, 'dogs');
    const path = "/pets(PartitionKey='dogs',RowKey='1')";
    await account.send('GET', path);
    await account.send('GET', "/PETS?$filter=PartitionKey eq 'dogs' and value gt 0");
    await account.send('POST', '/$batch', batch([`DELETE ${path} HTTP/1.1\r\nIf-Match: *`]));
    await account.send('POST', '/Pets', {
      headers: JSON_HEADERS,
      body: '{"RowKey":"2","PartitionKey":"dogs"}',
    });

    // As in the vectors of shardOf().
    expect(asked(account)).toEqual(new Array(5).fill('shard 3'));
  });

  it('asks every shard once for a query of several partitions', async () => {
    const account = await withPets();
    await Promise.all(Array.from({ length: 30 }, (_, at) => upsert(account, `${at}`)));
    account.steps.length = 0;
    await account.send('GET', '/Pets?$filter=value gt 0');

    expect(asked(account).sort()).toEqual(['shard 0', 'shard 1', 'shard 2', 'shard 3']);
  });

  it('gives tokens that hold a key, whatever shard has it', async () => {
    const account = await withPets();
    for (const partition of ['a', 'b', 'c', 'd', 'e']) await upsert(account, partition);
    const answer = await account.send('GET', '/Pets?$top=2');

    // Base64 of c and of 1.
    expect(answer.headers.get('x-ms-continuation-NextPartitionKey')).toBe('1!4!Yw--');
    expect(answer.headers.get('x-ms-continuation-NextRowKey')).toBe('1!4!MQ--');
  });

  it('keeps a transaction in one shard, and refuses one over several partitions', async () => {
    const account = await withPets();
    const put = (partition: string, row: string) =>
      `PUT /Pets(PartitionKey='${partition}',RowKey='${row}') HTTP/1.1\r\n` +
      'Content-Type: application/json\r\n\r\n{}';
    const whole = await account.send('POST', '/$batch', batch([put('a', '1'), put('a', '2')]));
    const mixed = await account.send('POST', '/$batch', batch([put('b', '1'), put('c', '2')]));

    expect(asked(account)).toHaveLength(2);
    expect((await whole.text()).match(/HTTP\/1.1 204/g)).toHaveLength(2);
    expect(await mixed.text()).toContain('CommandsInBatchActOnDifferentPartitions');
    expect(await (await account.send('GET', '/Pets?$select=RowKey')).text()).not.toContain('"c"');
  });

  it('repeats a read that a shard does not answer, and no write', async () => {
    let left = 2;
    const account = await withPets((step) =>
      step.startsWith('router → shard') && left-- > 0 ? 'unanswered' : 'fine',
    );
    const read = await account.send('GET', "/Pets?$filter=PartitionKey eq 'a'");
    expect(read.status).toBe(200);
    expect(account.steps).toHaveLength(3);

    left = 1;
    const write = await upsert(account, 'a');
    expect(write.status).toBe(500);
    expect(await write.text()).toContain('StorageOutcomeUnknown');
    expect(account.steps).toHaveLength(4);

    left = Infinity;
    const lost = await account.send('GET', '/Pets');
    expect(lost.status).toBe(503);
    expect(lost.headers.get('x-ms-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(await lost.text()).toContain('ServerBusy');
  });

  it('does not repeat a read to a Durable Object that is overloaded', async () => {
    let asked = 0;
    const account = await withPets(() => {
      asked++;
      throw Object.assign(new Error('too many requests'), { overloaded: true });
    });
    asked = 0;
    const answer = await account.send('GET', "/Pets(PartitionKey='a',RowKey='1')");

    expect([answer.status, asked]).toEqual([503, 1]);
  });

  it('does not begin an answer whose body may break off', async () => {
    let cuts = 0;
    const account = await withPets((step) =>
      cuts > 0 && step.includes('Pets') && cuts-- ? 'cut' : 'fine',
    );
    cuts = 2;
    const read = await account.send('GET', '/Pets', { headers: JSON_HEADERS });
    expect(await read.json()).toEqual({ value: [] });
    cuts = 1;
    const body = '{"PartitionKey":"a","RowKey":"1"}';
    const write = await account.send('POST', '/Pets', { headers: JSON_HEADERS, body });
    expect(write.status).toBe(500);
    expect(await write.text()).toContain('StorageOutcomeUnknown');
  });

  it('ignores the fragment of an address', async () => {
    const account = await withPets();
    for (const partition of ['a', 'b', 'c']) await upsert(account, partition);
    const answer = await account.send('GET', '/Pets?$select=PartitionKey#$top=1', {
      headers: JSON_HEADERS,
    });

    const value = ['a', 'b', 'c'].map((PartitionKey) => ({ PartitionKey }));
    expect(await answer.json()).toEqual({ value });
  });

  it('finishes a creation for a batch, too', async () => {
    let isDown = true;
    const account = await openSharded(SHARDS, (step) =>
      isDown && step.startsWith('catalogue → shard') ? 'lost' : 'fine',
    );
    await account.send('POST', '/Tables', { headers: JSON_HEADERS, body: '{"TableName":"Pets"}' });
    isDown = false;
    const put =
      "PUT /Pets(PartitionKey='a',RowKey='1') HTTP/1.1\r\nContent-Type: application/json\r\n\r\n" +
      '{"text":"TableNotFound"}';
    const first = await account.send('POST', '/$batch', batch([put]));
    expect(await first.text()).toContain('HTTP/1.1 204');
    account.steps.length = 0;
    // An entity with such a text is no failure.
    const insert =
      'POST /Pets HTTP/1.1\r\nContent-Type: application/json\r\n\r\n' +
      '{"PartitionKey":"a","RowKey":"2","text":"HTTP/1.1 404 TableNotFound"}';
    const second = await account.send('POST', '/$batch', batch([insert]));
    expect(await second.text()).toContain('HTTP/1.1 201');
    expect(account.steps).toHaveLength(1);
  });

  it('rejects if the request is aborted', async () => {
    const abort = new AbortController();
    let isOpen = false;
    const account = await withPets(() => {
      if (isOpen) abort.abort(new Error('enough'));
      return 'fine';
    });
    isOpen = true;

    await expect(account.send('GET', '/Pets', { signal: abort.signal })).rejects.toThrow('enough');
  });

  it('refuses a body that is too long, as one account does', async () => {
    const account = await withPets();
    const body = `{"PartitionKey":"a","RowKey":"1","x":"${'x'.repeat(4 * 2 ** 20)}"}`;
    const answer = await account.send('POST', '/Pets', { headers: JSON_HEADERS, body });

    expect(answer.status).toBe(413);
    expect(await answer.text()).toContain('RequestBodyTooLarge');
  });
});

describe('createShardRouter', () => {
  async function parts(count: number) {
    const open = () => openForTest({ storage: memoryStorage(), name: ACCOUNT, baseUrl: BASE_URL });
    const authentication = { account: ACCOUNT, keys: [btoa('a key')] };
    const shards: TableHandler[] = [];
    for (let at = 0; at < count; at++) {
      shards.push(createTableHandler(await open(), { authentication }));
    }
    const tables = await open();
    const records = textRecords();
    const catalogueOver = (some: TableHandler[]) =>
      createShardCatalogue(tables, { authentication, shards: some, baseUrl: BASE_URL, records });
    const routerOver = async (some: TableHandler[]) =>
      createShardRouter({
        ...{ wasm: await wasmBytes(), baseUrl: BASE_URL },
        ...{ shards: some, catalogue: catalogueOver(some) },
      });
    return { shards, tables, routerOver };
  }

  it('lets requests in by the keys of the account, and signs its own', async () => {
    const { shards, routerOver } = await parts(2);
    const router = await routerOver(shards);
    const answer = await router(new Request(`${BASE_URL}/Tables`));

    expect(answer.status).toBe(403);
    expect(await answer.text()).toContain('AuthenticationFailed');
  });

  it('refuses another number of shards than the account has', async () => {
    const { shards, routerOver } = await parts(3);
    await routerOver(shards);

    await expect(routerOver(shards.slice(1))).rejects.toMatchObject({
      code: 'StorageUnavailable',
      message: expect.stringContaining('The account has 3 shards, not 2') as string,
    });
    await routerOver(shards);
  });

  it('refuses an account with tables that are not in shards', async () => {
    const { shards, tables, routerOver } = await parts(1);
    await tables.createTable('Pets');

    await expect(routerOver(shards)).rejects.toThrow('The account has tables already');
  });

  it('checks its options', async () => {
    const { shards } = await parts(1);
    const wasm = await wasmBytes();
    const [catalogue] = shards as [TableHandler];
    const options = { wasm, baseUrl: BASE_URL, catalogue, shards: [] };

    await expect(createShardRouter(options)).rejects.toThrow(
      'The option shards of createShardRouter must be handlers, at least one.',
    );
    await expect(createShardRouter({ ...options, shard: 1 } as never)).rejects.toThrow(
      'createShardRouter has no option shard.',
    );
  });
});
