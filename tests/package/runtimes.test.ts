import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { Miniflare } from 'miniflare';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';

// The built package where it runs beside browsers: Cloudflare's workerd, Deno, and Node.

const folder = mkdtempSync(join(tmpdir(), 'entitable-runtimes-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('in a Worker', () => {
  const scripts = ['.', 'storage'].flatMap((inner) =>
    readdirSync(`dist/${inner}`)
      .filter((name) => name.endsWith('.js') && !['cli.js', 'file.js', 'http.js'].includes(name))
      .map((name) => join('dist', inner, name)),
  );

  /** What the Worker answers whose main script this is. */
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
    return (await worker.dispatchFetch('http://localhost/')).text();
  }

  const inHandler = (options: string) =>
    `export default { fetch: async () => new Response(await errorOf(${options})) };`;

  it('an account works with the module that the platform has compiled', async () => {
    expect(await answerOf(inHandler('{ wasm }'))).toBe('works');
  });

  it('a forgotten module is a TableError that names the option', async () => {
    expect(await answerOf(inHandler('{ void: wasm }'))).toMatch(
      /^TableError,ModuleAborted,.*\bwasm\b/,
    );
  });

  it('an account opened before any request is a TableError that says where to open it', async () => {
    const body = `
      const error = await errorOf({ wasm });
      export default { fetch: () => new Response(error) };`;

    expect(await answerOf(body)).toMatch(/^TableError,ModuleAborted,.*\brequest\b/);
  });
});

describe('a script of its own', () => {
  it('loads nothing later', () => {
    // Only files, in Node, are read by a module that is loaded for that.
    const text = readFileSync('dist/service-worker.js', 'utf8');

    expect([...text.matchAll(/\bimport\((?!\w+\))/g)]).toEqual([]);
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

  it('prints for an uncaught error what went wrong and where, and no page of script', () => {
    mkdirSync(folder, { recursive: true });
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

    const { stderr } = spawnSync(process.execPath, [program], { encoding: 'utf8' });

    expect(stderr).toContain('The table specified does not exist. Table "Pets"');
    expect(stderr).toContain('myOwnFunction');
    expect(stderr.length).toBeLessThan(3000);
  });
});
