// package-files.mjs - which files of dist/ an entry of the package loads, at once or later.

import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';

// Scripts of the package import one another by these; what is loaded later is in parentheses.
const IMPORTS = /\b(?:from|import)\s*\(?\s*["'](\.[^"']+\.js)["']/g;
// The main entry is imported by the name of the package.
const MAIN = /\b(?:from|import)\s*["']entitable["']/;
const MODULE = /new URL\(["'](\.\/[^"']+\.wasm)["'],\s*import\.meta\.url\)/g;

/**
 * From the `exports` of package.json: the name of each entry that browsers can load, as programs
 * import it, and its files relative to dist/.
 *
 * @returns {Record<string, string[]>}
 */
export function listFiles(exports) {
  const files = {};
  for (const [path, entry] of Object.entries(exports)) {
    if (typeof entry === 'string' || NOT_FOR_BROWSERS.includes(path)) continue;
    const main = entry.default.replace('./dist/', '');
    files[path.replace(/^\./, 'entitable')] = [...filesFrom(main)].sort((a, b) => (a < b ? -1 : 1));
  }
  return files;
}

const NOT_FOR_BROWSERS = ['./storage/contract', './storage/file', './files'];

function filesFrom(file, seen = new Set()) {
  if (seen.has(file)) return seen;
  seen.add(file);
  const text = readFileSync(`dist/${file}`, 'utf8');
  for (const [, path] of text.matchAll(MODULE)) seen.add(join(dirname(file), path));
  for (const [, path] of text.matchAll(IMPORTS)) filesFrom(join(dirname(file), path), seen);
  if (MAIN.test(text)) filesFrom('index.js', seen);
  return seen;
}
