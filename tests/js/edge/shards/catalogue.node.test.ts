// The catalogue, ended at each step of a change.

import { describe, expect, it, vi } from 'vitest';

import { isWhole } from '../../../../scripts/test/tier.mjs';
import {
  JSON_HEADERS,
  openSharded,
  tablesOf,
  type Fate,
  type Sharded,
} from '../../support/shards.js';
import { testSeed } from '../../support/random-numbers.js';

const SHARDS = 2;
const POLICY =
  '<SignedIdentifiers><SignedIdentifier><Id>a</Id><AccessPolicy><Permission>r</Permission>' +
  '</AccessPolicy></SignedIdentifier></SignedIdentifiers>';

const create = ({ send }: Sharded) =>
  send('POST', '/Tables', { headers: JSON_HEADERS, body: '{"TableName":"Pets"}' });
const drop = ({ send }: Sharded) => send('DELETE', "/Tables('Pets')", { headers: JSON_HEADERS });
const setPolicies = ({ send }: Sharded) => send('PUT', '/Pets?comp=acl', { body: POLICY });
const setProperties = ({ send }: Sharded) =>
  send('PUT', '/?restype=service&comp=properties', {
    body: '<StorageServiceProperties><Cors><CorsRule><AllowedOrigins>*</AllowedOrigins><AllowedMethods>GET</AllowedMethods><MaxAgeInSeconds>7</MaxAgeInSeconds><ExposedHeaders></ExposedHeaders><AllowedHeaders></AllowedHeaders></CorsRule></Cors></StorageServiceProperties>',
  });
const insert = ({ send }: Sharded, partition: string) =>
  send('POST', '/Pets', {
    headers: { ...JSON_HEADERS, Prefer: 'return-no-content' },
    body: JSON.stringify({ PartitionKey: partition, RowKey: 'r' }),
  });

const countIn = async ({ send }: Sharded) => {
  const answer = await send('GET', '/Pets', { headers: JSON_HEADERS });
  if (!answer.ok) return answer.status;
  return ((await answer.json()) as { value: unknown[] }).value.length;
};

/** The tables of the catalogue and of each shard. */
const allTables = async ({ tables, shards }: Sharded) =>
  Promise.all([tables, ...shards].map(tablesOf));

const everywhere = (names: string[]) => new Array<string[]>(SHARDS + 1).fill(names);

/** How many steps the change has. */
async function stepsOf(
  prepare: (account: Sharded) => Promise<unknown>,
  change: (account: Sharded) => Promise<Response>,
): Promise<number> {
  const account = await openSharded(SHARDS);
  await prepare(account);
  account.steps.length = 0;
  expect((await change(account)).ok).toBe(true);
  return account.steps.length;
}

const FATES: Fate[] = ['killed before', 'killed after', 'lost', 'unanswered'];

// Which fates the first step has; the next one has the others. All have all in the whole matrix,
// and `faults.node.test.ts` has them at random.
const seed = testSeed();
const fatesOf = (at: number) => FATES.filter((_, i) => isWhole() || (seed + at + i) % 2 === 0);

/** Calls a check for each step of a change and the fates of that step. */
async function atEachStep(
  prepare: (account: Sharded) => Promise<unknown>,
  change: (account: Sharded) => Promise<Response>,
  check: (account: Sharded, first: Response, label: string) => Promise<void>,
): Promise<void> {
  const steps = await stepsOf(prepare, change);
  expect(steps).toBeGreaterThan(SHARDS + 2);
  for (let at = 0; at < steps; at++) {
    for (const fate of fatesOf(at)) {
      let left = Infinity;
      const account = await openSharded(SHARDS, () => (left-- === 0 ? fate : 'fine'));
      await prepare(account);
      left = at;
      account.steps.length = 0;
      const first = await change(account);
      const label = `${fate} at ${account.steps[at]}: ${first.status}`;
      await check(account, first, label);
    }
  }
}

