// remote-servers.mjs - one server of ours and one emulator while the server suite runs, whose
// accounts stand for accounts of the service (tests/server/support/remotes.ts).

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { freePort } from '../lib/free-port.mjs';
import { WASM_FLAGS } from './wasm-flags.mjs';

// More than all files ask for. The service's development account has this key, which is public.
const NAMES = Array.from({ length: 600 }, (_, i) => `account${i + 1}`);
const KEY =
  'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==';

// Both servers read it.
const env = { ...process.env, AZURITE_ACCOUNTS: NAMES.map((name) => `${name}:${KEY}`).join(';') };

const EMULATOR = 'tests/server/node_modules/azurite/dist/src/table/main.js';

/** Starts a program, and waits until one of its lines has the words. */
async function start(args, words) {
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = createInterface(child.stdout);
  await Promise.race([
    once(child, 'exit').then(() => Promise.reject(new Error(`${args[0]} has stopped`))),
    new Promise((resolve) => lines.on('line', (line) => line.includes(words) && resolve())),
  ]);
  return () => child.kill('SIGKILL');
}

export default async function setup({ provide }) {
  const [ours, emulator] = [await freePort(), await freePort()];
  const taken = mkdtempSync(join(tmpdir(), 'entitable-accounts-'));
  const ends = [];
  const teardown = () => {
    for (const end of ends) end();
    rmSync(taken, { recursive: true, force: true });
  };
  const starts = [
    start(
      [...WASM_FLAGS, 'dist/cli.js', 'serve', '--port', `${ours}`, '--in-memory', '--quiet'],
      'is ready at http',
    ),
    start(
      [
        ...[EMULATOR, '--skipApiVersionCheck', '--tablePort', `${emulator}`],
        ...['--silent', '--disableTelemetry', '--inMemoryPersistence'],
      ],
      'successfully started',
    ),
  ];
  try {
    await Promise.all(starts.map(async (starting) => ends.push(await starting)));
  } catch (error) {
    await Promise.allSettled(starts);
    teardown();
    throw error;
  }
  const originAt = (port) => `http://127.0.0.1:${port}`;
  provide('remotes', { ours: originAt(ours), emulator: originAt(emulator), names: NAMES, taken });
  return teardown;
}
