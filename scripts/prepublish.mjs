// prepublish.mjs - `npm publish` runs it first. It refuses a package.json whose addresses nobody
// has filled in, then builds the package.

import { fileURLToPath } from 'node:url';

import { build } from './build.mjs';
import { enterProject, readPackage } from './lib/project.mjs';
import { Problem, main } from './lib/terminal.mjs';

// The page of the package shows these members, and provenance needs the repository.
const REQUIRED = ['homepage', 'bugs', 'repository', 'author'];

// Stands in package.json where the owner of the project writes a name. It is the only such place.
const PLACEHOLDER = 'FILL-IN-';

/** Throws a Problem with the members that are missing in a package.json, or not filled in. */
export function checkComplete(manifest) {
  const open = REQUIRED.filter((name) => {
    return !manifest[name] || JSON.stringify(manifest[name]).includes(PLACEHOLDER);
  });
  if (open.length === 0) return;
  throw new Problem(
    `package.json does not say who publishes it: ${open.join(', ')}`,
    `write your name and addresses where it has ${PLACEHOLDER}OWNER, then publish again`,
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  enterProject();
  await main(async () => {
    checkComplete(readPackage());
    await build('packages', 'wasm', 'package');
  });
}
