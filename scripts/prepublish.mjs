// prepublish.mjs - what `npm publish` runs first: refuses a package.json that does not say where the
// project is and whose it is, then builds all that is packed.

import { fileURLToPath } from 'node:url';

import { build } from './build.mjs';
import { enterProject, readPackage } from './lib/project.mjs';
import { Problem, main } from './lib/terminal.mjs';

// The page of the package shows them, and provenance needs the repository.
const REQUIRED = ['repository', 'homepage', 'bugs', 'author'];

/** Throws a Problem that names what is missing in the contents of a package.json. */
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
