// Cases 528 to 534, and pages of other origins in general.

import { beforeEach, describe, expect, it, vi } from 'vitest';

import type { CorsRule } from '../../../js/src/client/models.js';
import type { TableServiceClient } from '../../../js/src/client/table-service-client.js';
import {
  createRawTableHandler,
  createTableHandler,
  type TableHandler,
} from '../../../js/src/http.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { openForTest } from '../support/accounts.js';
import { WatchedStorage } from '../support/storages.js';

const URL = 'https://acct.table.core.windows.net';
const ORIGIN = 'https://a.example';

let account: TableServiceClient;
let handler: TableHandler;

beforeEach(async () => {
  account = await openForTest({
    storage: memoryStorage(),
    baseUrl: URL,
  });
  await account.createTable('Pets');
  handler = createTableHandler(account, { authentication: 'anonymous' });
});

const rule = (options: Partial<CorsRule> = {}): CorsRule => ({
  allowedOrigins: ORIGIN,
  allowedMethods: 'GET',
  allowedHeaders: 'x-ms-*',
  exposedHeaders: 'x-ms-*',
  maxAgeInSeconds: 60,
  ...options,
});

// Node and browsers keep these to themselves, so a Request cannot have them.
const send = (
  method: string,
  headers: Record<string, string>,
  path = '/Pets()',
  body: ReadableStream<Uint8Array> | null = null,
) => handler({ url: URL + path, method, headers: new Headers(headers), body } as Request);

const corsOf = ({ headers }: Response) =>
  Object.fromEntries(
    [...headers].filter(([name]) => name === 'vary' || name.startsWith('access-control-')),
  );

