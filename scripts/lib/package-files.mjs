// package-files.mjs - lists the files of dist/ that an entry of the package loads, at once or
// later.

import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';

import { importedName, IN_BROWSERS } from './package-entries.mjs';

// The imports between scripts of the package. A dynamic import has parentheses.
const IMPORTS = /\b(?:from|import)\s*\(?\s*["'](\.[^"']+\.js)["']/g;
// Scripts import the main entry by the name of the package.
const MAIN = /\b(?:from|import)\s*["']entitable["']/;
// A module, or the script of a worker.
const ADDRESS = /new URL\(["'](\.\/[^"']+\.(?:wasm|js))["'],\s*import\.meta\.url\)/g;

// Only loaded in development.
const FOR_DEVELOPMENT = 'warnings/watch.js';

/**
 * Returns the entries that browsers can load, by the names that programs import: the files of each,
 * relative to dist/.
 *
 * @returns {Record<string, string[]>}
 */
export function listFiles() {
  const files = IN_BROWSERS.map((name) => [
    importedName(name),
    [...filesFrom(`${name}.js`)].sort((a, b) => (a < b ? -1 : 1)),
  ]);
  return Object.fromEntries(files);
}

function filesFrom(file, seen = new Set()) {
  if (seen.has(file) || file === FOR_DEVELOPMENT) return seen;
  seen.add(file);
  const text = readFileSync(`dist/${file}`, 'utf8');
  for (const [, path] of text.matchAll(ADDRESS)) {
    const named = join(dirname(file), path);
    if (path.endsWith('.js')) filesFrom(named, seen);
    else seen.add(named);
  }
  for (const [, path] of text.matchAll(IMPORTS)) filesFrom(join(dirname(file), path), seen);
  if (MAIN.test(text)) filesFrom('index.js', seen);
  return seen;
}
