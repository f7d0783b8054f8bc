// build-wasm.mjs - the core as WebAssembly modules: build/js/entitable.wasm for pages, and
// build/js/entitable-server.wasm, compiled for speed, with the glue that Emscripten writes for each
// (build/js/entitable-core.mjs). The module that verifies and repairs stores,
// build/js/entitable-verify.wasm, needs no glue.

import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';

import { isFresh, unlessFresh } from './lib/fresh.mjs';
import { run, which } from './lib/run.mjs';
import { Problem } from './lib/terminal.mjs';
import { makeToolchainOnce, toolchainEnvironment } from './toolchain.mjs';

export const GLUE = ['entitable', 'entitable-server'];

export const MODULES = [...GLUE, 'entitable-verify'];

const glueOf = (name) => `build/js/${name}-core.mjs`;

// What each is made of; all that is installed is of the version that the lock file says.
const INPUTS = [
  ...['CMakeLists.txt', 'CMakePresets.json', 'package.json', 'package-lock.json'],
  ...['cmake', 'core', 'bindings'],
];

const stepOf = (stamp, names) => ({
  stamp: `build/stamps/${stamp}`,
  inputs: INPUTS,
  outputs: [
    ...names.map((name) => `build/js/${name}.wasm`),
    ...names.filter((name) => GLUE.includes(name)).map(glueOf),
  ],
});

// What the page loads.
const PAGE = ['entitable'];
const pageModule = stepOf('page-module', PAGE);

/** Makes the compiler, if one will be needed. Returns false when there was nothing to do. */
export async function prepareToolchain() {
  return !isFresh(pageModule) && makeToolchainOnce();
}

/** Builds what the page loads. Returns false when there was nothing to do. */
export function buildPageModule() {
  return unlessFresh(pageModule, () => compile(PAGE));
}

/** Builds all modules. Returns false when there was nothing to do. */
export function buildModules() {
  return unlessFresh(stepOf('wasm', MODULES), () => compile(MODULES));
}

async function compile(names) {
  const env = await toolchainEnvironment();
  for (const program of ['cmake', 'ninja']) {
    if (which(program, env.PATH)) continue;
    throw new Problem(`this machine has no ${program}`, `install ${program}`);
  }
  forgetOtherCompiler(which('emcc', env.PATH));
  await run('cmake', ['--preset', 'wasm'], { env });
  await run('cmake', ['--build', '--preset', 'wasm', '--target', ...names], { env });

  mkdirSync('build/js', { recursive: true });
  for (const name of names) {
    copyFileSync(`build/wasm/bindings/${name}.wasm`, `build/js/${name}.wasm`);
    if (GLUE.includes(name)) copyFileSync(`build/wasm/bindings/${name}.mjs`, glueOf(name));
  }
}

// CMake keeps the compiler it first saw, even when that one has gone.
function forgetOtherCompiler(emcc) {
  const cache = 'build/wasm/CMakeCache.txt';
  if (!existsSync(cache)) return;
  const seen = /^em_config:\w+=(.*)$/m.exec(readFileSync(cache, 'utf8'))?.[1];
  if (seen !== emcc.replace(/emcc$/, 'em-config')) rmSync('build/wasm', { recursive: true });
}
