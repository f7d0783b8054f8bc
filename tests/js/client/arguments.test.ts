// A call uses its arguments as they were at the call. Later changes have no effect.

import { beforeEach, describe, expect, it } from 'vitest';

import type { TableClient } from '../../../js/src/client/table-client.js';
import type { TransactionAction } from '../../../js/src/entity/models.js';
import { createTableHandler } from '../../../js/src/http.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { collect, openForTest, openTable } from '../support/accounts.js';
import { Received } from '../support/received.js';
import { wasmBytes } from '../support/wasm.js';

const pet = (rowKey: string, members: object = {}) => ({ partitionKey: 'p', rowKey, ...members });

let table: TableClient;

beforeEach(async () => {
  table = await openTable({ storage: memoryStorage() });
});

const rowKeys = async () => (await collect(table.listEntities())).map(({ rowKey }) => rowKey);

describe('arguments that are changed after the call', () => {
  it.each([false, true])('are stored as they were, in a transaction (split: %s)', async (split) => {
    const actions: TransactionAction[] = [
      ['create', pet('a', { bytes: Uint8Array.of(1) })],
      ['create', pet('b')],
    ];
    const options = { split };
    const submitted = table.submitTransaction(actions, options);
    (actions[0]![1]['bytes'] as Uint8Array).fill(9);
    actions[1]![1].rowKey = 'c';
    actions.length = 1;
    options.split = !split;

    const { subResponses, getResponseForEntity } = await submitted;

    expect(subResponses.map(({ rowKey }) => rowKey)).toEqual(['a', 'b']);
    expect(getResponseForEntity('b')?.status).toBe(204);
    expect(await collect(table.listEntities())).toMatchObject([
      pet('a', { bytes: Uint8Array.of(1) }),
      pet('b'),
    ]);
  });

  it('are settings as they were', async () => {
    const account = await openForTest({ storage: memoryStorage() });
    const start = new Date(86_400_000);
    const policies = [{ id: 'a', accessPolicy: { start, permission: 'r' } }];
    const set = table.setAccessPolicy(policies);
    start.setTime(0);
    policies[0]!.id = 'b';
    policies.length = 0;
    await set;
    expect(await table.getAccessPolicy()).toEqual([
      { id: 'a', accessPolicy: { start: new Date(86_400_000), permission: 'r' } },
    ]);

    const rule = {
      allowedOrigins: '*',
      allowedMethods: 'GET',
      allowedHeaders: '',
      exposedHeaders: '',
      maxAgeInSeconds: 5,
    };
    const properties = { cors: [rule] };
    const changed = account.setProperties(properties);
    rule.allowedOrigins = 'http://a';
    properties.cors = [];
    await changed;
    expect((await account.getProperties()).cors).toMatchObject([{ allowedOrigins: '*' }]);
  });

  it('are options of an iteration, an export and a query that is followed as they were', async () => {
    for (const rowKey of ['a', 'b']) await table.createEntity(pet(rowKey));
    const abort = new AbortController();
    const select = ['rowKey'];
    const queryOptions = { filter: "RowKey eq 'a'", select };
    const options = { queryOptions, abortSignal: undefined };
    const form = { queryOptions, format: 'lines' as 'lines' | 'array', abortSignal: undefined };
    const live = { filter: "RowKey eq 'a'" };

    const found = table.listEntities(options);
    const stream = table.exportEntities(form);
    const result = table.liveEntities(live);
    select.push('partitionKey');
    queryOptions.filter = '';
    live.filter = '';
    Object.assign(options, { abortSignal: abort.signal });
    Object.assign(form, { format: 'array', abortSignal: abort.signal });
    abort.abort();

    expect(await collect(found)).toEqual([{ rowKey: 'a', etag: expect.any(String) }]);
    expect((await new Response(stream).text()).split('\n')).toHaveLength(2);
    const received = new Received<readonly unknown[]>();
    result.subscribe({ next: received.listener });
    expect(await received.next()).toHaveLength(1);
  });

  it('are options of an import as they were', async () => {
    const options = { mode: 'Replace' as 'Replace' | 'Insert' };
    await table.createEntity(pet('a'));
    const imported = table.importEntities([pet('a', { age: 1 })], options);
    options.mode = 'Insert';

    expect(await imported).toEqual({ read: 1, stored: 1 });
  });

  it('are the keys of a handler as they were', async () => {
    const account = await openForTest({
      storage: memoryStorage(),
    });
    const keys = ['a2V5'];
    const handler = createTableHandler(account, {
      authentication: { account: 'devstoreaccount1', keys },
    });
    keys[0] = 'not Base64';
    const { status } = await handler(
      new Request('http://127.0.0.1:10002/devstoreaccount1/Tables', {
        headers: { Authorization: 'SharedKey devstoreaccount1:x' },
      }),
    );

    expect(status).toBe(403);
  });

  it('are the bytes of the module as they were', async () => {
    const bytes = await wasmBytes();
    const opened = openForTest({ storage: memoryStorage(), wasm: bytes });
    bytes.fill(0);

    await (await opened).createTable('Pets');
    expect(await rowKeys()).toEqual([]);
  });
});
