// generate-entries.mjs - writes the names of the entries that browsers can load as a type:
// js/src/base/entry-name.ts.
//
//   node scripts/generate-entries.mjs

import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { listEntries } from './lib/package-files.mjs';
import { enterProject, readPackage } from './lib/project.mjs';

export const ENTRIES_FILE = 'js/src/base/entry-name.ts';

const HEAD = `/**
 * The entries of the package that browsers can load.
 *
 * \`scripts/generate-entries.mjs\` writes this file from \`package.json\`.
 *
 * @module
 */

/** The entries that do not need Node: \`entitable/http\`, say. */
export type EntryName =`;

/** The text of the file. */
export function generateEntries() {
  const names = listEntries(readPackage().exports);
  return `${[HEAD, ...names.map((name) => `  | '${name}'`)].join('\n')};\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  enterProject();
  writeFileSync(ENTRIES_FILE, generateEntries());
}
