// Cases 491 to 515.

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import type { AccessPolicy } from '../../../js/src/client/models.js';
import type { TableServiceClient } from '../../../js/src/client/table-service-client.js';
import {
  createRawTableHandler,
  createTableHandler,
  generateAccountSas,
  generateTableSas,
  type AccountSasOptions,
  type TableSasOptions,
} from '../../../js/src/http.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { collect, openForTest } from '../support/accounts.js';

const ACCOUNT = 'devstoreaccount1';
const KEY =
  'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==';
const BASE = `https://127.0.0.1:10002/${ACCOUNT}`;
const ANY = { 'If-Match': '*' };

let account: TableServiceClient;
let send: (
  method: string,
  path: string,
  sas: string,
  init?: { headers?: Record<string, string>; body?: string },
) => Promise<Response>;

beforeEach(async () => {
  vi.spyOn(Date, 'now').mockReturnValue(Date.parse('2024-01-02T03:04:05Z'));
  account = await openForTest({ storage: memoryStorage() });
  await account.createTable('People');
  await account.createTable('Other');
  const authentication = { account: ACCOUNT, keys: [KEY] };
  const handler = createTableHandler(account, { authentication });
  send = (method, path, sas, { headers, body } = {}) =>
    handler(
      new Request(`${BASE}${path}${path.includes('?') ? '&' : '?'}${sas}`, {
        method,
        headers: { 'Content-Type': 'application/json', ...headers },
        ...(body !== undefined && { body }),
      }),
    );
});
afterEach(() => {
  vi.restoreAllMocks();
});

const tableSas = (options: Partial<TableSasOptions> = {}) =>
  generateTableSas({
    account: ACCOUNT,
    key: KEY,
    table: 'People',
    permissions: 'raud',
    expiresOn: '2030-01-01T00:00:00Z',
    ...options,
  });
const accountSas = (options: Partial<AccountSasOptions> = {}) =>
  generateAccountSas({
    account: ACCOUNT,
    key: KEY,
    permissions: 'rwdlacu',
    resourceTypes: 'sco',
    expiresOn: '2030-01-01T00:00:00Z',
    ...options,
  });

/** "403 AuthorizationFailure", or the status alone of a success. */
async function outcomeOf(response: Response | Promise<Response>): Promise<string> {
  const answer = await response;
  const text = await answer.text();
  if (answer.status < 400) return `${answer.status}`;
  const { code } = (JSON.parse(text) as { 'odata.error': { code: string } })['odata.error'];
  return `${answer.status} ${code}`;
}

const entity = (partitionKey: string, rowKey: string) =>
  JSON.stringify({ PartitionKey: partitionKey, RowKey: rowKey, A: 1 });
const at = (partitionKey: string, rowKey: string, table = 'People') =>
  `/${table}(PartitionKey='${partitionKey}',RowKey='${rowKey}')`;

async function store(...keys: [string, string][]): Promise<void> {
  const people = account.tableClient('People');
  for (const [partitionKey, rowKey] of keys) await people.upsertEntity({ partitionKey, rowKey });
}

async function rowsOf(response: Response): Promise<string[]> {
  const { value } = (await response.json()) as { value: Record<string, string>[] };
  return value.map(({ PartitionKey, RowKey }) => `${PartitionKey}${RowKey}`);
}

const NOT_ALLOWED = '403 AuthorizationPermissionMismatch';