describe(`a catalogue that ends at any step (seed ${seed})`, { timeout: 60_000 }, () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});

  it('has created a table everywhere or nowhere, after the next request for it', async () => {
    await atEachStep(
      () => Promise.resolve(),
      create,
      async (account, first, label) => {
        // An acknowledged creation counts.
        const isCreated = first.ok;
        const second = await create(account);
        expect([201, 409], label).toContain(second.status);
        if (isCreated) expect(second.status, label).toBe(409);
        expect(await allTables(account), label).toEqual(everywhere(['Pets']));
        for (let at = 0; at < 20; at++) expect((await insert(account, `${at}`)).status).toBe(204);
        expect(await countIn(account), label).toBe(20);
      },
    );
  });

  it('finishes a creation when an entity meets it, and loses no entity', async () => {
    await atEachStep(
      () => Promise.resolve(),
      create,
      async (account, first, label) => {
        const statuses = new Set<number>();
        let stored = 0;
        for (let at = 0; at < 20; at++) {
          const { status } = await insert(account, `${at}`);
          statuses.add(status);
          if (status === 204) stored++;
        }
        // All or nothing.
        expect([...statuses], label).toEqual(stored ? [204] : [404]);
        if (first.ok) expect(stored, label).toBe(20);
        await create(account);
        expect(await countIn(account), label).toBe(stored);
        expect(await allTables(account), label).toEqual(everywhere(['Pets']));
      },
    );
  });

  it('has deleted a table everywhere or nowhere, after the next request for it', async () => {
    const prepare = async (account: Sharded) => {
      await create(account);
      for (let at = 0; at < 20; at++) await insert(account, `${at}`);
    };
    await atEachStep(prepare, drop, async (account, first, label) => {
      const tables = await account.send('GET', '/Tables', { headers: JSON_HEADERS });
      const { value } = (await tables.json()) as { value: unknown[] };
      const isThere = value.length === 1;
      if (first.ok) expect(isThere, label).toBe(false);
      expect(await allTables(account), label).toEqual(everywhere(isThere ? ['Pets'] : []));
      expect(await countIn(account), label).toBe(isThere ? 20 : 404);
      // The new table has nothing of the old one.
      if (isThere) expect((await drop(account)).status, label).toBe(204);
      expect((await create(account)).status, label).toBe(201);
      expect(await countIn(account), label).toBe(0);
    });
  });

  it('has the same policies everywhere, after the next request', async () => {
    await atEachStep(create, setPolicies, async (account, first, label) => {
      const seen = await (await account.send('GET', '/Pets?comp=acl')).text();
      if (first.ok) expect(seen, label).toContain('<Id>a</Id>');
      for (const shard of account.shards) {
        const path = 'http://127.0.0.1:10002/devstoreaccount1/Pets?comp=acl';
        expect(await (await shard(new Request(path))).text(), label).toBe(seen);
      }
    });
  });

  it('has the same properties everywhere, after the next request', async () => {
    await atEachStep(
      () => Promise.resolve(),
      setProperties,
      async (account, first, label) => {
        const path = '/?restype=service&comp=properties';
        const seen = await (await account.send('GET', path)).text();
        if (first.ok) expect(seen, label).toContain('>7<');
        for (const shard of account.shards) {
          const request = new Request(`http://127.0.0.1:10002/devstoreaccount1${path}`);
          expect(await (await shard(request)).text(), label).toBe(seen);
        }
      },
    );
  });
});

describe('a catalogue', () => {
  it('carries out changes of one table one after another', async () => {
    const account = await openSharded(SHARDS);
    const statuses = await Promise.all(
      Array.from({ length: 12 }, async (_, at) => (await (at % 2 ? drop : create)(account)).status),
    );

    expect(statuses.every((status) => [201, 204, 404, 409].includes(status))).toBe(true);
    const [first, ...others] = await allTables(account);
    expect(others).toEqual(others.map(() => first));
  });

  it('answers 404 for a table that does not exist', async () => {
    const account = await openSharded(SHARDS);

    expect((await insert(account, 'a')).status).toBe(404);
    expect((await drop(account)).status).toBe(404);
    expect(await countIn(account)).toBe(404);
  });

  it('says that the outcome is not known if a shard does not answer', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    let isDown = true;
    const account = await openSharded(SHARDS, (step) =>
      isDown && step.includes('→ shard 1') ? 'lost' : 'fine',
    );

    const first = await create(account);
    expect(first.status).toBe(500);
    expect(await first.text()).toContain('StorageOutcomeUnknown');
    // Nothing is done before the first change is finished.
    const second = await drop(account);
    expect(second.status).toBe(503);
    expect(await second.text()).toContain('ServerBusy');
    // Requests about tables do not wait for the shard.
    expect((await account.send('GET', '/Tables', { headers: JSON_HEADERS })).status).toBe(200);

    isDown = false;
    expect((await create(account)).status).toBe(409);
    expect(await allTables(account)).toEqual(everywhere(['Pets']));
  });
});
