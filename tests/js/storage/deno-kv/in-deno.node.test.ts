// Stores in the Deno KV of a real Deno.

import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { storageContract } from '../../../../js/src/storage/contract.js';
import { freshFolder } from '../../support/file-storages.js';
import { answerOf, DENO, runProgram } from '../../support/runtimes.js';

const CONTRACT = 'tests/js/support/contract-program.ts';
const PROGRAM = 'tests/js/support/deno-kv/program.ts';

describe.each([
  { where: 'in a file', path: freshFolder() },
  { where: 'in memory', path: ':memory:' },
])('denoKvStorage $where', ({ path }) => {
  let said: unknown;
  beforeAll(async () => {
    said = await answerOf(DENO, CONTRACT, ['deno-kv', path]);
  }, 120_000);

  it.each(storageContract)('$name', ({ name }) => {
    expect(said).toHaveProperty([name], null);
  });
});

it('takes a database as Deno declares it', async () => {
  const folder = freshFolder();
  mkdirSync(folder);
  const program = join(folder, 'program.ts');
  const platform = resolve('js/src/storage/deno-kv/platform.ts');
  writeFileSync(
    program,
    `import type { DenoKvLike } from ${JSON.stringify(platform)};
     const kv: Deno.Kv = await Deno.openKv(':memory:');
     export const taken: DenoKvLike = kv;`,
  );

  const [deno = ''] = DENO;
  const options = ['check', '--no-config', '--unstable-kv', program];
  const { status, stderr } = spawnSync(deno, options, { encoding: 'utf8' });
  expect({ status, stderr }).toMatchObject({ status: 0 });
}, 60_000);

it('keeps the account of thousands of commits, and deletes their records', async () => {
  // So many that writes have to wait for a flush. One that waits for a pause might never come.
  const said = await answerOf(DENO, PROGRAM, [':memory:', 'commits', '6000']);

  expect(said).toEqual({ rows: 6000, first: expect.any(Number) });
  expect((said as { first: number }).first).toBeGreaterThan(1000);
}, 120_000);

describe('processes on one file', () => {
  let path: string;
  beforeEach(() => {
    mkdirSync((path = freshFolder()));
  });

  const ask = (work: string, number = 0) =>
    answerOf(DENO, PROGRAM, [join(path, 'kv'), work, `${number}`]);
  const isKilled = async (work: string, number: number) =>
    (await runProgram(DENO, PROGRAM, [join(path, 'kv'), work, `${number}`])).signal === 'SIGKILL';

  it('find a long batch whole or not at all if its process dies, and delete what is left', async () => {
    await ask('pages', 1);
    const before = (await ask('state')) as { stored: number };
    const after: unknown[] = [];
    let commits = 1;
    for (; await isKilled('pages, dying', commits); commits++) {
      const state = (await ask('state')) as { pages: string[] };
      after.push(...state.pages);
      if (state.pages[0] !== '1,70000') await ask('pages', 1);
    }
    expect(commits).toBeGreaterThan(6);
    expect(after).toEqual([
      ...after.filter((pages) => pages === '1,70000'),
      ...after.filter((pages) => pages === '2,70000'),
    ]);
    expect(new Set(after).size).toBe(2);

    expect(((await ask('state')) as { stored: number }).stored).toBeGreaterThan(before.stored);
    expect(await ask('collect')).toEqual({ outcome: 'ok' });
    expect(await ask('state')).toMatchObject({ pages: ['2,70000'], stored: before.stored });
  }, 120_000);

  it('find none of many deleted records if the process dies, and remove the rest', async () => {
    await ask('records', 1);
    expect(await ask('state')).toMatchObject({ base: 0, records: 1300, stored: 1300 });
    expect(await isKilled('flush, dying', 2)).toBe(true);
    expect(await ask('state')).toMatchObject({ base: 0, records: 1300 });

    expect(await isKilled('flush, dying', 3)).toBe(true);
    const left = (await ask('state')) as { stored: number };
    expect(left).toMatchObject({ base: 2, records: 0 });
    expect(left.stored).toBeGreaterThan(500);
    await ask('collect');
    expect(await ask('state')).toMatchObject({ base: 2, records: 0, stored: 0 });
  }, 60_000);

  it('write at once and lose nothing', async () => {
    // So that neither of them makes the database.
    await ask('state');
    const won = (await Promise.all([ask('account', 1), ask('account', 2)])) as number[];

    expect(won[0]! + won[1]!).toBe(60);
    const rows = { 1: 60, 2: 60, common: 60, counter: 1 };
    expect(await ask('rows')).toEqual({ rows, count: 120 });
    expect(await ask('state')).toMatchObject({ writers: 0 });
  }, 120_000);
});
