// build-wasm.mjs - builds the WebAssembly modules:
//
// - build/js/entitable.wasm for pages, with Emscripten's glue build/js/entitable-core.mjs
// - build/js/entitable-sync.wasm, the same with sync; the glue of the first fits it
// - build/js/entitable-server.wasm, compiled for speed, and its glue
//   build/js/entitable-server-core.mjs
// - build/js/entitable-verify.wasm, which verifies and repairs stores, and needs no glue

import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';

import { buildPreset } from './lib/cmake.mjs';
import { isMade, unlessFresh } from './lib/fresh.mjs';
import { readPackage, versionsOf } from './lib/project.mjs';
import { which } from './lib/run.mjs';
import { Problem } from './lib/terminal.mjs';
import { makeToolchainOnce, toolchainEnvironment, toolchainVersion } from './toolchain.mjs';

export const GLUE = ['entitable', 'entitable-server'];

const SYNC = 'entitable-sync';
const VERIFY = 'entitable-verify';

export const MODULES = [...GLUE, SYNC, VERIFY];

const glueOf = (name) => `build/js/${name}-core.mjs`;

const INPUTS = ['CMakeLists.txt', 'CMakePresets.json', 'cmake', 'core', 'bindings'];

const stepOf = (name, names) => ({
  name,
  inputs: INPUTS,
  get tools() {
    return [readPackage().version, versionsOf('@nozbe/simdjson'), toolchainVersion()].join('\n');
  },
  outputs: [
    ...names.map((name) => `build/js/${name}.wasm`),
    ...names.filter((name) => GLUE.includes(name)).map(glueOf),
  ],
});

// The modules of the demo.
const PAGE = ['entitable', SYNC, VERIFY];
const pageModule = stepOf('page-module', PAGE);

/** Makes the compiler if the build needs it. Returns false if there was nothing to do. */
export async function prepareToolchain() {
  return !isMade(pageModule) && makeToolchainOnce();
}

/** Builds the modules of the demo page. Returns false if there was nothing to do. */
export function buildPageModule() {
  return unlessFresh(pageModule, () => compile(PAGE));
}

/** The build of all modules. */
export const WASM_STEP = stepOf('wasm', MODULES);

/** Builds all modules. Returns false if there was nothing to do. */
export function buildModules() {
  return unlessFresh(WASM_STEP, () => compile(MODULES));
}

async function compile(names) {
  const env = await toolchainEnvironment();
  for (const program of ['cmake', 'ninja']) {
    if (which(program, env.PATH)) continue;
    throw new Problem(`this machine has no ${program}`, `install ${program}`);
  }
  forgetOtherCompiler(which('emcc', env.PATH));
  await buildPreset('wasm', names, env);

  mkdirSync('build/js', { recursive: true });
  for (const name of names) {
    copyFileSync(`build/wasm/bindings/${name}.wasm`, `build/js/${name}.wasm`);
    if (GLUE.includes(name)) copyFileSync(`build/wasm/bindings/${name}.mjs`, glueOf(name));
  }
  if (names.includes(SYNC)) checkGlue();
}

// Both modules of pages have the same exports. So an app can choose between them by their address.
function checkGlue() {
  const [plain, other] = ['entitable', SYNC].map((name) =>
    readFileSync(`build/wasm/bindings/${name}.mjs`, 'utf8'),
  );
  if (plain !== other) throw new Problem(`the glue of entitable does not fit ${SYNC}`);
}

// CMake keeps the compiler of its first run, even after that compiler was deleted.
function forgetOtherCompiler(emcc) {
  const cache = 'build/wasm/CMakeCache.txt';
  if (!existsSync(cache)) return;
  const seen = /^em_config:\w+=(.*)$/m.exec(readFileSync(cache, 'utf8'))?.[1];
  if (seen !== emcc.replace(/emcc$/, 'em-config')) rmSync('build/wasm', { recursive: true });
}
