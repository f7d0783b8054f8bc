import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { Miniflare } from 'miniflare';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';

import { listFiles } from '../../scripts/lib/package-files.mjs';

// The built package outside of browsers: in Cloudflare's workerd, Deno and Node.

const folder = mkdtempSync(join(tmpdir(), 'entitable-runtimes-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('in a Worker', () => {
  const files = listFiles();
  const scripts = ['entitable/service-worker', 'entitable/storage/memory']
    .flatMap((entry) => files[entry]!)
    .filter((name, index, all) => name.endsWith('.js') && all.indexOf(name) === index)
    .map((name) => join('dist', name));

  /** The answer of a Worker with this main script. */
  async function answerOf(body: string): Promise<string> {
    const main = `
      import { openAccount } from './dist/service-worker.js';
      import { memoryStorage } from './dist/storage/memory.js';
      import wasm from './dist/entitable.wasm';
      const errorOf = async (options) => {
        try {
          const account = await openAccount({ storage: memoryStorage(), ...options });
          await account.createTable('Pets');
          const pets = account.tableClient('Pets');
          await pets.importEntities([{ partitionKey: 'dogs', rowKey: '1' }]);
          return (await new Response(pets.exportEntities()).text()).length > 0 ? 'works' : 'empty';
        } catch (error) {
          return [error.name, error.code, error.message].join();
        }
      };
      ${body}`;
    return (await workerOf(main).dispatchFetch('http://localhost/')).text();
  }

  /** A Worker with this main script, and the package beside it. */
  function workerOf(main: string): Miniflare {
    const worker = new Miniflare({
      modulesRoot: '/',
      compatibilityDate: '2026-03-01',
      modules: [
        { type: 'ESModule', path: '/main.js', contents: main },
        ...scripts.map((path) => ({
          type: 'ESModule' as const,
          path: `/${path}`,
          contents: readFileSync(path, 'utf8'),
        })),
        {
          type: 'CompiledWasm',
          path: '/dist/entitable.wasm',
          contents: readFileSync('dist/entitable.wasm'),
        },
      ],
    });
    onTestFinished(() => worker.dispose());
    return worker;
  }

  const inHandler = (options: string) =>
    `export default { fetch: async () => new Response(await errorOf(${options})) };`;

  it('an account works with the module that the platform has compiled', async () => {
    expect(await answerOf(inHandler('{ wasm }'))).toBe('works');
  });

  it('a forgotten module is a TableError that names the option', async () => {
    expect(await answerOf(inHandler('(void wasm, {})'))).toMatch(
      /^TableError,ModuleAborted,.*\bwasm\b/,
    );
  });

  it('an account opened before any request is a TableError with the right place', async () => {
    const body = `
      const error = await errorOf({ wasm });
      export default { fetch: () => new Response(error) };`;

    expect(await answerOf(body)).toMatch(/^TableError,ModuleAborted,.*\brequest\b/);
  });

  it('a storage call that ended with its request is reported to the next one', async () => {
    const worker = workerOf(`
      import { openAccount } from './dist/service-worker.js';
      import { memoryStorage } from './dist/storage/memory.js';
      import wasm from './dist/entitable.wasm';
      const storage = memoryStorage();
      const commit = storage.commit;
      let account;
      let isSlow = false;
      let begun;
      storage.commit = async (...parameters) => {
        if (isSlow) {
          begun();
          await new Promise((resolve) => setTimeout(resolve, 60_000));
        }
        return commit.apply(storage, parameters);
      };
      delete storage.exclusively;
      export default {
        async fetch(request) {
          account ??= await openAccount({ storage, wasm });
          if (new URL(request.url).pathname === '/leave') {
            isSlow = true;
            const isBegun = new Promise((resolve) => (begun = resolve));
            account.createTable('Left').catch(() => {});
            await isBegun;
            return new Response('left');
          }
          return new Response(await account.createTable('Next').catch((error) => error.message));
        },
      };`);
    const textOf = async (path: string) =>
      (await worker.dispatchFetch(`http://localhost${path}`)).text();

    expect(await textOf('/leave')).toBe('left');
    expect(await textOf('/next')).toContain('keep the account in a Durable Object');
  });
});

describe('a script of its own', () => {
  it('loads nothing later', () => {
    // A name in the parentheses is a parameter, or Node's module for files.
    const text = readFileSync('dist/service-worker.js', 'utf8');

    expect([...text.matchAll(/\bimport\(\s*["'`].*/g)]).toEqual([]);
  });
});

describe('a program that leaves its account open', () => {
  const program = join(folder, 'program.mjs');
  const dist = (name: string) => JSON.stringify(resolve('dist', name));

  it('ends in Deno', () => {
    writeFileSync(
      program,
      `import { openAccount } from ${dist('index.js')};
       import { memoryStorage } from ${dist('storage/memory.js')};
       const account = await openAccount({ storage: memoryStorage() });
       await account.createTable('Pets');
       await account.createTable('Others');
       console.log('done');`,
    );
    const deno = createRequire(import.meta.url).resolve('deno/bin.cjs');

    const { stdout, stderr, signal } = spawnSync(process.execPath, [deno, 'run', '-A', program], {
      encoding: 'utf8',
      timeout: 30_000,
    });

    expect({ stdout, stderr, signal }).toEqual({ stdout: 'done\n', stderr: '', signal: null });
  });

  it.each([
    ['Node', process.execPath],
    ['Bun', resolve('node_modules/.bin/bun')],
  ])('prints in %s what went wrong and where, and no page of script', (_name, runtime) => {
    writeFileSync(
      program,
      `import { openAccount } from ${dist('index.js')};
       import { memoryStorage } from ${dist('storage/memory.js')};
       async function myOwnFunction() {
         const account = await openAccount({ storage: memoryStorage() });
         await account.tableClient('Pets').getEntity('dogs', '1');
       }
       await myOwnFunction();`,
    );

    const { stderr } = spawnSync(runtime, [program], { encoding: 'utf8' });

    expect(stderr).toContain('The table specified does not exist. Table "Pets"');
    expect(stderr).toContain('myOwnFunction');
    expect(stderr.length).toBeLessThan(3000);
  });
});
