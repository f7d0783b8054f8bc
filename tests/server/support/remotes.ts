// remotes.ts - storage accounts for tests, of our own server and of the emulator
// (remote-servers.ts). Each caller has an account of its own.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { inject } from 'vitest';

/** Returns the address of an account that nobody has had, in any file of tests. */
async function newAccount(server: 'ours' | 'emulator'): Promise<string> {
  const { names, taken, ...origins } = inject('remotes');
  const name = names.find((name) => isFirst(join(taken, `${server}-${name}`)));
  if (name === undefined) throw new Error('there are no more accounts');
  return `${origins[server]}/${name}`;
}

function isFirst(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  }
}

/** The address of a new account of the server of the built package. */
export const ownAccount = () => newAccount('ours');

/** The address of a new account of the emulator. */
export const emulatorAccount = () => newAccount('emulator');

/** The name of the account at an address. */
export const nameAt = (url: string) => new URL(url).pathname.slice(1);
