// An account that gets another number of shards, ended at each step.

import { describe, expect, it, vi } from 'vitest';

import { isWhole } from '../../../../scripts/test/tier.mjs';
import { createShardCatalogue } from '../../../../js/src/edge.js';
import { memoryStorage } from '../../../../js/src/storage/memory.js';
import { openForTest } from '../../support/accounts.js';
import {
  ACCOUNT,
  BASE_URL,
  JSON_HEADERS,
  openSharded,
  tablesOf,
  textRecords,
  type Fate,
} from '../../support/shards.js';
import { advance, cancel, fill, insert, rowsIn, type Status } from '../../support/resharding.js';
import { testSeed } from '../../support/random-numbers.js';

const seed = testSeed();

const [FROM, TO] = [2, 3];
const FATES: Fate[] = ['killed before', 'killed after', 'lost', 'unanswered'];
const PROPERTIES = '/?restype=service&comp=properties';
const CORS =
  '<StorageServiceProperties><Cors><CorsRule><AllowedOrigins>*</AllowedOrigins>' +
  '<AllowedMethods>GET</AllowedMethods><MaxAgeInSeconds>7</MaxAgeInSeconds>' +
  '<ExposedHeaders></ExposedHeaders><AllowedHeaders></AllowedHeaders></CorsRule></Cors>' +
  '</StorageServiceProperties>';
const POLICY =
  '<SignedIdentifiers><SignedIdentifier><Id>a</Id><AccessPolicy><Permission>r</Permission>' +
  '</AccessPolicy></SignedIdentifier></SignedIdentifiers>';

