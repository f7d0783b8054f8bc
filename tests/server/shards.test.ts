// The tables of a Worker, moved to one with another number of objects.

import type { MiniflareOptions } from 'miniflare';
import { expect, it, onTestFinished } from 'vitest';

import { DEVELOPMENT_ACCOUNT } from '../../js/src/http.js';
import { bundled, startWorker } from '../js/support/durable-object/workerd.js';
import { entitable } from '../js/support/commands.js';
import { exampleNamed } from '../../scripts/lib/documents.mjs';
import { newFolder } from '../package/support/serve.js';
import { openFaultProxy } from './support/fault-proxy.js';
import { at, dumpOf, fillRemote, outcomeOf, start } from './support/move.js';

const { account: ACCOUNT, key: KEY } = DEVELOPMENT_ACCOUNT;

async function workerWith(shards: number): Promise<string> {
  const contents = `
    import { tableWorker } from 'entitable/edge';
    import wasm from 'entitable/entitable.wasm';
    const { TableObject, worker } = tableWorker({ wasm, shards: ${shards} });
    export { TableObject, worker as default };`;
  const worker = startWorker(await bundled({ contents }), {
    durableObjects: { TABLES: { className: 'TableObject', useSQLite: true } },
    bindings: { ENTITABLE_ACCOUNTS: `${ACCOUNT}:${KEY}` },
  } as Partial<MiniflareOptions>);
  onTestFinished(() => worker.dispose());
  return `${(await worker.ready).origin}/${ACCOUNT}`;
}

// Runs `npx entitable …` in a document.
async function run(line: string, address: string) {
  const [, , ...words] = line
    .trim()
    .replaceAll('https://tables.example.workers.dev/pets', address)
    .split(' ');
  return entitable(...words);
}

it('spreads an account over another number of objects', { timeout: 120_000 }, async () => {
  const url = await workerWith(2);
  await fillRemote(url);
  const before = await dumpOf(at(url));
  const command = exampleNamed('docs/guides/edge.md', 'reshard.sh');

  const { code, lines, errors } = await run(command, url);
  expect(code, errors).toBe(0);
  expect(lines).toEqual([
    expect.stringMatching(/^the account has 16 objects; [\d,]+ entities were copied$/),
  ]);
  expect(await dumpOf(at(url))).toEqual(before);

  const nothing = { code: 0, lines: ['the account has 16 objects; 0 entities were copied'] };
  expect(await run(command, url)).toMatchObject(nothing);
  const cancelled = await run(command.replace('--shards 16', '--cancel'), url);
  expect(cancelled.lines).toEqual(['nothing to cancel: the account has 16 objects']);
  const wrong = await run(command.replace('16', '1'), url);
  expect(wrong).toMatchObject({ code: 1, lines: [] });
  expect(wrong.errors).toContain('The number of shards is an integer from 2 to 400.');
});

/** Runs the command, and interrupts it when the account is copied. */
async function interrupted(url: string) {
  const proxy = await openFaultProxy(url);
  const child = start(['reshard', '--at', proxy.url, '--shards', '5']);
  proxy.fault = async (_, forward) => {
    const answer = await forward();
    if (answer.body.includes('"copying"')) child.kill('SIGINT');
    return answer;
  };
  return await outcomeOf(child);
}

it('goes on after an interruption, or goes back', { timeout: 120_000 }, async () => {
  const url = await workerWith(2);
  await fillRemote(url);
  const before = await dumpOf(at(url));
  const reshard = (...words: string[]) => entitable('reshard', '--at', url, ...words);

  const first = await interrupted(url);
  expect(first.code).toBe(130);
  expect(first.errors).toContain('interrupted; clients can only read until you run it again');
  expect(await dumpOf(at(url))).toEqual(before);
  expect((await reshard('--cancel')).lines).toEqual(['cancelled: the account has 2 objects']);
  expect(await dumpOf(at(url))).toEqual(before);

  expect((await interrupted(url)).code).toBe(130);
  const { code, lines, errors } = await reshard('--shards', '5');
  expect(code, errors).toBe(0);
  expect(lines).toEqual(['the account has 5 objects; 1,501 entities were copied']);
  expect(await dumpOf(at(url))).toEqual(before);
});

it('does not spread an account that has no shards', { timeout: 60_000 }, async () => {
  const url = await workerWith(1);
  const { code, errors } = await entitable('reshard', '--at', url, '--shards', '3');
  expect({ code, errors }).toMatchObject({
    code: 1,
    errors: expect.stringContaining('no account of a Worker with the option shards') as string,
  });
});

it('moves an account from one object to several', { timeout: 120_000 }, async () => {
  const [from, to] = [await workerWith(1), await workerWith(3)];
  const folder = newFolder();
  await fillRemote(from, 150);

  const commands = exampleNamed('docs/guides/edge.md', 'move.sh')
    .replaceAll('https://one.example.workers.dev/pets', from)
    .replaceAll('https://two.example.workers.dev/pets', to)
    .replaceAll('./tables', folder)
    .trim()
    .split('\n');
  expect(commands).toHaveLength(3);
  for (const command of commands) {
    const [, , ...words] = command.split(' ');
    const { code, errors } = await entitable(...words);
    expect(code, errors).toBe(0);
  }
  expect(await dumpOf(at(to))).toEqual(await dumpOf(at(from)));
});
