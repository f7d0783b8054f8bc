// The servers of docs/guides/server.md and docs/guides/deno.md, each in its runtime.

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';

import { TableClient } from '@azure/data-tables';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { freePort } from '../../../scripts/lib/free-port.mjs';
import { exampleNamed } from '../../../scripts/lib/documents.mjs';
import { BUN, DENO, type Runtime } from '../support/runtimes.js';

vi.setConfig({ testTimeout: 60_000 });

const SERVER = 'docs/guides/server.md';
const KV = 'docs/guides/deno.md';
const NODE: Runtime = [process.execPath];

// In the work tree, so that the packages of the project are found.
const folder = resolve('build/server-recipes');

interface Recipe {
  readonly name: string;
  readonly runtime: Runtime;
  readonly page: string;
  readonly file: string;
  readonly host?: string;
  /** Where the database is, if it is not the default one. */
  readonly path?: string;
}

// How a host of the module serves it.
const HONO = {
  Deno: `import app from './hono.js';
    Deno.serve({ hostname: '127.0.0.1', port: 10002 }, app.fetch);`,
  Bun: `import app from './hono.js';
    Bun.serve({ hostname: '127.0.0.1', port: 10002, fetch: app.fetch });
    console.log('Listening');`,
};

// The command of the guide, with its permissions.
const [, ...kvWords] = exampleNamed(KV, 'kv.sh').trim().split(' ');
const asInGuide: Runtime = [DENO[0]!, ...kvWords.slice(0, -1), '--no-prompt'];

const RECIPES: Recipe[] = [
  { name: 'deno', runtime: DENO, page: SERVER, file: 'deno.js' },
  { name: 'bun', runtime: BUN, page: SERVER, file: 'bun.js' },
  { name: 'hono in Deno', runtime: DENO, page: SERVER, file: 'hono.js', host: HONO.Deno },
  { name: 'hono in Bun', runtime: BUN, page: SERVER, file: 'hono.js', host: HONO.Bun },
  { name: 'Deno KV', runtime: asInGuide, page: KV, file: 'main.js' },
  { name: 'Deno KV in a file', runtime: asInGuide, page: KV, file: 'main.js', path: './tables.db' },
  { name: 'node', runtime: NODE, page: SERVER, file: 'node.js' },
  { name: 'express', runtime: NODE, page: SERVER, file: 'express.js' },
  { name: 'fastify', runtime: NODE, page: SERVER, file: 'fastify.js' },
];

const SHARED = ['account.js', 'table-listener.js'];

/** The text of an example, with a port that is free. */
const exampleAt = (page: string, file: string, port: number) =>
  exampleNamed(page, file).replaceAll('10002', `${port}`);