describe(`resharding (seed ${seed})`, () => {
  it('copies values of all types, policies and properties, and leaves nothing behind', async () => {
    const account = await openSharded(FROM);
    await fill(account);
    const row = {
      PartitionKey: "it's 100 % ü+&=€",
      RowKey: '',
      text: '"\\ \u{1f600} 日本',
      yes: true,
      number: -7,
      'big@odata.type': 'Edm.Int64',
      big: '-9223372036854775808',
      double: 2.5,
      'whole@odata.type': 'Edm.Double',
      whole: 3,
      'nan@odata.type': 'Edm.Double',
      nan: 'NaN',
      'when@odata.type': 'Edm.DateTime',
      when: '1601-01-01T00:00:00.0000001Z',
      'id@odata.type': 'Edm.Guid',
      id: '9d3a4d1e-0c1b-4f1e-9d5f-000000000001',
      'bytes@odata.type': 'Edm.Binary',
      bytes: 'AP8=',
    };
    expect(await insert(account, 'Pets', row)).toBe(201);
    expect((await account.send('PUT', '/Pets?comp=acl', { body: POLICY })).status).toBe(204);
    expect((await account.send('PUT', PROPERTIES, { body: CORS })).status).toBe(202);
    const before = [await rowsIn(account, 'Pets'), await rowsIn(account, 'Logs')];

    expect(await advance(account, TO)).toEqual({ shards: TO });

    expect([await rowsIn(account, 'Pets'), await rowsIn(account, 'Logs')]).toEqual(before);
    for (const old of account.shardsOf(FROM)) expect(await tablesOf(old)).toEqual([]);
    for (const shard of account.shardsOf(TO)) {
      expect(await tablesOf(shard)).toEqual(['Empty', 'Logs', 'Pets']);
      const policies = await shard(new Request(`${BASE_URL}/Pets?comp=acl`));
      expect(await policies.text()).toContain('<Id>a</Id>');
      const properties = await shard(new Request(BASE_URL + PROPERTIES));
      expect(await properties.text()).toContain('<MaxAgeInSeconds>7</MaxAgeInSeconds>');
    }
    expect(await insert(account, 'Empty', { PartitionKey: 'a', RowKey: 'b' })).toBe(201);
    expect(await insert(account, 'Logs', { PartitionKey: 'p0', RowKey: 'r' })).toBe(409);
  });

  it('copies partitions of more than a batch and a page', async () => {
    const account = await openSharded(FROM);
    await account.send('POST', '/Tables', { headers: JSON_HEADERS, body: '{"TableName":"Pets"}' });
    for (let at = 0; at < 950; at++) {
      const PartitionKey = at < 700 ? 'large' : `p${at}`;
      await insert(account, 'Pets', { PartitionKey, RowKey: `${at}`, at });
    }
    const before = await rowsIn(account, 'Pets');
    expect(before).toHaveLength(950);

    await advance(account, TO);

    expect(await rowsIn(account, 'Pets')).toEqual(before);
  });

  it('copies entities that fill a request each', async () => {
    const account = await openSharded(FROM);
    await account.send('POST', '/Tables', { headers: JSON_HEADERS, body: '{"TableName":"Pets"}' });
    const long = Object.fromEntries(
      Array.from({ length: 15 }, (_, at) => [`p${at}`, '日'.repeat(32_000)]),
    );
    for (const RowKey of ['1', '2', '3', '4', '5']) {
      expect(await insert(account, 'Pets', { PartitionKey: 'a', RowKey, ...long })).toBe(201);
    }
    await advance(account, TO);
    const rows = await rowsIn(account, 'Pets');
    expect(rows.map(({ RowKey }) => RowKey)).toEqual(['1', '2', '3', '4', '5']);
    expect(rows[4]).toMatchObject(long);
  });

  it('lets clients read and refuses writes until it has ended', async () => {
    const account = await openSharded(FROM);
    await fill(account);
    const seen: Record<string, [read: number, write: number, create: number]> = {};
    for (let status: Status = { shards: FROM, state: '' }; status.state !== undefined;) {
      status = (await (await account.reshard('POST', TO)).json()) as Status;
      const read = await account.send('GET', '/Pets', { headers: JSON_HEADERS });
      const path = "/Pets(PartitionKey='p1',RowKey='r')";
      const write = await account.send('PUT', path, {
        headers: JSON_HEADERS,
        body: '{"value":"new"}',
      });
      const create = await account.send('POST', '/Tables', {
        headers: JSON_HEADERS,
        body: '{"TableName":"Empty"}',
      });
      const statuses = [read, write, create].map((answer) => answer.status);
      seen[status.state ?? 'done'] = statuses as [number, number, number];
      if (write.status === 503) expect(await write.text()).toContain('ServerBusy');
    }
    const [refused, carriedOut] = [
      [200, 503, 503],
      [200, 204, 409],
    ];
    expect(seen).toEqual({
      ...{ preparing: refused, defining: refused, copying: refused, closing: refused },
      // The first client opens the new shards.
      ...{ opening: carriedOut, clearing: carriedOut, done: carriedOut },
    });
    expect(
      (await rowsIn(account, 'Pets')).find(({ PartitionKey }) => PartitionKey === 'p1'),
    ).toMatchObject({ value: 'new' });
  });

  it('goes back, from any step before the copy is complete', async () => {
    for (let steps = 1; ; steps++) {
      const account = await openSharded(FROM);
      await fill(account);
      const before = await rowsIn(account, 'Pets');
      let state: string | undefined;
      for (let at = 0; at < steps; at++) {
        ({ state } = (await (await account.reshard('POST', TO)).json()) as Status);
      }
      if (state === 'closing') {
        const answer = await account.reshard('DELETE');
        expect(answer.status).toBe(400);
        expect(await answer.text()).toContain('cannot be cancelled any more');
        expect(await advance(account, TO)).toEqual({ shards: TO });
        break;
      }
      expect(await cancel(account)).toEqual({ shards: FROM });
      expect(await rowsIn(account, 'Pets')).toEqual(before);
      for (const shard of account.shardsOf(TO)) expect(await tablesOf(shard)).toEqual([]);
      expect(await insert(account, 'Empty', { PartitionKey: 'a', RowKey: 'b' })).toBe(201);
      expect(await advance(account, TO)).toEqual({ shards: TO });
      expect(await rowsIn(account, 'Empty')).toHaveLength(1);
    }
  });

  it('goes there and back again, over shards that were used before', async () => {
    const account = await openSharded(FROM);
    await fill(account);
    for (const size of [TO, FROM, TO]) {
      await account.send('DELETE', `/Pets(PartitionKey='p${size}',RowKey='r')`, {
        headers: { ...JSON_HEADERS, 'If-Match': '*' },
      });
      const before = await rowsIn(account, 'Pets');
      expect(await advance(account, size)).toEqual({ shards: size });
      expect(await rowsIn(account, 'Pets')).toEqual(before);
    }
  });

  it('refuses numbers that it cannot go to', async () => {
    const account = await openSharded(FROM);
    for (const to of [0, 1, 2.5, 401, NaN]) {
      expect((await account.reshard('POST', to)).status, `${to}`).toBe(400);
    }
    expect(await (await account.reshard('POST', FROM)).json()).toEqual({ shards: FROM });
    await account.reshard('POST', TO);
    const other = await account.reshard('POST', TO + 1);
    expect(other.status).toBe(400);
    expect(await other.text()).toContain('The account is on its way to 3 shards.');
    expect((await account.reshard('PUT', TO)).status).toBe(405);
    expect(await (await account.reshard('GET')).json()).toMatchObject({ shards: FROM, to: TO });
  });

  it('can be cancelled when a new shard does not answer', async () => {
    const account = await openSharded(FROM, (step) =>
      step.includes('of 3: PUT') ? 'lost' : 'fine',
    );
    vi.spyOn(console, 'error').mockImplementation(() => {});
    await fill(account);
    let status = 200;
    for (let at = 0; at < 10; at++) ({ status } = await account.reshard('POST', TO));
    expect(status).toBe(503);
    expect(await cancel(account)).toEqual({ shards: FROM });
  });

  it('loses nothing, whatever ends at whichever step', { timeout: 120_000 }, async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const whole = await openSharded(FROM);
    await fill(whole);
    const rows = await rowsIn(whole, 'Pets');
    whole.steps.length = 0;
    await advance(whole, TO);
    const steps = whole.steps.length;
    expect(steps).toBeGreaterThan(40);

    // One fate of a step; in the usual tests, every other step. `faults.node.test.ts` has all fates
    // of all steps, at random.
    const stride = isWhole() ? 1 : 2;
    for (let at = seed % stride, turn = seed; at < steps; at += stride, turn++) {
      const fate = FATES[turn % FATES.length]!;
      let left = Infinity;
      const account = await openSharded(FROM, () => (left-- === 0 ? fate : 'fine'));
      await fill(account);
      [left, account.steps.length] = [at, 0];
      await advance(account, TO);
      const label = `${fate} at ${account.steps[at]}`;
      expect(await rowsIn(account, 'Pets'), label).toEqual(rows);
      for (const old of account.shardsOf(FROM)) expect(await tablesOf(old), label).toEqual([]);
    }
  });
});

