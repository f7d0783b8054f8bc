// package-files.mjs - lists the files of dist/ that an entry of the package loads, at once or
// later.

import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';

// The imports between scripts of the package. A dynamic import has parentheses.
const IMPORTS = /\b(?:from|import)\s*\(?\s*["'](\.[^"']+\.js)["']/g;
// Scripts import the main entry by the name of the package.
const MAIN = /\b(?:from|import)\s*["']entitable["']/;
// A module, or the script of a worker.
const ADDRESS = /new URL\(["'](\.\/[^"']+\.(?:wasm|js))["'],\s*import\.meta\.url\)/g;

/**
 * Returns the entries in the `exports` of package.json that browsers can load, by the names that
 * programs import: the files of each, relative to dist/.
 *
 * @returns {Record<string, string[]>}
 */
export function listFiles(exports) {
  const files = {};
  for (const path of pathsForBrowsers(exports)) {
    const main = exports[path].default.replace('./dist/', '');
    files[nameOf(path)] = [...filesFrom(main)].sort((a, b) => (a < b ? -1 : 1));
  }
  return files;
}

/** Returns the names of these entries. */
export const listEntries = (exports) => pathsForBrowsers(exports).map(nameOf);

const pathsForBrowsers = (exports) =>
  Object.keys(exports).filter(
    (path) => typeof exports[path] !== 'string' && !NOT_FOR_BROWSERS.includes(path),
  );

const nameOf = (path) => path.replace(/^\./, 'entitable');

// Only loaded in development.
const FOR_DEVELOPMENT = 'warnings/watch.js';

const NOT_FOR_BROWSERS = [
  ...['./storage/contract', './storage/deno-kv', './storage/durable-object', './storage/file'],
  ...['./edge', './files', './server'],
];

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
