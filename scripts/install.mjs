// install.mjs - installs the packages of the lock files, once for all work trees of this machine.

import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { arch, platform } from 'node:os';
import { join } from 'node:path';

import { keepFolder, restoreFolder } from './lib/linked.mjs';
import { run } from './lib/run.mjs';

/** Returns false when there was nothing to do. */
export const installPackages = () => installIn('.');

/** The same for the peers in `folder`, which has its own lock file. */
export const installPeers = (folder) =>
  // Their install scripts prepare parts that are not used here.
  installIn(folder, ['--ignore-scripts']);

async function installIn(folder, options = []) {
  const lock = readFileSync(join(folder, 'package-lock.json'), 'utf8');
  // Inside, so that it is deleted with the folder, as by `npm ci` when it begins.
  const installed = join(folder, 'node_modules');
  const stamp = join(installed, '.entitable-stamp');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return false;

  const machine = [platform(), arch(), process.version, ...options].join(' ');
  const key = createHash('sha256').update(`${machine}\n${lock}`).digest('hex');
  if (await restoreFolder(key, installed)) return true;
  // What npm has in its own cache it does not ask the network for.
  await run('npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund', ...options], {
    cwd: folder,
    remedy: 'check the network and run this again',
  });
  writeFileSync(stamp, lock);
  await keepFolder(key, installed);
  return true;
}
