// prepublish.mjs - `npm publish` runs it first. It refuses a package.json without the addresses and
// the author of the project, then builds the package.

import { fileURLToPath } from 'node:url';

import { build } from './build.mjs';
import { enterProject, readPackage } from './lib/project.mjs';
import { Problem, main } from './lib/terminal.mjs';

// The page of the package shows these members, and provenance needs the repository.
const REQUIRED = ['repository', 'homepage', 'bugs', 'author'];

/** Throws a Problem with the members that are missing in a package.json. */
export function checkComplete(manifest) {
  const missing = REQUIRED.filter((name) => !manifest[name]);
  if (missing.length === 0) return;
  throw new Problem(`package.json has no ${missing.join(', no ')}`, 'add it, then publish again');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  enterProject();
  await main(async () => {
    checkComplete(readPackage());
    await build('packages', 'wasm', 'package');
  });
}
