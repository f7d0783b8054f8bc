// Signatures, tokens and keys: what is sent, and what happens when they are refused.

import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { generateTableSas, type TableHandlerOptions } from '../../../js/src/http.js';
import { remoteAccount, type RemoteAccountOptions } from '../../../js/src/remote.js';
import { collect } from '../support/accounts.js';
import { errorCode, rejection, tableError } from '../support/rejection.js';
import { ACCOUNT, answerWith, BASE, KEY, openCloud } from './support.js';

const WITH_KEY: TableHandlerOptions = { authentication: { account: ACCOUNT, keys: [KEY] } };
const REX = { partitionKey: 'dogs', rowKey: 'rex', age: 7 };
const HOUR = 3_600_000;

const sasFor = (permissions: string, options = {}) =>
  generateTableSas({
    account: ACCOUNT,
    key: KEY,
    table: 'Pets',
    permissions,
    expiresOn: new Date(Date.now() + HOUR),
    ...options,
  });

async function open(options: Partial<RemoteAccountOptions>, handling = WITH_KEY) {
  const cloud = await openCloud(options, handling);
  await cloud.local.createTable('Pets');
  return { ...cloud, pets: cloud.remote.tableClient('Pets') };
}

describe('a key', () => {
  it('signs every request', async () => {
    const { remote, pets } = await open({ key: KEY });
    await remote.createTable('Cats');
    await pets.createEntity({ ...REX, rowKey: "O'Neil é %+" });
    await pets.upsertEntity({ ...REX, rowKey: "O'Neil é %+", a: 1 });
    await pets.submitTransaction([['create', REX]]);
    expect((await collect(pets.listEntities({ filter: 'age eq 7' }))).length).toBe(2);
    await pets.deleteEntity('dogs', "O'Neil é %+");

    const other = await open({ key: btoa('another key') });
    expect(await errorCode(other.pets.getEntity('a', 'b'))).toBe('AuthenticationFailed');
    expect(other.sent.length).toBe(1);
  });

  it('signs the text of the specification', async () => {
    vi.useFakeTimers({ now: Date.parse('Tue, 02 Jan 2024 03:04:05 GMT') });
    onTestFinished(() => void vi.useRealTimers());
    const headers: Record<string, string>[] = [];
    const fetch: RemoteAccountOptions['fetch'] = (_, request) => {
      headers.push(request.headers);
      return Promise.resolve(new Response('{"value":[]}'));
    };

    await collect(remoteAccount({ url: BASE, key: KEY, fetch }).listTables());
    const url = 'https://acct.table.core.windows.net/';
    await collect(remoteAccount({ url, key: KEY, fetch }).listTables());

    // Auth of the specification, 5.5, rows 1 and 2.
    expect(headers.map((one) => one['Authorization'])).toEqual([
      'SharedKeyLite devstoreaccount1:vqH9cAkS8xJlO5MTje1QvTgbpxIibsQNqN4+xo6qZpI=',
      'SharedKeyLite acct:Y7O3gyEuFTwokWggnpyePB5bSWnnJG/wxnq1QAUPbaQ=',
    ]);
    expect(headers[0]!['x-ms-date']).toBe('Tue, 02 Jan 2024 03:04:05 GMT');
  });

  it.each([-2 * HOUR, 3 * HOUR])(
    'signs with the time of the service: here it is %d ms off',
    async (off) => {
      const { pets, sent, faults } = await open({ key: KEY });
      const real = Date.now();
      vi.useFakeTimers({ toFake: ['Date'], now: real + off });
      onTestFinished(() => void vi.useRealTimers());
      // The service has the right clock.
      const rightly = (_: unknown, next: () => Promise<Response>) => {
        vi.setSystemTime(real);
        return next().finally(() => vi.setSystemTime(real + off));
      };
      faults.push(rightly, rightly, rightly);

      await pets.upsertEntity(REX);
      await pets.upsertEntity(REX);

      // The first one was refused, and told the time.
      expect(sent.length).toBe(3);
    },
  );
});

