// azurite.ts - the emulator, as another process.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

import { freePort } from '../../../scripts/lib/free-port.mjs';

const SCRIPT = 'tests/server/node_modules/azurite/dist/src/table/main.js';

/** The emulator's table service. */
export interface Azurite {
  /** The account's address, without a slash at the end. */
  readonly url: string;
  readonly process: { readonly pid?: number | undefined };
  /** Waits until its file is written. */
  stop(): Promise<void>;
}

/**
 * Starts it on a free port; it keeps its tables in `folder`, or in memory.
 *
 * @param environment - variables beside those of this process.
 */
export async function startAzurite(folder?: string, environment: object = {}): Promise<Azurite> {
  // With port 0 it prints 0, not the real port.
  const port = await freePort();
  const place = folder === undefined ? ['--inMemoryPersistence'] : ['--location', folder];
  const words = ['--tablePort', `${port}`, '--silent', '--disableTelemetry', ...place];
  const child = spawn(process.execPath, [SCRIPT, '--skipApiVersionCheck', ...words], {
    env: { ...process.env, ...environment },
  });
  const exited = once(child, 'exit');
  await new Promise<void>((resolve, reject) => {
    createInterface(child.stdout!).on('line', (line) => {
      if (line.includes('successfully started')) resolve();
    });
    exited.then(() => reject(new Error('the emulator has stopped')), reject);
  });
  return {
    url: `http://127.0.0.1:${port}/devstoreaccount1`,
    process: child,
    async stop() {
      child.kill('SIGINT');
      await exited;
    },
  };
}