describe('a page of another origin', () => {
  it('sees the headers that the rule exposes', async () => {
    await account.setProperties({ cors: [rule()] });
    const answer = await send('GET', { Origin: ORIGIN });

    expect(answer.status).toBe(200);
    expect(corsOf(answer)).toEqual({
      'access-control-allow-origin': ORIGIN,
      'access-control-allow-credentials': 'true',
      'access-control-expose-headers': 'x-ms-request-id,x-ms-version',
      vary: 'Origin',
    });
  });

  it('sees errors, too', async () => {
    await account.setProperties({ cors: [rule()] });

    const answer = await send('GET', { Origin: ORIGIN }, '/Nope()');
    expect(answer.status).toBe(404);
    expect(corsOf(answer)).toMatchObject({ 'access-control-allow-origin': ORIGIN });
  });

  it('sees why it is refused', async () => {
    await account.setProperties({ cors: [rule()] });
    handler = createTableHandler(account, {
      authentication: { account: 'acct', keys: ['a2V5'] },
    });

    const answer = await send('GET', { Origin: ORIGIN });
    expect(answer.status).toBe(403);
    expect(corsOf(answer)).toMatchObject({ 'access-control-allow-origin': ORIGIN });
  });

  it('is served without a rule, which the browser hides from it', async () => {
    const answer = await send('GET', { Origin: ORIGIN });
    expect(answer.status).toBe(200);
    expect(corsOf(answer)).toEqual({});

    await account.setProperties({ cors: [rule({ allowedOrigins: 'https://b.example' })] });
    expect(corsOf(await send('GET', { Origin: ORIGIN }))).toEqual({ vary: 'Origin' });
  });

  it('is one of all that a star allows', async () => {
    await account.setProperties({ cors: [rule({ allowedOrigins: '*', exposedHeaders: '' })] });

    expect(corsOf(await send('GET', { Origin: ORIGIN }))).toEqual({
      'access-control-allow-origin': '*',
    });
  });

  it('asks first, without a signature', async () => {
    await account.setProperties({ cors: [rule()] });
    handler = createTableHandler(account, {
      authentication: { account: 'acct', keys: ['a2V5'] },
    });
    const asked = { Origin: ORIGIN, 'Access-Control-Request-Method': 'GET' };

    const answer = await send('OPTIONS', asked);
    expect(answer.status).toBe(200);
    expect(corsOf(answer)).toEqual({
      'access-control-allow-origin': ORIGIN,
      'access-control-allow-methods': 'GET',
      'access-control-allow-credentials': 'true',
      'access-control-max-age': '60',
    });
    expect((await send('OPTIONS', { Origin: ORIGIN })).status).toBe(400);
    const put = { ...asked, 'Access-Control-Request-Method': 'PUT' };
    expect((await send('OPTIONS', put)).status).toBe(403);
  });

  it('sees everything if the handler allows it, in spite of the account', async () => {
    await account.setProperties({ cors: [rule({ allowedOrigins: 'https://b.example' })] });
    handler = createTableHandler(account, { authentication: 'anonymous', cors: true });
    const asked = {
      Origin: ORIGIN,
      'Access-Control-Request-Method': 'DELETE',
      'Access-Control-Request-Headers': 'if-match,x-ms-version',
    };

    expect(corsOf(await send('GET', { Origin: ORIGIN }))).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-expose-headers': expect.stringContaining('x-ms-request-id'),
    });
    expect(corsOf(await send('OPTIONS', asked))).toMatchObject({
      'access-control-allow-methods': 'DELETE',
      'access-control-allow-headers': 'if-match,x-ms-version',
    });
    expect((await account.getProperties()).cors).toMatchObject([
      { allowedOrigins: 'https://b.example' },
    ]);
  });

  it.each([
    ['false', false],
    ['no rules', []],
    ['rules for others', [rule({ allowedOrigins: 'https://b.example' })]],
  ])('sees nothing where the handler has %s', async (_, cors) => {
    await account.setProperties({ cors: [rule({ allowedOrigins: '*' })] });
    handler = createTableHandler(account, { authentication: 'anonymous', cors });
    const asked = { Origin: ORIGIN, 'Access-Control-Request-Method': 'GET' };

    const answer = await send('GET', { Origin: ORIGIN });
    expect(answer.status).toBe(200);
    expect(corsOf(answer)).not.toHaveProperty('access-control-allow-origin');
    expect((await send('OPTIONS', asked)).status).toBe(403);
  });

  it('makes known that a rule of the handler breaks one of the service', async () => {
    const cors = [rule({ allowedMethods: 'FETCH' })];
    handler = createTableHandler(account, { authentication: 'anonymous', cors });

    await expect(send('GET', { Origin: ORIGIN })).rejects.toThrow(TypeError);
    expect((await send('GET', {})).status).toBe(200);
  });

  it('sees that its write was stored, however many requests wait at that moment', async () => {
    const storage = new WatchedStorage();
    const busy = await openForTest({ storage, baseUrl: URL });
    await busy.createTable('Pets');
    handler = createTableHandler(busy, { authentication: 'anonymous', cors: true });
    const ends: (() => void)[] = [];
    storage.onCommit = (batch) =>
      new Promise<void>((end) => ends.push(end)).then(() => storage.inner.commit(batch));
    const entity = JSON.stringify({ PartitionKey: 'p', RowKey: 'r' });
    const answered = send(
      'POST',
      { Origin: ORIGIN, 'Content-Type': 'application/json', Prefer: 'return-no-content' },
      '/Pets',
      new Blob([entity]).stream(),
    );
    await vi.waitFor(() => expect(ends).toHaveLength(1));
    // More than waits in the core at a time.
    const texts = Array.from({ length: 15 }, (_, i) => [`P${i}`, 'x'.repeat(30_000)]);
    const members = Object.fromEntries(texts) as object;
    const others = Array.from({ length: 40 }, (_, i) =>
      busy.tableClient('Pets').createEntity({ partitionKey: 'q', rowKey: `${i}`, ...members }),
    );
    const submit = vi.spyOn(busy.session, 'submit');

    ends[0]!();
    // The question which headers the page needs.
    await vi.waitFor(() => expect(submit).toHaveBeenCalled(), { timeout: 20_000 });
    storage.onCommit = undefined;
    for (const end of ends) end();

    const answer = await answered;
    expect(answer.status).toBe(204);
    expect(corsOf(answer)).toMatchObject({ 'access-control-allow-origin': '*' });
    await Promise.all(others);
  });

  it('sees why it is refused, if its request has an invalid host', async () => {
    const rawHandler = createRawTableHandler(account, { authentication: 'anonymous', cors: true });
    const { status, headers, body } = await rawHandler({
      method: 'GET',
      target: '/Pets()',
      headers: new Headers({ Host: 'a!b', Origin: ORIGIN }) as never,
      readBody: () => undefined,
      origin: { isSecure: false },
    });

    expect(status).toBe(400);
    expect(new TextDecoder().decode(body)).toContain('InvalidHeaderValue');
    expect(Object.fromEntries(headers)).toMatchObject({ 'Access-Control-Allow-Origin': '*' });
  });

  it('hears that the account was closed', async () => {
    await account.setProperties({ cors: [rule()] });
    await account.close();

    expect((await send('GET', { Origin: ORIGIN })).status).toBe(503);
  });
});

describe('the secondary address of an account that the host names', () => {
  it('has statistics', async () => {
    const url = `${URL.replace('acct', 'acct-secondary')}/?restype=service&comp=stats`;
    const answer = await handler(new Request(url));

    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain('<Status>live</Status>');
  });
});
