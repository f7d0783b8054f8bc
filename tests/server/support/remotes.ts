// remotes.ts - storage accounts for tests, of our own server and of the emulator. A file of tests
// has one process of each, which starts when the first account is asked for, and each caller has an
// account of its own.

import { spawn } from 'node:child_process';

import { afterAll } from 'vitest';

import { WASM_FLAGS } from '../../../scripts/test/wasm-flags.mjs';
import { DEVELOPMENT_ACCOUNT } from '../../../js/src/http.js';
import { listening } from '../../package/support/serve.js';
import { startAzurite } from './azurite.js';

// More than a file asks for.
const NAMES = Array.from({ length: 50 }, (_, i) => `account${i + 1}`);
// Both read it. All accounts have the key of the development account.
const ENVIRONMENT = {
  AZURITE_ACCOUNTS: NAMES.map((name) => `${name}:${DEVELOPMENT_ACCOUNT.key}`).join(';'),
};

interface Remote {
  /** The address of any account. */
  readonly url: string | URL;
  stop(): Promise<unknown>;
}

/** Returns a function that returns the address of another account with each call. */
function accountsOf(start: () => Promise<Remote>): () => Promise<string> {
  const free = [...NAMES];
  let remote: Promise<Remote> | undefined;
  afterAll(async () => (await remote)?.stop());
  return async () => {
    const name = free.shift();
    if (name === undefined) throw new Error('there are no more accounts');
    remote ??= start();
    return `${new URL((await remote).url).origin}/${name}`;
  };
}

/** The address of a new account of the server of the built package. */
export const ownAccount = accountsOf(async () => {
  const words = ['dist/cli.js', 'serve', '--port', '0', '--in-memory', '--quiet'];
  const env = { ...process.env, ...ENVIRONMENT };
  return await listening(spawn(process.execPath, [...WASM_FLAGS, ...words], { env }));
});

/** The address of a new account of the emulator. */
export const emulatorAccount = accountsOf(() => startAzurite(undefined, ENVIRONMENT));

/** The name of the account at an address. */
export const nameAt = (url: string) => new URL(url).pathname.slice(1);
