// build.mjs - builds the demo page and the package. With names of parts, for example `npm run build
// -- wasm`, it builds only these and the parts that they need.

import { fileURLToPath } from 'node:url';

import { buildJs } from './build-js.mjs';
import { buildPage } from './build-page.mjs';
import { buildModules, buildPageModule, prepareToolchain } from './build-wasm.mjs';
import { installPackages, installPeers } from './install.mjs';
import { during } from './lib/phases.mjs';
import { enterProject } from './lib/project.mjs';
import { Problem, main, step } from './lib/terminal.mjs';
import { packPackage } from './pack.mjs';
import { splitModules } from './split-module.mjs';
import { TOOLS } from './test/tier.mjs';

// `phase` is the one whose time the work counts to (lib/phases.mjs). CMake itself says how long it
// has compiled and linked.
//
// A part begins when the parts that it needs are ready, so downloads and compilers run at once.
const PARTS = {
  packages: { needs: [], phase: 'install', work: installPackages },
  toolchain: { needs: [], phase: 'install', work: prepareToolchain },
  'page-module': { needs: ['packages', 'toolchain'], work: buildPageModules },
  wasm: { needs: ['page-module'], work: buildModules },
  package: { needs: ['wasm'], phase: 'compile', work: buildJs },
  packed: { needs: ['package'], phase: 'compile', work: packPackage },
  page: { needs: ['page-module'], phase: 'compile', work: buildPage },
  // The npm packages with which tests try the package. Each folder has a lock file of its own.
  peers: peers('tests/server'),
  compilers: peers('tests/package/compilers'),
  frameworks: peers('tests/package/react-18'),
  bundlers: peers(...TOOLS.map((name) => `tests/bundlers/${name}`)),
};

// The build does not need the peers, so they are installed only if they are named.
const WHOLE = ['package', 'page'];

async function buildPageModules() {
  const isBuilt = await buildPageModule();
  return (await splitModules()) || isBuilt;
}

function peers(...folders) {
  return {
    needs: [],
    phase: 'install',
    async work() {
      for (const folder of folders) await step(folder, () => installPeers(folder));
      return false;
    },
  };
}

// A promise for each part that has begun, because several suites of tests need the same parts.
const begun = new Map();

/** Builds the named parts, or the package and the page. Skips a part that did not change. */
export async function build(...names) {
  const unknown = names.filter((name) => !(name in PARTS));
  if (unknown.length > 0) {
    throw new Problem(
      `no part of the build is named ${unknown.join(' or ')}`,
      `name some of ${Object.keys(PARTS).join(', ')}`,
    );
  }
  await Promise.all((names.length > 0 ? names : WHOLE).map(begin));
}

function begin(name) {
  if (!begun.has(name)) begun.set(name, buildPart(name));
  return begun.get(name);
}

async function buildPart(name) {
  const { needs, phase, work } = PARTS[name];
  await Promise.all(needs.map(begin));
  await step(name, () => (phase ? during(phase, work) : work()));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  enterProject();
  await main(() => build(...process.argv.slice(2)));
}
