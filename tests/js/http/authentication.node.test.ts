import { createHmac } from 'node:crypto';

import { AzureNamedKeyCredential, TableClient } from '@azure/data-tables';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import type { TableServiceClient } from '../../../js/src/client/table-service-client.js';
import {
  createRawTableHandler,
  createTableHandler,
  inProcessHttpClient,
} from '../../../js/src/http.js';
import { stringToSign } from '../../../js/src/http/auth/shared-key.js';
import { keyBytes, signingKey } from '../../../js/src/http/auth/signature.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { openForTest } from '../support/accounts.js';

const ACCOUNT = 'devstoreaccount1';
const KEY =
  'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==';
const OTHER_KEY = 'b3RoZXIga2V5';
const DATE = 'Tue, 02 Jan 2024 03:04:05 GMT';
const HOST = 'http://127.0.0.1:10002';

// The vectors of auth of the spec, 5.5: requests and their signatures.
const VECTORS = [
  {
    title: 'SharedKeyLite',
    scheme: 'SharedKeyLite',
    target: '/devstoreaccount1/Tables',
    signature: 'vqH9cAkS8xJlO5MTje1QvTgbpxIibsQNqN4+xo6qZpI=',
  },
  {
    title: 'SharedKeyLite where the host names the account',
    scheme: 'SharedKeyLite',
    account: 'acct',
    target: '/Tables',
    signature: 'Y7O3gyEuFTwokWggnpyePB5bSWnnJG/wxnq1QAUPbaQ=',
  },
  {
    title: 'SharedKey of an insert',
    scheme: 'SharedKey',
    method: 'POST',
    target: '/devstoreaccount1/People',
    headers: { 'Content-Type': 'application/json;odata=nometadata' },
    signature: 'gWRBeArO9KcIWLBsMuyGcJBDyWhyeHQ4Q/kUiFtq/zs=',
  },
  {
    title: 'SharedKey of a point query',
    scheme: 'SharedKey',
    target: "/devstoreaccount1/People(PartitionKey='a%20b',RowKey='O''Neil')",
    signature: 'fKvwxFFbykAHk5QXtMDcC/cXUQNWfiRrlZLjrFW8WZw=',
  },
  {
    title: 'SharedKeyLite of an access policy',
    scheme: 'SharedKeyLite',
    target: '/devstoreaccount1/People?comp=acl&timeout=30',
    signature: '1eDQtbTThLezTmbqeQ57uO1+TiO4XoKieqpd67eyKI0=',
  },
  {
    title: 'SharedKeyLite of a batch',
    scheme: 'SharedKeyLite',
    method: 'POST',
    target: '/devstoreaccount1/$batch',
    signature: 'aSewh4hxOzKIYM0HgzexcXxnQQZLt89/a24xdIgjMpI=',
  },
  {
    title: 'SharedKeyLite of the service properties',
    scheme: 'SharedKeyLite',
    target: '/devstoreaccount1/?restype=service&comp=properties',
    signature: 'R2oL4srR6sGM1JWWN6RhNwv+CbyzEwGbOXqSRlfD7H4=',
  },
] as const;

describe('the text that is signed', () => {
  it.each(VECTORS)('gives the signature of $title', async (vector) => {
    const { scheme, target, signature } = vector;
    const {
      account = ACCOUNT,
      method = 'GET',
      headers = {},
    } = vector as {
      account?: string;
      method?: string;
      headers?: Record<string, string>;
    };
    const sent = new Headers({ 'x-ms-date': DATE, ...headers });

    const text = stringToSign(scheme, account, { method, target, headers: sent });

    expect(await (await signingKey(keyBytes(KEY)))(text)).toBe(signature);
  });

  it('prefers x-ms-date to Date', () => {
    const headers = new Map([
      ['x-ms-date', 'mine'],
      ['Date', 'theirs'],
    ]) as unknown as Headers;
    Object.defineProperty(headers, 'get', {
      value: (name: string) => Map.prototype.get.call(headers, name) ?? null,
    });

    expect(stringToSign('SharedKeyLite', 'a', { method: 'GET', target: '/', headers })).toBe(
      'mine\n/a/',
    );
  });
});

