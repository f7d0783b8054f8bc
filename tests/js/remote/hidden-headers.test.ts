// CORS rules that hide headers from a page.

import { describe, expect, it } from 'vitest';

import { remoteAccount, type RemoteAccountOptions } from '../../../js/src/remote.js';
import { createTableHandler } from '../../../js/src/http.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { collect, openForTest } from '../support/accounts.js';
import { errorCode, tableError } from '../support/rejection.js';
import { BASE } from './support.js';

const CONTINUATIONS = ['NextPartitionKey', 'NextRowKey', 'NextTableName'].map(
  (name) => `x-ms-continuation-${name}`,
);
const ALL = ['date', 'etag', 'retry-after', 'x-ms-request-id', ...CONTINUATIONS];

// An account at another origin, whose CORS rules expose these headers.
async function openExposing(...exposed: string[]) {
  const local = await openForTest({ storage: memoryStorage() });
  await local.createTable('Pets');
  const handler = createTableHandler(local, { authentication: 'anonymous' });
  const urls: string[] = [];
  const fetch: RemoteAccountOptions['fetch'] = async (url, { signal: _, ...request }) => {
    urls.push(url);
    const answer = await handler(new Request(url, { ...request, redirect: 'manual' }));
    const isReadable = (name: string) =>
      name.toLowerCase() === 'content-type' ||
      exposed.some((one) => one.toLowerCase() === name.toLowerCase());
    return {
      status: answer.status,
      type: 'cors',
      headers: { get: (name: string) => (isReadable(name) ? answer.headers.get(name) : null) },
      text: () => answer.text(),
    };
  };
  const remote = remoteAccount({ url: BASE, fetch });
  const pets = remote.tableClient('Pets');
  const put = async (count: number) => {
    for (let i = 0; i < count; i++) {
      await local.tableClient('Pets').createEntity({ partitionKey: 'p', rowKey: `${i}` });
    }
  };
  return { local, remote, pets, put, urls };
}

describe('hidden headers', () => {
  it('do not matter if those that are needed can be read', async () => {
    const { pets, put, remote, urls } = await openExposing(...ALL);
    await put(3);

    expect((await collect(pets.listEntities())).length).toBe(3);
    // One small query has shown that continuations can be read.
    expect(urls.length).toBe(2);
    expect((await collect(pets.listEntities())).length).toBe(3);
    expect(urls.length).toBe(3);
    await pets.upsertEntity({ partitionKey: 'p', rowKey: '0' });
    await pets.deleteEntity('p', '0');
    expect((await collect(remote.listTables())).length).toBe(1);
  });

  it('of continuations stop a list: its first page would look like the last', async () => {
    const { pets, put } = await openExposing('etag', 'x-ms-request-id');
    await put(3);

    const error = await tableError(collect(pets.listEntities()));

    expect(error.code).toBe('HeadersHidden');
    expect(error.message).toContain('cannot read the header x-ms-continuation-*');
    expect(error.message).toContain(
      'exposed headers: Date,ETag,Retry-After,x-ms-continuation-*,x-ms-request-id',
    );
    // Also if the page has no result at all.
    expect(await errorCode(collect(pets.listEntities({ filter: 'a eq 5' })))).toBe('HeadersHidden');
    // Other reads have no continuation.
    expect(await pets.getEntity('p', '0')).toMatchObject({ rowKey: '0' });
  });

  it('of continuations do not matter to a table with one entity', async () => {
    const { pets, put } = await openExposing('etag', 'x-ms-request-id');
    expect(await collect(pets.listEntities())).toEqual([]);
    await put(1);

    expect((await collect(pets.listEntities())).length).toBe(1);
  });

  it('of continuations stop a list of tables', async () => {
    const { remote, local } = await openExposing('etag', 'x-ms-request-id');
    expect((await collect(remote.listTables())).length).toBe(1);
    await local.createTable('Cats');

    expect(await errorCode(collect(remote.listTables()))).toBe('HeadersHidden');
  });

  it('such as the etag are reported by the write, which has taken effect', async () => {
    const { pets, local } = await openExposing(...ALL.filter((name) => name !== 'etag'));

    const error = await tableError(pets.createEntity({ partitionKey: 'p', rowKey: 'r' }));

    expect(error.code).toBe('HeadersHidden');
    expect(error.message).toContain('header ETag. The write has taken effect.');
    expect(await local.tableClient('Pets').getEntity('p', 'r')).toBeDefined();
  });

  it('all together are noticed at the first read', async () => {
    const { pets, put } = await openExposing();
    await put(1);

    expect((await tableError(pets.getEntity('p', '0'))).message).toContain('x-ms-request-id');
    expect(await errorCode(collect(pets.listEntities()))).toBe('HeadersHidden');
  });
});