describe('a signature for a table', () => {
  it.each([
    // read, insert, upsert, update, merge, delete
    ['r', ['200', NOT_ALLOWED, NOT_ALLOWED, NOT_ALLOWED, NOT_ALLOWED, NOT_ALLOWED]],
    ['a', [NOT_ALLOWED, '201', NOT_ALLOWED, NOT_ALLOWED, NOT_ALLOWED, NOT_ALLOWED]],
    ['u', [NOT_ALLOWED, NOT_ALLOWED, NOT_ALLOWED, '204', '204', NOT_ALLOWED]],
    ['au', [NOT_ALLOWED, '201', '204', '204', '204', NOT_ALLOWED]],
    ['d', [NOT_ALLOWED, NOT_ALLOWED, NOT_ALLOWED, NOT_ALLOWED, NOT_ALLOWED, '204']],
  ])('allows by "%s" what the letters say', async (permissions, outcomes) => {
    const sas = await tableSas({ permissions });
    await store(['p', 'r']);

    expect([
      await outcomeOf(send('GET', '/People()', sas)),
      await outcomeOf(send('POST', '/People', sas, { body: entity('p', 'new') })),
      await outcomeOf(send('PUT', at('p', 'x'), sas, { body: '{}' })),
      await outcomeOf(send('PUT', at('p', 'r'), sas, { body: '{}', headers: ANY })),
      await outcomeOf(send('MERGE', at('p', 'r'), sas, { body: '{}', headers: ANY })),
      await outcomeOf(send('DELETE', at('p', 'r'), sas, { headers: ANY })),
    ]).toEqual(outcomes);
  });

  it('is for entities of that table alone, whatever the case of its name', async () => {
    const sas = await tableSas();

    expect(await outcomeOf(send('GET', '/PEOPLE()', sas))).toBe('200');
    for (const [method, path, body] of [
      ['GET', '/Other()'],
      ['GET', '/Tables'],
      ['GET', "/Tables('People')"],
      ['POST', '/Tables', '{"TableName":"New"}'],
      ['DELETE', "/Tables('People')"],
      ['GET', '/People?comp=acl'],
      ['PUT', '/People?comp=acl', ''],
    ] as const) {
      const outcome = await outcomeOf(send(method, path, sas, { ...(body && { body }) }));
      expect(outcome, `${method} ${path}`).toBe('403 AuthorizationFailure');
    }
  });

  it('shows but the entities of its partitions', async () => {
    await store(['a', '1'], ['b', '1'], ['b', '2'], ['c', '1']);
    const sas = await tableSas({ startPartitionKey: 'b', endPartitionKey: 'b' });

    expect(await rowsOf(await send('GET', '/People()', sas))).toEqual(['b1', 'b2']);
    expect(await rowsOf(await send('GET', "/People()?$filter=RowKey eq '1'", sas))).toEqual(['b1']);
    expect(await outcomeOf(send('GET', at('b', '1'), sas))).toBe('200');
    expect(await outcomeOf(send('GET', at('c', '1'), sas))).toBe('404 ResourceNotFound');
  });

  it.each([
    [{ startPartitionKey: 'b' }, 'b4 b5 c0 d3 d4 e0'],
    [{ startPartitionKey: 'b', startRowKey: '5' }, 'b5 c0 d3 d4 e0'],
    [{ endPartitionKey: 'd' }, 'a9 b4 b5 c0 d3 d4'],
    [{ endPartitionKey: 'd', endRowKey: '3' }, 'a9 b4 b5 c0 d3'],
    [
      { startPartitionKey: 'b', startRowKey: '5', endPartitionKey: 'd', endRowKey: '3' },
      'b5 c0 d3',
    ],
    [{ startPartitionKey: 'e', endPartitionKey: 'b' }, ''],
  ])('of %j ends where it says', async (range, rows) => {
    const all: [string, string][] = [
      ...(['a9', 'b4', 'b5', 'c0', 'd3', 'd4', 'e0'] as const).map((keys): [string, string] => [
        keys[0]!,
        keys[1]!,
      ]),
    ];
    await store(...all);
    const sas = await tableSas(range);
    const expected = rows === '' ? [] : rows.split(' ');

    expect(await rowsOf(await send('GET', '/People()', sas))).toEqual(expected);
    for (const [partitionKey, rowKey] of all) {
      const isInside = expected.includes(partitionKey + rowKey);
      const path = at(partitionKey, rowKey);
      expect(await outcomeOf(send('GET', path, sas))).toBe(
        isInside ? '200' : '404 ResourceNotFound',
      );
      expect(await outcomeOf(send('PUT', path, sas, { body: '{}' }))).toBe(
        isInside ? '204' : '403 AuthorizationFailure',
      );
    }
  });

  it('goes on within its range, page by page', async () => {
    await store(['a', '1'], ['b', '1'], ['b', '2'], ['b', '3'], ['c', '1']);
    const sas = await tableSas({ startPartitionKey: 'b', endPartitionKey: 'b' });

    const first = await send('GET', '/People()?$top=2', sas);
    const next = ['NextPartitionKey', 'NextRowKey']
      .map((name) => `${name}=${first.headers.get(`x-ms-continuation-${name}`)}`)
      .join('&');
    expect(await rowsOf(first)).toEqual(['b1', 'b2']);
    const second = await send('GET', `/People()?$top=2&${next}`, sas);
    expect(await rowsOf(second)).toEqual(['b3']);
    expect(second.headers.get('x-ms-continuation-NextPartitionKey')).toBeNull();
    // A token of somebody else's leads nowhere else.
    const other = await send('GET', '/People()?NextPartitionKey=1!4!YQ--&NextRowKey=1!4!MQ--', sas);
    expect(await rowsOf(other)).toEqual(['b1', 'b2', 'b3']);
  });

  it('allows no write outside its range, whatever is written', async () => {
    await store(['c', '1']);
    const sas = await tableSas({ startPartitionKey: 'b', endPartitionKey: 'b' });
    const body = entity('c', '2');

    expect(await outcomeOf(send('POST', '/People', sas, { body }))).toBe(
      '403 AuthorizationFailure',
    );
    expect(await outcomeOf(send('DELETE', at('c', '1'), sas, { headers: ANY }))).toBe(
      '403 AuthorizationFailure',
    );
    expect(await collect(account.tableClient('People').listEntities())).toHaveLength(1);
  });

  it('allows a batch if it allows all that is in it', async () => {
    const part = (method: string, path: string, body: string) =>
      `--c\r\nContent-Type: application/http\r\n\r\n${method} ${path} HTTP/1.1\r\n` +
      `Content-Type: application/json\r\n\r\n${body}\r\n`;
    const batch = (sas: string, ...parts: string[]) =>
      send('POST', '/$batch', sas, {
        headers: { 'Content-Type': 'multipart/mixed; boundary=b' },
        body: `--b\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n${parts.join('')}--c--\r\n--b--\r\n`,
      });
    const insert = (keys: string) => part('POST', '/People', entity(keys[0]!, keys[1]!));
    const upsert = part('PUT', at('b', '2'), '{}');
    const ranged = await tableSas({ startPartitionKey: 'b', endPartitionKey: 'b' });

    expect(await outcomeOf(batch(await tableSas({ permissions: 'a' }), insert('b1')))).toBe('202');
    expect(await outcomeOf(batch(await tableSas({ permissions: 'a' }), insert('b3'), upsert))).toBe(
      NOT_ALLOWED,
    );
    expect(await outcomeOf(batch(ranged, insert('b4'), upsert))).toBe('202');
    expect(await outcomeOf(batch(ranged, insert('c1'), part('PUT', at('c', '2'), '{}')))).toBe(
      '403 AuthorizationFailure',
    );
    expect(
      (await collect(account.tableClient('People').listEntities())).map(({ rowKey }) => rowKey),
    ).toEqual(['1', '2', '4']);
  });

  it.each([
    ['expired', { expiresOn: '2024-01-02T03:04:04Z' }],
    ['not yet good', { startsOn: '2024-01-02T03:04:06Z' }],
    ['for a time that is none', { expiresOn: 'tomorrow' }],
    ['for a day that no calendar has', { expiresOn: '2099-02-31' }],
    ['for a time that no clock shows', { expiresOn: '2099-02-28T24:00:00Z' }],
    ['from a day that no calendar has', { startsOn: '2023-02-30T00:00Z' }],
    ['under an unknown policy', { identifier: 'nobody' }],
  ])('that is %s is refused', async (_, options) => {
    expect(await outcomeOf(send('GET', '/People()', await tableSas(options)))).toBe(
      '403 AuthenticationFailed',
    );
  });

  it('is good from its first to its last second', async () => {
    const time = '2024-01-02T03:04:05Z';

    expect(
      await outcomeOf(
        send('GET', '/People()', await tableSas({ startsOn: time, expiresOn: time })),
      ),
    ).toBe('200');
  });

  it('is refused when anything of it is changed, or missing', async () => {
    const sas = await tableSas({ startPartitionKey: 'b' });
    const without = (name: string) => sas.replace(new RegExp(`(^|&)${name}=[^&]*`), '');
    for (const changed of [
      ...['sv', 'tn', 'sp', 'se', 'spk', 'sig'].map(without),
      sas.replace('sp=raud', 'sp=ra'),
      sas.replace('spk=b', 'spk=a'),
      sas.replace('tn=People', 'tn=Other'),
      sas.replace('se=2030', 'se=2031'),
      `${sas}&srk=1`,
      `${sas}&st=2020-01-01`,
      sas.replace('sig=', 'sig=A'),
      sas.replace('sig=', 'sig=%zz'),
    ]) {
      expect(await outcomeOf(send('GET', '/People()', changed)), changed).toBe(
        '403 AuthenticationFailed',
      );
    }
  });

  // Empty and missing are signed alike: taken away, the bound would be gone.
  it.each(['spk', 'epk', 'srk', 'erk', 'si', 'sip', 'spr', 'st'])(
    'is refused where its %s is empty',
    async (name) => {
      const sas = await tableSas();

      expect(await outcomeOf(send('GET', '/People()', sas))).toBe('200');
      expect(await outcomeOf(send('GET', '/People()', `${sas}&${name}=`))).toBe(
        '403 AuthenticationFailed',
      );
    },
  );

  // Case 554.
  it.each(['sig', 'se', 'sp', 'tn', 'sv', '%73ig'])(
    'is refused where it has two %s',
    async (name) => {
      const sas = await tableSas();
      const value = new URLSearchParams(sas).get(decodeURIComponent(name))!;

      const twice = `${sas}&${name}=${encodeURIComponent(value)}`;
      expect(await outcomeOf(send('GET', '/People()', twice))).toBe('403 AuthenticationFailed');
    },
  );

  it('is refused where its version is no day', async () => {
    const { tableSasText } = await import('../../../js/src/http/auth/sas.js');
    const { keyBytes, signingKey } = await import('../../../js/src/http/auth/signature.js');
    for (const sv of ['9999-99-99', '2024-02-30']) {
      const fields = { sv, tn: 'People', sp: 'r', se: '2030-01-01' };
      const sig = await (await signingKey(keyBytes(KEY)))(tableSasText(ACCOUNT, fields));
      const sas = new URLSearchParams({ ...fields, sig }).toString();

      expect(await outcomeOf(send('GET', '/People()', sas))).toBe('403 AuthenticationFailed');
    }
  });

  it('may demand HTTPS', async () => {
    const sas = await tableSas({ protocol: 'https' });
    const authentication = { account: ACCOUNT, keys: [KEY] };
    const handler = createTableHandler(account, { authentication });
    const path = `/${ACCOUNT}/People()?${sas}`;

    expect(await outcomeOf(handler(new Request(`https://a${path}`)))).toBe('200');
    expect(await outcomeOf(handler(new Request(`http://a${path}`)))).toBe(
      '403 AuthorizationProtocolMismatch',
    );
  });

  it('may demand an address, where it is known', async () => {
    const rawHandler = createRawTableHandler(account, {
      authentication: { account: ACCOUNT, keys: [KEY] },
    });
    const statusFrom = async (ipRange: string, address?: string) => {
      const { status } = await rawHandler({
        method: 'GET',
        target: `/${ACCOUNT}/People()?${await tableSas({ ipRange })}`,
        headers: new Headers(),
        readBody: () => Promise.resolve(undefined),
        origin: { isSecure: true, address },
      });
      return status;
    };

    expect(await statusFrom('10.0.0.1', '10.0.0.1')).toBe(200);
    expect(await statusFrom('10.0.0.1', '::ffff:10.0.0.1')).toBe(200);
    expect(await statusFrom('10.0.0.9-10.0.1.1', '10.0.1.0')).toBe(200);
    expect(await statusFrom('10.0.0.1')).toBe(200);
    for (const address of ['10.0.0.8', '10.0.1.2', '9.255.255.255', '::1', '10.0.0']) {
      expect(await statusFrom('10.0.0.9-10.0.1.1', address), address).toBe(403);
    }
    expect(await statusFrom('nowhere', '10.0.0.1')).toBe(403);
  });
});

