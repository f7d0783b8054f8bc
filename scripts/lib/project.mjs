// project.mjs - the folder of the work tree, and its package.json.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** With a slash at the end. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Makes the work tree the current folder, because all scripts use relative paths. */
export function enterProject() {
  process.chdir(ROOT);
}

export function readPackage() {
  return JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8'));
}

/** Text that changes with the installed versions of these packages. */
export function versionsOf(...names) {
  const { packages } = JSON.parse(readFileSync(`${ROOT}package-lock.json`, 'utf8'));
  return names.map((name) => `${name} ${packages[`node_modules/${name}`].integrity}`).join('\n');
}