describe('a resharding that begins', () => {
  it('finishes the changes of tables first', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    let isDown = false;
    const account = await openSharded(FROM, (step) =>
      isDown && step.startsWith('catalogue → shard 1') ? 'lost' : 'fine',
    );
    isDown = true;
    const body = '{"TableName":"Pets"}';
    expect((await account.send('POST', '/Tables', { headers: JSON_HEADERS, body })).status).toBe(
      500,
    );
    expect((await account.reshard('POST', TO)).status).toBe(503);
    isDown = false;

    expect(await advance(account, TO)).toEqual({ shards: TO });
    for (const shard of account.shardsOf(TO)) expect(await tablesOf(shard)).toEqual(['Pets']);
    expect(await insert(account, 'Pets', { PartitionKey: 'a', RowKey: 'b' })).toBe(201);
  });

  it('empties the new shards', async () => {
    const account = await openSharded(FROM);
    await fill(account);
    const before = await rowsIn(account, 'Pets');
    for (const old of account.shardsOf(TO)) {
      const send = (path: string, body: string) =>
        old(new Request(BASE_URL + path, { method: 'POST', headers: JSON_HEADERS, body }));
      for (const name of ['Pets', 'Old']) await send('/Tables', `{"TableName":"${name}"}`);
      await send('/Pets', '{"PartitionKey":"old","RowKey":"1"}');
    }

    await advance(account, TO);
    expect(await rowsIn(account, 'Pets')).toEqual(before);
    for (const shard of account.shardsOf(TO)) expect(await tablesOf(shard)).not.toContain('Old');
  });

  it('does not begin again for a command whose change was cancelled', async () => {
    const account = await openSharded(FROM);
    await fill(account);
    await account.reshard('POST', TO);
    expect(await cancel(account)).toEqual({ shards: FROM });
    expect(await (await account.reshard('POST')).json()).toEqual({ shards: FROM });
  });

  it('cannot be cancelled when clients use the new shards', async () => {
    const account = await openSharded(FROM);
    await fill(account);
    for (let state: string | undefined = ''; state !== 'clearing';) {
      ({ state } = (await (await account.reshard('POST', TO)).json()) as Status);
    }
    const answer = await account.reshard('DELETE');
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain('Run --shards 3 to finish it.');
  });

  it('is refused over other handlers, which have no gates', async () => {
    const account = await openForTest({
      storage: memoryStorage(),
      name: ACCOUNT,
      baseUrl: BASE_URL,
    });
    const catalogue = createShardCatalogue(account, {
      ...{ authentication: 'anonymous', shards: [notCalled, notCalled], baseUrl: BASE_URL },
      records: textRecords(),
    });
    const headers = { 'x-entitable-catalogue': 'reshard' };
    const address = `${BASE_URL}/?comp=shards&to=3`;
    const answer = await catalogue(new Request(address, { method: 'POST', headers }));
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
    const create = { method: 'POST', headers: { ...JSON_HEADERS }, body: '{"TableName":"Pets"}' };
    expect((await catalogue(new Request(`${BASE_URL}/Tables`, create))).status).toBe(201);
  });
});

const notCalled = () => Promise.reject(new Error('The account must not be asked.'));
