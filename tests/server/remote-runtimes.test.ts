// Remote accounts of the built package outside of browsers: in Node, Deno, Bun and Cloudflare's
// workerd.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';

import { Miniflare } from 'miniflare';
import { afterAll, expect, it, onTestFinished } from 'vitest';

import { DEVELOPMENT_ACCOUNT } from '../../js/src/http.js';
import { listFiles } from '../../scripts/lib/package-files.mjs';
import { ownServer } from './support/own-server.js';

const folder = mkdtempSync(join(tmpdir(), 'entitable-remote-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

// Returns what an account does, and what it says of an address where nobody is.
const use = (url: string) => `
  const account = remoteAccount({ url: '${url}', key: '${DEVELOPMENT_ACCOUNT.key}' });
  const gone = remoteAccount({ url: 'http://127.0.0.1:1/acct', sas: 'sig=topsecret', retries: 0 });
  async function use() {
    await account.createTable('Pets');
    const pets = account.tableClient('Pets');
    const rex = { partitionKey: 'dogs', rowKey: "O'Rex é", chip: 2n ** 60n + 1n };
    const { etag } = await pets.createEntity({ ...rex, weight: { type: 'Double', value: 3 } });
    await pets.updateEntity({ ...rex, good: true }, 'Merge', { etag });
    await pets.submitTransaction([['upsert', { ...rex, rowKey: 'zoe' }, 'Replace']]);
    const rows = [];
    for await (const { rowKey, chip, weight, good } of pets.listEntities({ typed: true })) {
      rows.push([rowKey, String(chip.value), weight?.type, good?.value]);
    }
    const stale = await pets.deleteEntity('dogs', rex.rowKey, { etag }).catch(({ code }) => code);
    const error = await gone.tableClient('Pets').getEntity('a', 'b').catch((error) => error);
    const { stack, cause } = error;
    const shown = [stack, cause, cause.stack, ...Object.values(cause)].join();
    return JSON.stringify({ rows, stale, gone: error.code, isSafe: !shown.includes('topsecret') });
  }`;

const EXPECTED = {
  rows: [
    ["O'Rex é", '1152921504606846977', 'Double', true],
    ['zoe', '1152921504606846977', null, null],
  ],
  stale: 'UpdateConditionNotSatisfied',
  gone: 'StorageUnavailable',
  isSafe: true,
};

const deno = createRequire(import.meta.url).resolve('deno/bin.cjs');

it.each([
  ['Node', [process.execPath]],
  ['Deno', [process.execPath, deno, 'run', '-A']],
  ['Bun', [resolve('node_modules/.bin/bun')]],
])('works in %s, and lets the program end', async (name, [command = '', ...options]) => {
  const program = join(folder, `${name}.mjs`);
  writeFileSync(
    program,
    `import { remoteAccount } from ${JSON.stringify(resolve('dist/remote.js'))};
     ${use(await ownServer())}
     console.log(await use());`,
  );

  const child = spawn(command, [...options, program], { timeout: 30_000 });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ]);

  expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
  expect(JSON.parse(stdout)).toEqual(EXPECTED);
});

it('works in a Worker', async () => {
  const files = listFiles();
  const scripts = files['entitable/remote']!.filter((name) => name.endsWith('.js'));
  const worker = new Miniflare({
    modulesRoot: '/',
    compatibilityDate: '2026-03-01',
    modules: [
      {
        type: 'ESModule',
        path: '/main.js',
        contents: `import { remoteAccount } from './dist/remote.js';
          ${use(await ownServer())}
          export default { fetch: async () => new Response(await use()) };`,
      },
      ...scripts.map((name) => ({
        type: 'ESModule' as const,
        path: `/dist/${name}`,
        contents: readFileSync(join('dist', name), 'utf8'),
      })),
    ],
  });
  onTestFinished(() => worker.dispose());

  const answer = await worker.dispatchFetch('http://localhost/');

  expect(JSON.parse(await answer.text())).toEqual(EXPECTED);
});