describe('a signature for an account', () => {
  const newTable = { body: '{"TableName":"New"}' };
  const wrongType = '403 AuthorizationResourceTypeMismatch';

  it.each([
    [{ resourceTypes: 'o', permissions: 'rl' }, 'GET', '/Tables', {}, wrongType],
    [{ resourceTypes: 'c', permissions: 'l' }, 'GET', '/Tables', {}, '200'],
    [{ resourceTypes: 's', permissions: 'l' }, 'GET', '/Tables', {}, '200'],
    [{ resourceTypes: 'sco', permissions: 'r' }, 'GET', '/Tables', {}, NOT_ALLOWED],
    [{ resourceTypes: 'c', permissions: 'c' }, 'POST', '/Tables', newTable, '201'],
    [{ resourceTypes: 'c', permissions: 'w' }, 'POST', '/Tables', newTable, '201'],
    [{ resourceTypes: 'o', permissions: 'a' }, 'POST', '/Tables', newTable, wrongType],
    [{ resourceTypes: 'c', permissions: 'a' }, 'POST', '/Tables', newTable, NOT_ALLOWED],
    [{ resourceTypes: 'c', permissions: 'd' }, 'DELETE', "/Tables('Other')", {}, '204'],
    [{ resourceTypes: 'o', permissions: 'r' }, 'GET', '/People()', {}, '200'],
    [{ resourceTypes: 'c', permissions: 'r' }, 'GET', '/People()', {}, wrongType],
    [{ resourceTypes: 'o', permissions: 'a' }, 'PUT', at('p', 'r'), { body: '{}' }, NOT_ALLOWED],
    [{ resourceTypes: 'o', permissions: 'au' }, 'PUT', at('p', 'r'), { body: '{}' }, '204'],
    [{}, 'GET', '/People?comp=acl', {}, '403 AuthorizationFailure'],
  ])('of %j: %s %s', async (options, method, path, init, outcome) => {
    expect(await outcomeOf(send(method, path, await accountSas(options), init))).toBe(outcome);
  });

  it('must be for tables', async () => {
    // The spec has an example for blobs, with ss=b. Any other service is as good.
    const { accountSasText } = await import('../../../js/src/http/auth/sas.js');
    const { keyBytes, signingKey } = await import('../../../js/src/http/auth/signature.js');
    const fields = { sv: '2019-02-02', ss: 'b', srt: 'sco', sp: 'rl', se: '2030-01-01' };
    const sig = await (await signingKey(keyBytes(KEY)))(accountSasText(ACCOUNT, fields));
    const sas = new URLSearchParams({ ...fields, sig }).toString();

    expect(await outcomeOf(send('GET', '/Tables', sas))).toBe('403 AuthorizationServiceMismatch');
  });

  it('of the newest version has a line more', async () => {
    expect(
      await outcomeOf(send('GET', '/Tables', await accountSas({ version: '2022-11-02' }))),
    ).toBe('200');
  });

  it('is refused when it is changed', async () => {
    const sas = await accountSas({ permissions: 'r' });

    expect(await outcomeOf(send('GET', '/People()', sas.replace('sp=r', 'sp=rw')))).toBe(
      '403 AuthenticationFailed',
    );
  });
});

