// servers.mjs - the servers of the comparison, each in its own process.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { freePort } from '../../scripts/lib/free-port.mjs';
import { ACCOUNT, Client } from './client.mjs';

// The units of /proc on Linux.
const TICKS_PER_SECOND = 100;

const AZURITE = 'tests/server/node_modules/azurite/dist/src/table/main.js';

const entitable = (place) => (port, folder) => [
  'dist/cli.js',
  ...['serve', '--quiet', '--port', `${port}`],
  ...place(folder),
];
const azurite = (place) => (port, folder) => [
  AZURITE,
  ...['--silent', '--disableTelemetry', '--skipApiVersionCheck', '--tablePort', `${port}`],
  ...place(folder),
];

/** The command of each, by name; `of` is the server that Entitable is compared with. */
export const SERVERS = {
  'Entitable, in memory': {
    words: entitable(() => ['--in-memory']),
    of: 'azurite, in memory',
    // The server for the measurement of memory.
    isFilled: true,
  },
  'Entitable, in a folder': {
    words: entitable((folder) => ['--data', folder]),
    of: 'azurite, on disk',
  },
  'Entitable, in a folder, relaxed': {
    words: entitable((folder) => ['--data', folder, '--relaxed']),
    of: 'azurite, on disk',
  },
  'azurite, in memory': { words: azurite(() => ['--inMemoryPersistence']), isEmulator: true },
  'azurite, on disk': { words: azurite((folder) => ['--location', folder]), isEmulator: true },
  nothing: { words: (port) => ['bench/http/nothing.mjs', `${port}`] },
};

/** Starts a server with an empty store. Resolves after the answer to its first request. */
export async function start(name, { connections }) {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'entitable-bench-'));
  const begin = performance.now();
  const child = spawn(process.execPath, SERVERS[name].words(port, folder), {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  await new Promise((resolve, reject) => {
    createInterface(child.stdout).on('line', (line) => {
      if (/^DefaultEndpointsProtocol=|successfully started/.test(line)) resolve();
    });
    exited.then(() => reject(new Error(`${name} has stopped`)), reject);
  });
  const url = `http://127.0.0.1:${port}/${ACCOUNT}`;
  const client = new Client(url, { connections });
  await client.send('GET', '/Tables');
  const startMs = performance.now() - begin;
  return {
    url,
    client,
    startMs,
    /** The processor time so far, in seconds. */
    processorSeconds() {
      const [, rest] = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ');
      const [user, system] = rest.split(' ').slice(11, 13).map(Number);
      return (user + system) / TICKS_PER_SECOND;
    },
    /** Its resident memory, in bytes. */
    memory: () =>
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))[1]) * 1024,
    async stop() {
      client.close();
      child.kill('SIGKILL');
      await exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
