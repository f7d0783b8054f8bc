// A page of entities that is copied from a shard to others.

import { describe, expect, it, vi } from 'vitest';

import { copyPage } from '../../../../js/src/edge/shards/copy.js';
import { BASE_URL } from '../../support/shards.js';

describe('a page that is copied', () => {
  it('fails if a shard has stored only a part of a batch', async () => {
    const rows = ['1', '2'].map((RowKey) => JSON.stringify({ PartitionKey: 'a', RowKey }));
    const source = () => Promise.resolve(new Response(`{"value":[${rows.join()}]}`));
    const part = 'HTTP/1.1 204 No Content\r\n';
    const target = (text: string) => () => Promise.resolve(new Response(text, { status: 202 }));
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const copy = (text: string) =>
      copyPage({ baseUrl: BASE_URL, table: 'Pets', source, targets: [target(text)] });

    await expect(copy(part)).rejects.toMatchObject({ code: 'ServerBusy' });
    const full = 'HTTP/1.1 507 x\r\n\r\n{"odata.error":{"code":"StorageQuotaExceeded"}}';
    await expect(copy(full)).rejects.toMatchObject({ code: 'StorageQuotaExceeded' });
    expect(await copy(part + part)).toEqual({ entities: 2, requests: 2, next: undefined });
  });
});
