// prepublish.mjs - `npm publish` runs it first, for both packages. It refuses a package.json whose
// addresses nobody has filled in, then builds the package.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { build } from './build.mjs';
import { enterProject } from './lib/project.mjs';
import { Problem, main } from './lib/terminal.mjs';

// The page of the package shows these members, and provenance needs the repository.
const REQUIRED = ['homepage', 'bugs', 'repository', 'author'];

// Stands in both files where the owner of the project writes a name, and nowhere else.
const PLACEHOLDER = 'FILL-IN-';

const MANIFESTS = ['package.json', 'create-entitable/package.json'];

/** Throws a Problem with the members that are missing in a package.json, or not filled in. */
export function checkComplete(manifest, file = 'package.json') {
  const open = REQUIRED.filter((name) => {
    return !manifest[name] || JSON.stringify(manifest[name]).includes(PLACEHOLDER);
  });
  if (open.length === 0) return;
  throw new Problem(
    `${file} does not say who publishes it: ${open.join(', ')}`,
    `write your name and addresses where it has ${PLACEHOLDER}OWNER, then publish again`,
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  enterProject();
  await main(async () => {
    for (const file of MANIFESTS) checkComplete(JSON.parse(readFileSync(file, 'utf8')), file);
    await build('packages', 'wasm', 'package');
  });
}