describe.each([
  { by: 'WebCrypto', hmacSha256: undefined },
  {
    by: 'a function of its own',
    hmacSha256: (key: Uint8Array, text: string) =>
      createHmac('sha256', key).update(text).digest('base64'),
  },
])('a handler with keys, checked by $by', ({ hmacSha256 }) => {
  let now: number;
  let account: TableServiceClient;
  let send: (init?: {
    method?: string;
    target?: string;
    headers?: Record<string, string>;
  }) => Promise<Response>;

  const LITE = `SharedKeyLite ${ACCOUNT}:${VECTORS[0].signature}`;
  const SIGNED = { 'x-ms-date': DATE, Authorization: LITE };

  beforeEach(async () => {
    now = Date.parse(DATE);
    vi.spyOn(Date, 'now').mockImplementation(() => now);
    account = await openForTest({
      storage: memoryStorage(),
    });
    const authentication = { account: ACCOUNT, keys: [OTHER_KEY, KEY], hmacSha256 };
    const handler = createTableHandler(account, { authentication });
    send = ({ method = 'GET', target = '/devstoreaccount1/Tables', headers = SIGNED } = {}) =>
      handler(
        new Request(HOST + target, {
          method,
          headers: { Accept: 'application/json', ...headers },
        }),
      );
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  async function refusalOf(response: Response): Promise<string> {
    const { 'odata.error': error } = (await response.json()) as {
      'odata.error': { code: string; message: { value: string } };
    };
    const id = response.headers.get('x-ms-request-id');
    expect(response.headers.get('Content-Type')).toBe('application/json');
    expect(response.headers.get('x-ms-error-code')).toBe(error.code);
    expect(error.message.value).toContain(`\nRequestId:${id}\nTime:2024-01-02T0`);
    return `${response.status} ${error.code}`;
  }

  it('accepts signatures with either key', async () => {
    expect((await send()).status).toBe(200);
  });

  it('refuses a signature with any other character', async () => {
    const { signature } = VECTORS[0];
    for (let i = 0; i < signature.length; i++) {
      const other = signature[i] === 'J' ? 'K' : 'J';
      const wrong = signature.slice(0, i) + other + signature.slice(i + 1);
      const headers = { ...SIGNED, Authorization: `SharedKeyLite ${ACCOUNT}:${wrong}` };
      expect(await refusalOf(await send({ headers }))).toBe('403 AuthenticationFailed');
    }
    // Base64 of the same bytes, but not the text that was made of them.
    for (const wrong of ['vqH9cAkS8xJlO5MTje1QvTgbpxIibsQNqN4+xo6qZpJ=', signature.slice(0, -1)]) {
      const headers = { ...SIGNED, Authorization: `SharedKeyLite ${ACCOUNT}:${wrong}` };
      expect(await refusalOf(await send({ headers }))).toBe('403 AuthenticationFailed');
    }
  });

  it.each([
    ['nothing at all', {}],
    ['another account', { ...SIGNED, Authorization: LITE.replace(ACCOUNT, 'acct') }],
    ['the other scheme', { ...SIGNED, Authorization: LITE.replace('KeyLite', 'Key') }],
    ['no date', { Authorization: LITE }],
    ['another date', { ...SIGNED, 'x-ms-date': DATE.replace('05 GMT', '06 GMT') }],
  ])('refuses who sends %s', async (_, headers: Record<string, string>) => {
    expect(await refusalOf(await send({ headers }))).toBe('403 AuthenticationFailed');
  });

  it('refuses a signature for another address', async () => {
    // As if the resource had the account only once.
    expect(await refusalOf(await send({ target: '/Tables' }))).toBe('403 AuthenticationFailed');
    const target = '/devstoreaccount1/Tables?comp=acl';
    expect(await refusalOf(await send({ target }))).toBe('403 AuthenticationFailed');
    expect((await send({ target: '/devstoreaccount1/Tables?$top=1' })).status).toBe(200);
  });

  it('refuses in XML a client that accepts no JSON', async () => {
    const refused = await send({ headers: { Accept: 'application/atom+xml,application/xml' } });

    expect(refused.headers.get('Content-Type')).toBe('application/xml');
    expect(refused.headers.get('x-ms-error-code')).toBe('AuthenticationFailed');
    expect(await refused.text()).toContain('<m:code>AuthenticationFailed</m:code>');
  });

  it.each(['Bearer x', 'bearer abc.def', 'Bearer'])('accepts no token: "%s"', async (token) => {
    const refused = await send({ headers: { ...SIGNED, Authorization: token } });

    expect(refused.headers.get('WWW-Authenticate')).toMatch(/^Bearer /);
    expect(await refusalOf(refused)).toBe('401 InvalidAuthenticationInfo');
  });

  it('reads no body before it has checked the signature', async () => {
    let read = 0;
    const rawHandler = createRawTableHandler(account, {
      authentication: { account: ACCOUNT, keys: [KEY], hmacSha256 },
    });
    for (const method of ['OPTIONS', 'POST']) {
      const { status } = await rawHandler({
        method,
        target: `/${ACCOUNT}/Tables`,
        headers: new Headers({ 'Content-Length': '9' }),
        readBody: () => Promise.resolve(void read++ as undefined),
        origin: { isSecure: false },
      });
      expect(status).toBeGreaterThanOrEqual(400);
    }

    expect(read).toBe(0);
  });

  it.each(['SharedKey', 'SharedKey a', 'SharedKey :x', 'SharedKey a:', 'Basic a:b'])(
    'does not understand "%s"',
    async (authorization) => {
      const headers = { ...SIGNED, Authorization: authorization };
      expect(await refusalOf(await send({ headers }))).toBe('400 InvalidAuthenticationInfo');
    },
  );

  it('accepts a date that differs by at most a quarter of an hour', async () => {
    for (const minutes of [-15, -14, 14, 15]) {
      now = Date.parse(DATE) + minutes * 60_000;
      expect((await send()).status, `${minutes}`).toBe(200);
    }
    for (const minutes of [-16, 16]) {
      now = Date.parse(DATE) + minutes * 60_000;
      expect(await refusalOf(await send()), `${minutes}`).toBe('403 AuthenticationFailed');
    }
  });

  it('accepts no date in another form', async () => {
    const headers: Record<string, string> = { 'x-ms-date': '2024-01-02T03:04:05Z' };
    const request = { method: 'GET', target: '/devstoreaccount1/Tables' };
    const text = stringToSign('SharedKeyLite', ACCOUNT, {
      ...request,
      headers: new Headers(headers),
    });
    headers['Authorization'] = `SharedKeyLite ${ACCOUNT}:${await (
      await signingKey(keyBytes(KEY))
    )(text)}`;

    expect(await refusalOf(await send({ headers }))).toBe('403 AuthenticationFailed');
  });

  it('needs no signature for a preflight', async () => {
    expect((await send({ method: 'OPTIONS', headers: {} })).status).toBe(400);
  });

  it("returns the client's id of the request", async () => {
    const headers = { 'x-ms-client-request-id': 'mine', 'x-ms-version': '2020-12-06' };
    const refused = await send({ headers });

    expect(refused.headers.get('x-ms-client-request-id')).toBe('mine');
    expect(refused.headers.get('x-ms-version')).toBe('2020-12-06');
  });
});

describe('the official client with a key', () => {
  const url = `${HOST}/${ACCOUNT}`;

  async function client(key: string): Promise<TableClient> {
    const account = await openForTest({
      storage: memoryStorage(),
    });
    const authentication = { account: ACCOUNT, keys: [KEY] };
    const httpClient = inProcessHttpClient(createTableHandler(account, { authentication }));
    const credential = new AzureNamedKeyCredential(ACCOUNT, key);
    const options = { httpClient, allowInsecureConnection: true, retryOptions: { maxRetries: 0 } };
    return new TableClient(url, 'Pets', credential, options);
  }

  it('is accepted', async () => {
    const pets = await client(KEY);
    await pets.createTable();
    await pets.createEntity({ partitionKey: 'a b', rowKey: "O'Neil \u00e9(1)", x: 1 });
    await pets.submitTransaction([['create', { partitionKey: 'a b', rowKey: '2' }]]);

    expect(await pets.getEntity('a b', "O'Neil \u00e9(1)")).toMatchObject({ x: 1 });
    expect((await pets.listEntities().byPage({ maxPageSize: 1 }).next()).value).toHaveLength(1);
  });

  it('is refused with a wrong one', async () => {
    const pets = await client(OTHER_KEY);

    await expect(pets.getEntity('p', 'r')).rejects.toMatchObject({ statusCode: 403 });
  });
});

describe('the options of a handler', () => {
  it.each([undefined, {}, { account: ACCOUNT, keys: [] }, { account: '', keys: [KEY] }])(
    'must say who is let in: %o',
    async (authentication) => {
      const account = await openForTest({
        storage: memoryStorage(),
      });

      expect(() =>
        createTableHandler(account, { authentication: authentication as never }),
      ).toThrow(TypeError);
    },
  );

  // A key that is found to be none by the first request would end a server.
  it.each(['no key!', '', 'AB==', KEY.slice(1)])('must have keys in Base64: "%s"', async (key) => {
    const account = await openForTest({
      storage: memoryStorage(),
    });
    const authentication = { account: ACCOUNT, keys: [KEY, key] };

    expect(() => createTableHandler(account, { authentication })).toThrow(TypeError);
    expect(() => createTableHandler(account, { authentication })).toThrow(
      'an account key must be Base64',
    );
  });
});
