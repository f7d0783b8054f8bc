// generate-entries.mjs - writes what files say of the entries of the package: `exports` and `alias`
// of package.json, and js/src/base/entry-name.ts, a type with the names for browsers.
//
//   node scripts/generate-entries.mjs

import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { importedName, IN_BROWSERS, packageAlias, packageExports } from './lib/package-entries.mjs';
import { enterProject, readPackage } from './lib/project.mjs';

const HEAD = `/**
 * The entries of the package that browsers can load.
 *
 * \`scripts/generate-entries.mjs\` writes this file.
 *
 * @module
 */

/** The entries that do not need Node: \`entitable/http\`, say. */
export type EntryName =`;

/** The texts of the files, by their names. */
export function generateEntries() {
  const names = IN_BROWSERS.map((name) => `  | '${importedName(name)}'`);
  const manifest = { ...readPackage(), exports: packageExports(), alias: packageAlias() };
  return {
    'js/src/base/entry-name.ts': `${[HEAD, ...names].join('\n')};\n`,
    'package.json': `${JSON.stringify(manifest, undefined, 2)}\n`,
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  enterProject();
  for (const [file, text] of Object.entries(generateEntries())) writeFileSync(file, text);
}
