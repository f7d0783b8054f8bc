// install.mjs - installs the packages of the lock files.

import { join } from 'node:path';

import { unlessFresh } from './lib/fresh.mjs';
import { run } from './lib/run.mjs';

/** Returns false when there was nothing to do. */
export function installPackages() {
  return unlessFresh(
    {
      // Inside, so that it is deleted with the folder.
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

/** The same for the peers in `folder`, which has its own lock file. */
export function installPeers(folder) {
  const modules = join(folder, 'node_modules');
  return unlessFresh(
    {
      stamp: join(modules, '.entitable-stamp'),
      inputs: [join(folder, 'package-lock.json')],
      outputs: [modules],
    },
    // Their install scripts prepare parts that are not used here.
    () =>
      run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
        cwd: folder,
        remedy: 'check the network and run this again',
      }),
  );
}