/** Bundles the files of a program, in a folder of its own. */
async function bundle(own: string, files: Record<string, string>, main: string): Promise<void> {
  mkdirSync(own, { recursive: true });
  for (const part of ['entitable-first.wasm', 'entitable-rest.wasm']) {
    copyFileSync(`build/js/${part}`, join(own, part));
  }
  for (const [name, code] of Object.entries(files)) writeFileSync(join(own, name), code);
  await build({
    entryPoints: [join(own, main)],
    outfile: join(own, 'bundle.mjs'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'es2022',
    tsconfig: 'tsconfig.json',
    external: ['node:*', 'express', 'fastify'],
    logLevel: 'error',
  });
}

function startIn(own: string, [command, ...options]: Runtime): ChildProcess {
  return spawn(command!, [...options, 'bundle.mjs'], {
    cwd: own,
    env: { ...process.env, NO_COLOR: '1', DENO_DIR: join(own, 'deno'), DENO_NO_UPDATE_CHECK: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Resolves when the program listens; rejects with what it says, if it ends before. */
async function listening(child: ChildProcess): Promise<void> {
  let said = '';
  await new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout!, child.stderr!]) {
      stream.on('data', (chunk) => {
        said += chunk;
        if (/^Listening/m.test(said)) resolve();
      });
    }
    child.on('error', reject);
    child.on('close', () => reject(new Error(`It has ended: ${said}`)));
  });
}

/** Starts a server on a free port, and again if another program took the port. */
async function serve(recipe: Recipe, attempts = 3): Promise<string> {
  const { page, file, host, path, runtime } = recipe;
  const port = await freePort();
  const own = join(folder, recipe.name.replaceAll(' ', '-'));
  const shared = SHARED.map((name) => [name, exampleNamed(SERVER, name)] as const);
  const files = {
    ...Object.fromEntries(shared),
    [file]: exampleAt(page, file, port).replace('openKv()', `openKv(${path ? `'${path}'` : ''})`),
    ...(host && { 'host.js': host.replaceAll('10002', `${port}`) }),
  };
  await bundle(own, files, host ? 'host.js' : file);
  const child = startIn(own, runtime);
  children.push(child);
  try {
    await listening(child);
    return `http://127.0.0.1:${port}`;
  } catch (error) {
    if (attempts === 1 || !/in use|EADDRINUSE/i.test(String(error))) throw error;
    return serve(recipe, attempts - 1);
  }
}

const children: ChildProcess[] = [];

beforeAll(() => rmSync(folder, { recursive: true, force: true }));
afterAll(async () => {
  for (const child of children) {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  }
});

describe.each(RECIPES)('the server with $name', (recipe) => {
  let url: string;
  beforeAll(async () => {
    url = await serve(recipe);
  }, 60_000);

  it('serves tables to the official client', async () => {
    const pets = new TableClient(`${url}/devstoreaccount1`, 'Pets', {
      allowInsecureConnection: true,
      retryOptions: { maxRetries: 0 },
    });
    await pets.createTable();
    const key = { partitionKey: 'dogs & cats', rowKey: "O'Rex é" };
    await pets.createEntity({ ...key, age: 7 });
    await pets.updateEntity({ ...key, good: true }, 'Merge');
    await pets.submitTransaction([
      ['create', { partitionKey: 'dogs', rowKey: '1' }],
      ['create', { partitionKey: 'dogs', rowKey: '2', text: 'x'.repeat(30_000) }],
    ]);
    const keys: unknown[] = [];
    for await (const { rowKey } of pets.listEntities()) keys.push(rowKey);

    expect(await pets.getEntity(key.partitionKey, key.rowKey)).toMatchObject({
      age: 7,
      good: true,
    });
    expect(keys).toEqual(['1', '2', "O'Rex é"]);
    await expect(pets.getEntity('dogs', '3')).rejects.toMatchObject({ statusCode: 404 });
    await pets.deleteEntity('dogs', '1');
  });

  it('merges with the method MERGE', async () => {
    await fetch(`${url}/devstoreaccount1/Tables`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"TableName":"Merged"}',
    });
    const answer = await fetch(`${url}/devstoreaccount1/Merged(PartitionKey='a',RowKey='b')`, {
      method: 'MERGE',
      headers: { 'Content-Type': 'application/json' },
      body: '{"age":1}',
    });

    expect(answer.status).toBe(204);
  });

  it.each(['with a length', 'in chunks'])(
    'refuses a long body as the service does: %s',
    async (how) => {
      const body = `{"TableName":"${'x'.repeat(5 * 2 ** 20)}"}`;
      const answer = await fetch(`${url}/devstoreaccount1/Tables`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
        body: how === 'in chunks' ? new Blob([body]).stream() : body,
        duplex: 'half',
      } as RequestInit);

      expect(answer.status).toBe(413);
      expect(await answer.text()).toContain('RequestBodyTooLarge');
      expect((await fetch(`${url}/devstoreaccount1/Tables`)).status).toBe(200);
    },
  );

  if (/hono|express|fastify/.test(recipe.name)) {
    it('leaves other addresses alone', async () => {
      expect(await (await fetch(url)).text()).toBe('Hello');
    });
  }

  if (recipe.runtime === NODE) {
    it('goes on after a client has gone', async () => {
      const { hostname, port } = new URL(url);
      const socket = connect(Number(port), hostname);
      const head = ['POST /devstoreaccount1/Tables HTTP/1.1', 'Host: a', 'Content-Length: 9'];
      socket.write(`${[...head, 'Expect: 100-continue'].join('\r\n')}\r\n\r\n{`);
      // The server has begun to read the body.
      await once(socket, 'data');
      socket.resetAndDestroy();
      await once(socket, 'close');

      // The first may be answered before the server notices.
      for (let at = 0; at < 5; at++) {
        expect((await fetch(`${url}/devstoreaccount1/Tables`)).status).toBe(200);
      }
    });
  }
});

describe('an account in Deno KV', () => {
  const code = exampleNamed(KV, 'count.js');
  const own = join(folder, 'count');

  async function outputOf(program: string) {
    await bundle(own, { 'count.js': program }, 'count.js');
    const child = startIn(own, DENO);
    const [stdout, stderr] = await Promise.all([text(child.stdout!), text(child.stderr!)]);
    return { stdout, stderr };
  }

  it('keeps what it was given, and lets a program end that leaves it open', async () => {
    const left = code.replace(/^await account\.close\(\);\nkv\.close\(\);\n/m, '');
    expect(left).not.toContain('close');

    expect(await outputOf(code)).toEqual({ stdout: '1\n', stderr: '' });
    expect(await outputOf(left)).toEqual({ stdout: '2\n', stderr: '' });
    expect(await outputOf(code)).toEqual({ stdout: '3\n', stderr: '' });
  });
});
