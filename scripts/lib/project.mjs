// project.mjs - where the work tree is, and what package.json says of it.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** With a slash at the end. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Every script works from here, wherever it was started. */
export function enterProject() {
  process.chdir(ROOT);
}

export function readPackage() {
  return JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8'));
}
