// The commands of the documentation, each once.

import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';

import { startServer, type TableServer } from './support/built.js';
import { examplesIn } from '../../scripts/lib/documents.mjs';
import { packed } from './support/packed.js';
import { newFolder } from './support/serve.js';

const INSTALLATION = 'npm install entitable';

const lines = examplesIn('sh').flatMap(({ code }) => code.trim().split('\n'));
const commands = [...new Set(lines)].filter((command) => command !== INSTALLATION);

const project = mkdtempSync(join(tmpdir(), 'entitable-commands-'));
const program = join(project, 'node_modules/.bin/entitable');

// It takes the place of the account in the cloud, and has a table that the folder has, too.
let server: TableServer;
const pulled = join(project, 'pulled');

beforeAll(async () => {
  writeFileSync(join(project, 'package.json'), '{ "name": "app", "type": "module" }');
  const args = ['install', '--offline', '--no-audit', '--no-fund', packed().tarball];
  execFileSync('npm', args, { cwd: project, stdio: 'pipe' });

  server = await startServer({ authentication: 'anonymous' });
  const headers = { 'content-type': 'application/json' };
  const body = '{"TableName":"Todos"}';
  await fetch(`${server.url}/Tables`, { method: 'POST', headers, body });
  await run(project, ['pull', '--from', server.url, '--to', pulled]);
});

afterAll(async () => {
  await server.close();
  rmSync(project, { recursive: true, force: true });
});

/** Runs the command in a folder, and returns its output. */
async function run(cwd: string, words: readonly string[]): Promise<string> {
  const env = { ...process.env, AZURE_STORAGE_CONNECTION_STRING: '', AZURE_STORAGE_KEY: '' };
  return (await promisify(execFile)(program, words, { cwd, env })).stdout;
}

/** Starts the command at any free port, and ends it when it has answered a request. */
async function serveBy(words: readonly string[]): Promise<number | null> {
  const child = spawn(program, [...words, '--port', '0'], { cwd: project });
  onTestFinished(() => void child.kill('SIGKILL'));
  const exited = once(child, 'exit') as Promise<[number | null]>;
  for await (const line of createInterface(child.stdout)) {
    const [, url] = /TableEndpoint=([^;]+)/.exec(line) ?? [];
    if (!url) continue;
    expect((await fetch(url)).status).toBe(403);
    child.kill('SIGTERM');
  }
  return (await exited)[0];
}

/** Runs a command that moves tables, in a folder that has `tables` and `backup.jsonl`. */
async function moveBy(words: readonly string[]): Promise<void> {
  const cwd = newFolder();
  if (words[0] !== 'pull') cpSync(pulled, join(cwd, 'tables'), { recursive: true });
  writeFileSync(join(cwd, 'backup.jsonl'), ARCHIVE);

  const output = await run(
    cwd,
    words.map((word) => (word.includes('//contoso') ? server.url : word)),
  );

  expect(output).toMatch(words[0] === 'forget' ? /: Todos$/m : /^Todos: 0 entities/m);
}

it('the installation of the documentation brings the package', () => {
  expect(lines).toContain(INSTALLATION);
  expect(existsSync(join(project, 'node_modules/entitable/dist/index.js'))).toBe(true);
});

it.each(commands)('a command of the documentation works: %s', async (command) => {
  const words = command.split(' ');
  expect(words.slice(0, 2)).toEqual(['npx', 'entitable']);
  if (words[2] !== 'serve') return await moveBy(words.slice(2));
  if (words.includes('--import-azurite')) {
    const file = resolve(project, words[words.indexOf('--import-azurite') + 1]!);
    mkdirSync(resolve(file, '..'), { recursive: true });
    writeFileSync(file, EMPTY_AZURITE);
  }

  expect(await serveBy(words.slice(2))).toBe(0);
});

// The file of an emulator that has no tables.
const EMPTY_AZURITE = JSON.stringify({
  filename: '__azurite_db_table__.json',
  collections: [{ name: '$TABLES_COLLECTION$', data: [] }],
  databaseVersion: 1.5,
  engineVersion: 1.5,
});

// Of an account that has one table.
const ARCHIVE = [
  '{"entitable":"archive","version":1}',
  '{"TableName":"Todos"}',
  '{"tables":1,"entities":0}',
  '',
].join('\n');

it('npx entitable serve ends at a signal, though npx does not pass it on', async () => {
  const words = ['--no-install', 'entitable', 'serve', '--in-memory', '--port', '0'];
  const npx = spawn('npx', words, { cwd: project, detached: true });
  onTestFinished(() => {
    try {
      process.kill(-npx.pid!, 'SIGKILL');
    } catch {
      // All of its group have ended.
    }
  });
  // Its processes have the output open until the last one has ended.
  let url: string | undefined;
  for await (const line of createInterface(npx.stdout)) {
    [, url] = /^Entitable is ready at (.*)$/.exec(line) ?? [undefined, url];
    if (url) npx.kill('SIGTERM');
  }

  await expect(fetch(url!)).rejects.toThrow();
}, 60_000);
