// build.mjs - everything that `npm start` serves and `npm pack` packs, or only the
// parts that are named: `npm run build -- wasm`.

import { fileURLToPath } from 'node:url';

import { buildJs } from './build-js.mjs';
import { buildPage } from './build-page.mjs';
import { buildWasm } from './build-wasm.mjs';
import { installPackages, installPeers } from './install.mjs';
import { enterProject } from './lib/project.mjs';
import { main, step } from './lib/terminal.mjs';

// In the order in which they need each other.
const PARTS = { packages: installPackages, wasm: buildWasm, package: buildJs, page: buildPage };

const BUNDLERS = [
  ...['esbuild', 'jest', 'next', 'parcel', 'rollup', 'rspack', 'vite', 'vitest', 'webpack'],
];

// What tests compare and try the package with, each with a lock file of its own.
const PEERS = {
  peers: ['tests/wire'],
  compilers: ['tests/package/compilers'],
  bundlers: BUNDLERS.map((name) => `tests/bundlers/${name}`),
};

/** Builds what changed of the named parts; of all, when none is named. */
export async function build(...names) {
  for (const [name, work] of Object.entries(PARTS)) {
    if (names.length === 0 || names.includes(name)) await step(`built ${name}`, work);
  }
  // Nothing is built with them, so they come only where they are named.
  for (const [name, folders] of Object.entries(PEERS)) {
    if (!names.includes(name)) continue;
    for (const folder of folders) await step(`installed ${folder}`, () => installPeers(folder));
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  enterProject();
  await main(() => build(...process.argv.slice(2)));
}
