// What clients, the health check and the log of a server see of a PostgreSQL that is down, comes
// back, refuses writes or has lost the store.

import { TableClient } from '@azure/data-tables';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { startPostgres } from '../../../scripts/lib/postgres.mjs';
import { serve } from '../../package/support/serve.js';
import { poolOf, type PostgresServer } from '../support/postgres.js';

let server: PostgresServer;

beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());

const key = Buffer.from('a key').toString('base64');
const OPTIONS = { allowInsecureConnection: true, retryOptions: { maxRetries: 0 } };

interface Failure {
  readonly statusCode?: number;
  readonly details?: { odataError?: { code?: string; message?: { value?: string } } };
}

/** The code of a failure, with the first line of its text; `ok` if there is none. */
const endOf = (call: Promise<unknown>) =>
  call.then(
    () => 'ok',
    ({ details }: Failure) => {
      const { code, message } = details?.odataError ?? {};
      return `${code}: ${message?.value?.split('\n')[0]}`;
    },
  );
const UNAVAILABLE = 'StorageUnavailable: The storage did not do what was asked of it.';

/** A process that serves an account with one row. */
async function served(account: string) {
  const words = ['--postgres', server.url, '--account', account, '--account-key', key];
  const process = await serve(...words, '--loose', '--quiet');
  const rows = TableClient.fromConnectionString(process.connectionString, 'Rows', OPTIONS);
  await rows.createTable();
  const row = { partitionKey: 'p', rowKey: 'r' };
  await rows.createEntity(row);
  return {
    ...process,
    write: () => endOf(rows.upsertEntity({ ...row, age: 1 })),
    read: () => endOf(rows.getEntity('p', 'r')),
    health: async () => (await fetch(new URL('/-/health', process.url))).status,
    warnings: () => process.said().split('\n').filter(Boolean),
  };
}

const terminateAll =
  'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() ' +
  "AND backend_type = 'client backend'";

describe('a process whose PostgreSQL is down', () => {
  it('fails every request within about ten seconds, because nothing can be stored', async () => {
    const { write, read, health, warnings } = await served('down');
    await server.crash();
    const ended: [string, number][] = [];
    const begin = performance.now();
    const note = (call: () => Promise<string>) =>
      call().then((end) => ended.push([end, performance.now() - begin]));
    await Promise.all([write, read, write, read, write, read].map(note));
    for (const call of [write, read, write, read]) await note(call);

    for (const [end] of ended) expect(end).toBe(UNAVAILABLE);
    // Ten seconds, and what a slow machine needs for the rest. Two waits would take twice as long.
    expect(Math.max(...ended.map(([, ms]) => ms))).toBeLessThan(17_000);
    expect(await health()).toBe(503);
    expect(warnings()).toHaveLength(1);
    expect(warnings()[0]).toMatch(
      /^warning: account down: (requests|writes) fail: PostgreSQL cannot be reached: connect ECONNREFUSED/,
    );
    await server.start();
    await vi.waitFor(async () => expect(await health()).toBe(200), 20_000);

    expect([await write(), await read()]).toEqual(['ok', 'ok']);
    expect(warnings().slice(1)).toEqual(['warning: account down: requests are answered again']);
  });

  it('carries out requests that wait for it when it comes back', async () => {
    const { write, read } = await served('waits');
    await server.crash();
    const calls = [write(), read(), write(), read()];
    await server.start();

    expect(await Promise.all(calls)).toEqual(['ok', 'ok', 'ok', 'ok']);
  });
});

describe('a process whose connections are ended', () => {
  it('repeats what it was doing', async () => {
    const { write, read } = await served('ended');
    const pool = poolOf(server, { max: 1 });
    const progress = { isOver: false };
    const ends: string[] = [];
    const client = async (call: () => Promise<string>) => {
      for (let i = 0; i < 40; i++) ends.push(await call());
    };
    const killer = async () => {
      while (!progress.isOver) {
        await pool.query(terminateAll);
        await new Promise<void>((resolve) => setTimeout(resolve, 300));
      }
    };
    const clients = Promise.all([write, read, write, read].map(client));
    await Promise.all([clients.finally(() => (progress.isOver = true)), killer()]);

    expect(ends.filter((end) => end !== 'ok')).toEqual([]);
  });
});

describe('a process whose PostgreSQL refuses writes', () => {
  it('says why in its log, and clients learn that nothing is stored', async () => {
    const { write, read, health, warnings } = await served('readonly');
    const pool = poolOf(server, { max: 1 });
    await pool.query('ALTER ROLE entitable SET default_transaction_read_only = on');
    await pool.query(terminateAll);
    // The process has then noticed that its connections are gone. Otherwise the first write is sent
    // on one of them, and may have been carried out.
    expect(await read()).toBe('ok');

    expect([await write(), await write(), await read()]).toEqual([UNAVAILABLE, UNAVAILABLE, 'ok']);
    expect(await health()).toBe(200);
    expect(warnings()).toEqual([
      expect.stringMatching(
        /^warning: account readonly: writes fail: This PostgreSQL server only /,
      ),
    ]);
    await pool.query(
      'BEGIN READ WRITE; ALTER ROLE entitable RESET default_transaction_read_only; COMMIT',
    );
    await pool.query(terminateAll);
    expect(await write()).toBe('ok');
    expect(warnings()).toHaveLength(2);
  });
});

describe('a process that has lost its store', () => {
  it.each([
    [
      'renamed',
      'the table is gone',
      'ALTER TABLE entitable RENAME TO elsewhere',
      UNAVAILABLE,
      'not exist',
    ],
    [
      'lost',
      'the rows are deleted',
      "DELETE FROM entitable WHERE store = 'lost'",
      'StorageEvicted: The store was deleted, or replaced by another, while it was open.',
      'until the server is started again: The store was deleted',
    ],
  ])('%s is not healthy, and says why: %s', async (account, _, statement, end, why) => {
    const { write, read, health, warnings } = await served(account);
    expect(await health()).toBe(200);
    const pool = poolOf(server, { max: 1 });
    await pool.query(statement);

    expect([await write(), await read()]).toEqual([end, end]);
    expect(await health()).toBe(503);
    expect(warnings()).toEqual([expect.stringContaining(why)]);
    await pool.query('ALTER TABLE IF EXISTS elsewhere RENAME TO entitable');
  });
});

describe('the option --postgres-connections', () => {
  it('limits the connections of a process', async () => {
    const name = encodeURIComponent('few connections');
    const url = `${server.url}?application_name=${name}`;
    const process = await serve('--postgres', url, '--postgres-connections', '2', '--loose');
    const rows = TableClient.fromConnectionString(process.connectionString, 'Rows', OPTIONS);
    await rows.createTable();
    await Promise.all(
      Array.from({ length: 30 }, (_, i) =>
        i % 2 > 0
          ? rows.upsertEntity({ partitionKey: 'p', rowKey: `${i}` })
          : rows.listEntities().next(),
      ),
    );
    const query = 'SELECT count(*)::int AS n FROM pg_stat_activity WHERE application_name = $1';
    const { rows: found } = await poolOf(server).query(query, ['few connections']);

    expect(found[0].n).toBeGreaterThan(0);
    expect(found[0].n).toBeLessThanOrEqual(2);
  });
});
