// Several processes serve one account that is in PostgreSQL. Processes are killed, and the database
// crashes, while clients write.

import { once } from 'node:events';

import { TableClient } from '@azure/data-tables';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { startPostgres } from '../../../scripts/lib/postgres.mjs';
import { roundsOf } from '../../../scripts/test/tier.mjs';
import { run, serve } from '../../package/support/serve.js';
import { chosenSeed } from '../../real/support/random.js';
import { poolOf, type PostgresServer } from '../support/postgres.js';
import { Load, Processes } from '../support/several.js';

// How often a process is killed, and how often the database crashes.
const ROUNDS = roundsOf('ENTITABLE_KILL_ROUNDS', { usual: 1, whole: 4 });
const ROWS = 20;
const seed = chosenSeed();
const figures = (what: string, numbers: object) => {
  if (process.env['ENTITABLE_KILL_ROUNDS']) console.log(what, JSON.stringify(numbers));
};

let server: PostgresServer;

beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());

const key = Buffer.from('a key').toString('base64');
const wordsFor = (account: string) => [
  ...['--postgres', server.url, '--account', account, '--key', key, '--loose', '--quiet'],
];

const hasSeed = `with the seed ${seed}`;

describe(`four processes that serve one account, ${hasSeed}`, () => {
  it(
    'lose no acknowledged write when they are killed',
    async () => {
      const processes = new Processes(4, ...wordsFor('killed'));
      await processes.createTable();
      const load = new Load(processes, seed);
      for (let round = 0; round < ROUNDS; round++) {
        await load.acknowledges(ROWS);
        await processes.replace(load.place());
      }
      await load.acknowledges(ROWS);

      figures('killed', await load.end());
      await processes.stop();
    },
    60_000 + ROUNDS * 15_000,
  );

  it(
    'lose no acknowledged write when the database crashes',
    async () => {
      const processes = new Processes(4, ...wordsFor('crashed'));
      await processes.createTable();
      const load = new Load(processes, seed);
      for (let round = 0; round < ROUNDS; round++) {
        await load.acknowledges(ROWS);
        await server.crash();
        await server.start();
      }
      await load.acknowledges(ROWS);

      figures('crashed', await load.end());
      await processes.stop();
    },
    60_000 + ROUNDS * 15_000,
  );
});

describe('a database that is set back, as by a replica that has not all commits', () => {
  it('gets back the records that a process still has', async () => {
    const { connectionString, stop } = await serve(...wordsFor('setback'));
    const rows = TableClient.fromConnectionString(connectionString, 'Rows', {
      allowInsecureConnection: true,
    });
    const insert = (rowKey: string) => rows.createEntity({ partitionKey: 'p', rowKey });
    await rows.createTable();
    await insert('before');
    await server.crash();
    const restore = server.keepCopy();
    await server.start();
    for (const rowKey of ['lost-1', 'lost-2']) await insert(rowKey);
    await server.crash();
    restore();
    await server.start();
    await insert('after');

    const found: string[] = [];
    for await (const { rowKey } of rows.listEntities()) found.push(rowKey!);
    expect(found).toEqual(['after', 'before', 'lost-1', 'lost-2']);
    expect(await stop()).toBe(0);
    // Also for a process that begins now.
    const next = await serve(...wordsFor('setback'));
    const again = TableClient.fromConnectionString(next.connectionString, 'Rows', {
      allowInsecureConnection: true,
    });
    expect((await again.getEntity('p', 'lost-2')).rowKey).toBe('lost-2');
  });
});

describe('a process that serves an account in PostgreSQL', () => {
  it('says where the account is, without the password', async () => {
    const child = run('serve', '--port', '0', ...wordsFor('greeting'));
    let said = '';
    child.stdout!.on('data', (piece) => (said += piece));
    await vi.waitFor(() => expect(said).toContain('kept in'), 30_000);
    const { host } = new URL(server.url);

    expect(said).toContain(`kept in PostgreSQL at ${host}/postgres\n`);
    expect(said).not.toContain('secret');
  });

  it('ends at a signal, and leaves no connection', async () => {
    const name = encodeURIComponent('ends at a signal');
    const [, url, ...words] = wordsFor('ends');
    const one = await serve('--postgres', `${url}?application_name=${name}`, ...words);
    expect(await one.stop()).toBe(0);

    const query = 'SELECT count(*)::int AS n FROM pg_stat_activity WHERE application_name = $1';
    const pool = poolOf(server);
    await vi.waitFor(async () =>
      expect((await pool.query(query, ['ends at a signal'])).rows[0].n).toBe(0),
    );
  });

  it.each([
    ['a wrong password', () => server.url.replace('secret', 'wrong'), 'the user or the password'],
    ['no such database', () => `${server.url}-missing`, 'The database does not exist'],
    ['no server', () => 'postgres://a:secret@127.0.0.1:1/a', 'PostgreSQL cannot be reached'],
  ])('ends with the reason if there is %s', async (_, url, reason) => {
    const child = run('serve', '--postgres', url());
    let said = '';
    child.stderr!.on('data', (piece) => (said += piece));
    const [code] = (await once(child, 'close')) as [number];

    expect(code).toBe(1);
    expect(said).toContain(reason);
    expect(said).not.toMatch(/secret|wrong/);
  });
});