describe('a shared access signature', () => {
  it('goes with every request, and allows what it says', async () => {
    const sas = await sasFor('raud', { startPartitionKey: 'dogs', endPartitionKey: 'dogs' });
    const { pets, remote, sent } = await open({ sas: `?${sas}` });
    await pets.createEntity(REX);
    await pets.submitTransaction([['upsert', { ...REX, age: 8 }]]);

    expect(await pets.getEntity('dogs', 'rex')).toMatchObject({ age: 8 });
    expect(await errorCode(pets.createEntity({ ...REX, partitionKey: 'cats' }))).toBe(
      'AuthorizationFailure',
    );
    expect(await errorCode(remote.createTable('Cats'))).toBe('AuthorizationFailure');
    expect(sent.every(({ url }) => url.endsWith(`&${sas}`))).toBe(true);
    const inUrl = await open({ url: `${BASE}?${sas}` });
    await inUrl.pets.createEntity(REX);
    // A signature is for the whole request, and its parts do not show it.
    expect(sent[1]!.body).not.toContain('sig=');
  });

  it('is fetched once, and again after 403 or 401, for all calls together', async () => {
    const good = await sasFor('raud');
    const old = await sasFor('raud', { expiresOn: new Date(Date.now() - HOUR) });
    const sas = vi
      .fn<() => Promise<string>>(() => Promise.resolve(good))
      .mockResolvedValueOnce(old);
    const { pets, sent, faults } = await open({ sas });

    await Promise.all([1, 2, 3].map((i) => pets.createEntity({ ...REX, rowKey: `${i}` })));

    expect(sas).toHaveBeenCalledTimes(2);
    expect(sent.length).toBe(6);
    sas.mockResolvedValueOnce(`${good}&x=1`);
    faults.push(answerWith(401));
    await pets.getEntity('dogs', '1');
    expect(sas).toHaveBeenCalledTimes(3);
    expect(sent.at(-1)!.url).toContain('&x=1');
  });

  it('is asked for once more, not for ever', async () => {
    const sas = vi.fn(async () => `${await sasFor('r')}&x=${Math.random()}`);
    const { pets, sent } = await open({ sas });

    expect(await tableError(pets.createEntity(REX))).toMatchObject({
      code: 'AuthorizationPermissionMismatch',
      statusCode: 403,
    });
    expect(sas).toHaveBeenCalledTimes(2);
    expect(sent.length).toBe(2);
  });

  it('that stays the same is not tried again', async () => {
    const same = await sasFor('r');
    const { pets, sent } = await open({ sas: () => same });

    expect(await errorCode(pets.createEntity(REX))).toBe('AuthorizationPermissionMismatch');
    expect(sent.length).toBe(1);
  });

  it('that cannot be fetched rejects the call with the same error, and the next call asks again', async () => {
    const reason = new Error('not signed in');
    const good = await sasFor('raud');
    const sas = vi
      .fn<() => Promise<string>>(() => Promise.resolve(good))
      .mockRejectedValueOnce(reason);
    const { pets } = await open({ sas });

    expect(await rejection(pets.createEntity(REX))).toBe(reason);
    await pets.createEntity(REX);
    sas.mockResolvedValue(5 as never);
    const { pets: others } = await open({ sas });
    expect(await tableError(others.createEntity(REX))).toMatchObject({
      code: 'InvalidInput',
      message: expect.stringContaining(
        'visible ASCII characters, not a value of the type number',
      ) as string,
    });
  });

  it('that never comes does not hold a call whose signal fires', async () => {
    const { pets, sent } = await open({ sas: () => new Promise(() => {}) });
    const controller = new AbortController();
    const reason = new Error('enough');

    const call = pets.createEntity(REX, { abortSignal: controller.signal });
    setTimeout(() => controller.abort(reason));

    expect(await rejection(call)).toBe(reason);
    expect(sent).toEqual([]);
  });
});

describe('a token', () => {
  it('goes with every request, with a version that knows tokens', async () => {
    let count = 0;
    const { pets, sent, faults } = await open(
      { token: () => `t${++count}` },
      { authentication: 'anonymous' },
    );
    faults.push(answerWith(401, { 'WWW-Authenticate': 'Bearer' }));

    await pets.createEntity(REX);

    expect(sent.map(({ headers }) => headers['Authorization'])).toEqual(['Bearer t1', 'Bearer t2']);
    expect(sent[0]!.headers['x-ms-version']).toBe('2020-12-06');
  });

  it('is not sent without encryption, except on this machine', () => {
    for (const url of [
      'http://contoso.example',
      'http://10.0.0.1/acct',
      'http://127.0.0.1.example',
    ]) {
      expect(() => remoteAccount({ url, token: 't' })).toThrow('sends no token');
    }
    for (const url of [
      'https://contoso.example',
      'http://localhost:1',
      'http://127.0.0.1/a',
      'http://[::1]/a',
    ]) {
      expect(remoteAccount({ url, token: 't' })).toBeDefined();
    }
  });
});

