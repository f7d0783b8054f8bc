// install.mjs - node_modules as the lock file says.

import { join } from 'node:path';

import { unlessFresh } from './lib/fresh.mjs';
import { run } from './lib/run.mjs';

/** Returns false when there was nothing to do. */
export function installPackages() {
  return unlessFresh(
    {
      // Inside, so that it goes whenever the folder goes.
      stamp: join('node_modules', '.entitable-stamp'),
      inputs: ['package-lock.json'],
      outputs: ['node_modules'],
    },
    () =>
      run('npm', ['ci', '--no-audit', '--no-fund'], {
        remedy: 'check the network and run this again',
      }),
  );
}
