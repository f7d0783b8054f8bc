// The examples of docs/guides/postgres.md.

import { execFile, spawn } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

import { TableClient } from '@azure/data-tables';
import { beforeAll, expect, it, onTestFinished } from 'vitest';

import { RUNTIMES as OTHER_RUNTIMES } from '../../js/support/runtimes.js';
import { exampleNamed } from '../../../scripts/lib/documents.mjs';
import { serve } from '../../package/support/serve.js';
import { poolOf, useDatabase } from '../support/postgres.js';

const PAGE = 'docs/guides/postgres.md';
// Deep in the work tree, so that `pg` is found from here.
const folder = 'build/postgres-guide';

const database = useDatabase();

beforeAll(() => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'node_modules'), { recursive: true });
  symlinkSync(resolve('.'), join(folder, 'node_modules/entitable'), 'dir');
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  // Otherwise Bun uses the one of the work tree, whose paths lead to the sources.
  writeFileSync(join(folder, 'tsconfig.json'), '{}');
  writeFileSync(join(folder, 'app.js'), exampleNamed(PAGE, 'app.js'));
});

const RUNTIMES = [{ name: 'Node', command: [process.execPath] }, ...OTHER_RUNTIMES];

it.each(RUNTIMES)(
  'has an app that keeps an account in $name, as often as it is started',
  async ({ command: [program, ...options] }) => {
    const env = {
      PATH: process.env['PATH'],
      DATABASE_URL: database.url,
      DENO_NO_UPDATE_CHECK: '1',
    };
    const words = [...options, 'app.js'];
    const apps = await Promise.all(
      [1, 2].map(() => promisify(execFile)(program!, words, { cwd: folder, env })),
    );

    for (const { stdout } of apps) expect(stdout).toBe('Rex is 3.\n');
  },
);

// Prints the rows that are new, and adds a row for each line that it reads.
const FOLLOWER = `
  import { createInterface } from 'node:readline';
  import { openAccount } from 'entitable';
  import { postgresStorage } from 'entitable/storage/postgres';
  import { Pool } from 'pg';

  const pool = new Pool({ connectionString: process.env.DATABASE_URL });
  const account = await openAccount({ storage: postgresStorage(pool, 'followed') });
  const rows = account.tableClient('Rows');
  await rows.createTable();
  rows.subscribe({}, ({ reset, inserted }) => {
    if (reset) console.log('ready');
    for (const { rowKey } of inserted) console.log(rowKey);
  });
  for await (const rowKey of createInterface(process.stdin)) {
    await rows.createEntity({ partitionKey: 'p', rowKey });
  }`;

function follow() {
  const child = spawn(process.execPath, ['follower.js'], {
    cwd: folder,
    env: { PATH: process.env['PATH'], DATABASE_URL: database.url },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  return {
    line: async () => (await lines.next()).value as string,
    add: (rowKey: string) => void child.stdin.write(`${rowKey}\n`),
  };
}

it('has live views that hear at once of rows of another process', async () => {
  writeFileSync(join(folder, 'follower.js'), FOLLOWER);
  const [one, other] = [follow(), follow()];
  expect([await one.line(), await other.line()]).toEqual(['ready', 'ready']);
  const begin = performance.now();
  const rows = Array.from({ length: 10 }, (_, i) => `row-${i}`);
  for (const row of rows) {
    one.add(row);
    expect(await other.line()).toBe(row);
  }

  // Without hints, each would take up to five seconds.
  expect(performance.now() - begin).toBeLessThan(20_000);
});

it('has a command that serves an account', async () => {
  const [, , , ...words] = exampleNamed(PAGE, 'serve.sh').trim().split(' ');
  expect(words).toEqual(['--postgres', 'postgres://tables@localhost:5432/tables']);
  const { connectionString } = await serve('--postgres', database.url);
  const options = { allowInsecureConnection: true };
  const pets = TableClient.fromConnectionString(connectionString, 'Pets', options);
  await pets.createTable();
  await pets.createEntity({ partitionKey: 'dogs', rowKey: 'rex' });

  expect((await pets.getEntity('dogs', 'rex')).rowKey).toBe('rex');
});

it('has the table that the storage creates', async () => {
  const pool = poolOf(database);
  const describeTable = async () =>
    (
      await pool.query(
        `SELECT attname, atttypid::regtype::text AS type, attnotnull, attstorage, t.reloptions,
           v.reloptions AS of_values FROM pg_attribute JOIN pg_class AS t ON t.oid = attrelid
           JOIN pg_class AS v ON v.oid = t.reltoastrelid WHERE attrelid = 'entitable'::regclass AND attnum > 0 ORDER BY attnum`,
      )
    ).rows;
  const created = await describeTable();
  await pool.query('DROP TABLE entitable');
  await pool.query('CREATE ROLE tables');
  await pool.query(exampleNamed(PAGE, 'table.sql'));

  expect(created).toHaveLength(4);
  expect(await describeTable()).toEqual(created);
});