describe('the options of a remote account', () => {
  const url = 'https://contoso.table.core.windows.net';

  it.each<[unknown, RegExp]>([
    [undefined, /option url/],
    [{}, /option url of remoteAccount must be an address, such as https:.*, not undefined/],
    [{ url: 'contoso' }, /must be an address, such as https:.*, not another text/],
    [{ url: 'https://ann:secret@contoso.example' }, /must be an address/],
    [{ url: `${url}#sig=1` }, /must be an address/],
    [{ url: 'ftp://contoso' }, /must be an address/],
    [{ url, sas: 'a', token: 'b' }, /one of the options sas, token and key/],
    [{ url: `${url}?sig=1`, sas: 'a' }, /one of the options/],
    [{ url: `${url}?sig=1`, key: KEY }, /one of the options/],
    [{ url, sas: '' }, /must be a text of visible ASCII/],
    [{ url, sas: 'sv=1&sig=1\n' }, /must be a text of visible ASCII/],
    [{ url, token: 5 }, /must be a text of visible ASCII/],
    [{ url: 'http://127.0.0.1:10002', key: KEY }, /name of the account as account: the address/],
    [{ url: 'http://localhost/', key: KEY }, /name of the account as account/],
    [{ url, account: 'a:b\n', key: KEY }, /name of the account as account: not "a:b/],
    [{ url, key: '*' }, /key of remoteAccount must be Base64/],
    [{ url, retries: 1.5 }, /integer from 0 to 10, not 1\.5/],
    [{ url, retries: -1 }, /integer from 0/],
    [{ url, fetch: 'x' }, /option fetch of remoteAccount must be a function/],
    [{ url, Sas: 'x' }, /has no option Sas/],
  ])('%o are refused', (options, message) => {
    expect(() => remoteAccount(options as never)).toThrow(message);
  });

  it('are not shown in errors, or by printing the account', async () => {
    const secret = 'sv=1&sig=topsecret';
    const mistakes = [
      { url: `ftp://x?${secret}` },
      { url: secret },
      { url: 'AccountName=contoso;AccountKey=topsecret' },
      { url: 'https://ann:topsecret@contoso.example' },
      { url, sas: 'topsecret topsecret' },
    ];
    for (const options of mistakes) {
      const mistake = await rejection(Promise.resolve().then(() => remoteAccount(options)));
      expect(String((mistake as Error).stack)).not.toContain('topsecret');
    }
    const fetch = () => Promise.reject(new TypeError('fetch failed'));
    const account = remoteAccount({ url, sas: secret, fetch, retries: 0 });

    expect(JSON.stringify(account)).toBe('{}');
    const error = await tableError(account.createTable('Pets'));
    expect(`${error.stack}${JSON.stringify(error)}`).not.toContain('topsecret');
  });

  it('take an address as an object, and with slashes at its end', async () => {
    const { pets, sent } = await open({ url: new URL(`${BASE}//`), key: KEY });

    await pets.createEntity(REX);

    expect(sent[0]!.url).toBe(`${BASE}/Pets?timeout=30`);
  });

  it.each([
    ['https://acct.table.core.windows.net', undefined],
    ['https://acct-secondary.table.core.windows.net', undefined],
    ['http://127.0.0.1:10002/acct', undefined],
    ['http://127.0.0.1:10002/acct-secondary/', undefined],
    ['https://tables.example', 'acct'],
    ['http://[::1]:10002', 'acct'],
  ])('%s with %s name the account', async (address, account) => {
    expect(await signerOf({ url: address, account })).toBe('SharedKeyLite acct');
  });

  it('leave a name of Cosmos DB as it is', async () => {
    const address = 'https://acct-secondary.table.cosmos.azure.com';

    expect(await signerOf({ url: address })).toBe('SharedKeyLite acct-secondary');
  });

  // What a request says before its signature.
  async function signerOf(options: RemoteAccountOptions): Promise<string> {
    let authorization = '';
    const fetch: RemoteAccountOptions['fetch'] = (_, { headers }) => {
      authorization = headers['Authorization']!;
      return Promise.resolve(new Response('{"value":[]}'));
    };
    await collect(remoteAccount({ ...options, key: KEY, fetch }).listTables());
    return authorization.split(':')[0]!;
  }
});
