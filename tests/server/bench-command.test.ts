// `entitable bench`, over a folder and over a server.

import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { DEVELOPMENT_ACCOUNT } from '../../js/src/http.js';
import { entitable } from '../js/support/commands.js';
import { newFolder } from '../package/support/serve.js';
import { at, dumpOf, dumpOfFolder, inFolder, outcomeOf, start } from './support/move.js';
import { ownAccount } from './support/remotes.js';

// A measurement takes a second of a clock that is ten times as fast.
async function quickBench(...words: string[]) {
  const limits = ['--entities', '250', '--seconds', '1'];
  const environment = { AZURE_STORAGE_KEY: DEVELOPMENT_ACCOUNT.key };
  const flags = ['--import=./tests/server/support/fast-clock.mjs'];
  return await outcomeOf(start(['bench', ...words, ...limits], environment, flags));
}

it('measures a folder, and leaves it as it was', async () => {
  const folder = newFolder();
  await inFolder(folder, async (account) => {
    await account.createTable('EntitableBench');
    await account.tableClient('EntitableBench').createEntity({ partitionKey: 'p', rowKey: 'r' });
  });
  const before = await dumpOfFolder(folder);
  const { code, lines, errors } = await quickBench('--at', folder);

  expect({ code, errors }).toEqual({ code: 0, errors: '' });
  const [machine, heading, batches, ...others] = lines;
  expect(machine).toMatch(/^Entitable \d+\.\d+\.\d+, Node v\d+.* × .* GiB; a folder$/);
  expect(heading).toMatch(/^measurement +calls +calls\/s +entities\/s +p50 ms +p95 ms +p99 ms$/);
  // 250 entities are two batches of 100, and one of 50; on a slow machine the time ends before.
  expect(batches).toMatch(/^insert 100 in a batch +[1-3] +\d/);
  expect(others.map((line) => line.split(/ {2,}/)[0])).toEqual([
    'insert one',
    'get one by its keys',
    'list a range of 100 keys',
    'filter the table: 1 in 100 fits',
    'count 1 in 100 of the table',
  ]);
  expect(await dumpOfFolder(folder)).toEqual(before);
});

it('measures a server, as JSON', async () => {
  const url = await ownAccount();
  const { code, lines, errors } = await quickBench('--at', url, '--json');

  expect({ code, errors }).toEqual({ code: 0, errors: '' });
  const [machine, ...results] = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(machine).toMatchObject({ place: 'storage account', node: process.version });
  expect(results).toHaveLength(5);
  for (const result of results) {
    const { name, calls, entities, seconds, p50, p95, p99 } = result as Record<string, number>;
    expect([name, calls! > 0, entities! > 0, seconds! > 0]).toEqual([name, true, true, true]);
    expect([p50! <= p95!, p95! <= p99!]).toEqual([true, true]);
  }
  const range = results.find(({ name }) => name === 'list a range of 100 keys')!;
  expect(range['entities']).toBe(100 * (range['calls'] as number));
  expect(await dumpOf(at(url))).toEqual({});
});

it('leaves no folder that was not there, and no table after an interruption', async () => {
  const folder = join(newFolder(), 'new');
  expect((await quickBench('--at', folder)).code).toBe(0);
  expect(existsSync(folder)).toBe(false);

  const url = await ownAccount();
  const running = start(['bench', '--at', url, '--seconds', '600', '--json']);
  // The first line comes before the table, so wait for a table with rows.
  while (Object.values(await dumpOf(at(url))).flat().length === 0);
  running.kill('SIGINT');
  const { code, errors } = await outcomeOf(running);
  expect({ code, errors }).toEqual({
    code: 130,
    errors: 'interrupted; its table was deleted, and nothing else was changed\n',
  });
  expect(await dumpOf(at(url))).toEqual({});
});

it('refuses numbers that are none', async () => {
  for (const [name, value] of [
    ['--entities', '0'],
    ['--seconds', '1.5'],
  ] as const) {
    const { code, errors } = await entitable('bench', '--at', newFolder(), name, value);
    expect(code).toBe(2);
    expect(errors).toContain(`error: ${name} takes a number from 1 to 9999999`);
  }
});
