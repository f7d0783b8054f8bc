// Cases 491 to 515. shared-access-policies.test.ts has the others.

import { describe, expect, it } from 'vitest';

import { createRawTableHandler, createTableHandler } from '../../../js/src/http.js';
import { collect } from '../support/accounts.js';
import {
  ACCOUNT,
  KEY,
  ANY,
  account,
  send,
  tableSas,
  outcomeOf,
  entity,
  at,
  store,
  rowsOf,
  NOT_ALLOWED,
  useSignedRequests,
} from '../support/signed-requests.js';

useSignedRequests();

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

  it('continues within its range, page by page', async () => {
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
    // A continuation token with keys outside of the range gives no access to them.
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

  it('is refused if its version is not a date', async () => {
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

  it('may require an address, if it is known', async () => {
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
