// remote-servers.ts - what runs while the server suite does: one server of ours and one emulator,
// whose accounts stand for accounts of the service (remotes.ts), and one PostgreSQL (postgres.ts).

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import type { TestProject } from 'vitest/node';

import { DEVELOPMENT_ACCOUNT } from '../../../js/src/http/development-account.js';
import { freePort } from '../../../scripts/lib/free-port.mjs';
import { startPostgres } from '../../../scripts/lib/postgres.mjs';
import { WASM_FLAGS } from '../../../scripts/test/wasm-flags.mjs';
import { startAzurite } from './azurite.js';

// More than all files ask for. All have the key of the development account.
const names = Array.from({ length: 600 }, (_, i) => `account${i + 1}`);
// Both servers read it.
const environment = {
  AZURITE_ACCOUNTS: names.map((name) => `${name}:${DEVELOPMENT_ACCOUNT.key}`).join(';'),
};

async function startOurs() {
  const port = await freePort();
  const words = ['dist/cli.js', 'serve', '--port', `${port}`, '--in-memory', '--quiet'];
  const child = spawn(process.execPath, [...WASM_FLAGS, ...words], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  await new Promise<void>((resolve, reject) => {
    createInterface(child.stdout).on('line', (line) => {
      if (line.includes('is ready at http')) resolve();
    });
    exited.then(() => reject(new Error('our server has stopped')), reject);
  });
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

export default async function setup({ provide }: TestProject) {
  const starts = [startOurs(), startAzurite(undefined, environment), startPostgres()] as const;
  const stopAll = async () => {
    for (const started of await Promise.allSettled(starts)) {
      if (started.status === 'fulfilled') await started.value.stop();
    }
  };
  const [ours, emulator, postgres] = await Promise.all(starts).catch(async (error: unknown) => {
    await stopAll();
    throw error;
  });
  const taken = mkdtempSync(join(tmpdir(), 'entitable-accounts-'));
  const originOf = ({ url }: { url: string }) => new URL(url).origin;
  provide('postgres', postgres.url);
  provide('remotes', { ours: originOf(ours), emulator: originOf(emulator), names, taken });
  return async () => {
    await stopAll();
    rmSync(taken, { recursive: true, force: true });
  };
}