describe('a signature with a stored access policy', () => {
  const expiry = new Date('2030-01-01T00:00:00Z');
  const withPolicy = (options: Partial<TableSasOptions> = {}) =>
    tableSas({ permissions: undefined, expiresOn: undefined, identifier: 'pol1', ...options });
  const set = (accessPolicy: AccessPolicy, id = 'pol1') =>
    account.tableClient('People').setAccessPolicy([{ id, accessPolicy }]);

  it('allows what the policy says', async () => {
    await set({ expiry, permission: 'r' });
    const sas = await withPolicy();

    expect(await outcomeOf(send('GET', '/People()', sas))).toBe('200');
    expect(await outcomeOf(send('POST', '/People', sas, { body: entity('p', 'r') }))).toBe(
      NOT_ALLOWED,
    );
  });

  it('is worth nothing when the policy has gone, or has another name', async () => {
    const sas = await withPolicy();
    await set({ expiry, permission: 'r' });
    expect(await outcomeOf(send('GET', '/People()', sas))).toBe('200');

    await set({ expiry, permission: 'r' }, 'pol2');
    expect(await outcomeOf(send('GET', '/People()', sas))).toBe('403 AuthenticationFailed');
    await account.tableClient('People').setAccessPolicy([]);
    expect(await outcomeOf(send('GET', '/People()', sas))).toBe('403 AuthenticationFailed');
    await account.deleteTable('People');
    expect(await outcomeOf(send('GET', '/People()', sas))).toBe('403 AuthenticationFailed');
  });

  it('takes from it what it does not say itself', async () => {
    await set({ permission: 'r' });

    expect(await outcomeOf(send('GET', '/People()', await withPolicy()))).toBe(
      '403 AuthenticationFailed',
    );
    const sas = await withPolicy({ expiresOn: expiry });
    expect(await outcomeOf(send('GET', '/People()', sas))).toBe('200');
  });

  it('may not say what the policy says', async () => {
    await set({ expiry, permission: 'r' });

    for (const twice of [{ permissions: 'r' }, { expiresOn: expiry }]) {
      expect(await outcomeOf(send('GET', '/People()', await withPolicy(twice)))).toBe(
        '403 AuthenticationFailed',
      );
    }
  });

  it.each([
    { expiry: new Date('2024-01-02T03:04:04Z'), permission: 'r' },
    { start: new Date('2024-01-02T03:04:06Z'), expiry, permission: 'r' },
    { expiry },
  ])('is refused outside of what %j allows', async (policy) => {
    await set(policy);

    expect(await outcomeOf(send('GET', '/People()', await withPolicy()))).toBe(
      '403 AuthenticationFailed',
    );
  });

  it('keeps its range of keys', async () => {
    await set({ expiry, permission: 'r' });
    await store(['a', '1'], ['b', '1']);
    const sas = await withPolicy({ startPartitionKey: 'b' });

    expect(await rowsOf(await send('GET', '/People()', sas))).toEqual(['b1']);
  });
});
