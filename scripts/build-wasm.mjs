// build-wasm.mjs - the core as WebAssembly modules: build/js/entitable.wasm for pages, and
// build/js/entitable-server.wasm, compiled for speed, with the glue that Emscripten writes for each
// (build/js/entitable-core.mjs). The module that verifies and repairs stores,
// build/js/entitable-verify.wasm, needs no glue.

import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';

import { unlessFresh } from './lib/fresh.mjs';
import { run, which } from './lib/run.mjs';
import { Problem } from './lib/terminal.mjs';
import { toolchainEnvironment } from './toolchain.mjs';

export const GLUE = ['entitable', 'entitable-server'];

export const MODULES = [...GLUE, 'entitable-verify'];

const glueOf = (name) => `build/js/${name}-core.mjs`;

/** Returns false when there was nothing to do. */
export function buildWasm() {
  return unlessFresh(
    {
      stamp: 'build/stamps/wasm',
      inputs: [
        ...['CMakeLists.txt', 'CMakePresets.json', 'package.json', 'cmake', 'core', 'bindings'],
        'node_modules/@nozbe/simdjson/package.json',
      ],
      outputs: MODULES.map((name) => `build/js/${name}.wasm`).concat(GLUE.map(glueOf)),
    },
    compile,
  );
}

async function compile() {
  const env = await toolchainEnvironment();
  for (const program of ['cmake', 'ninja']) {
    if (which(program, env.PATH)) continue;
    throw new Problem(`this machine has no ${program}`, `install ${program}`);
  }
  forgetOtherCompiler(which('emcc', env.PATH));
  await run('cmake', ['--preset', 'wasm'], { env });
  await run('cmake', ['--build', '--preset', 'wasm'], { env });

  mkdirSync('build/js', { recursive: true });
  for (const name of MODULES) {
    copyFileSync(`build/wasm/bindings/${name}.wasm`, `build/js/${name}.wasm`);
  }
  for (const name of GLUE) {
    copyFileSync(`build/wasm/bindings/${name}.mjs`, glueOf(name));
  }
}

// CMake keeps the compiler it first saw, even when that one has gone.
function forgetOtherCompiler(emcc) {
  const cache = 'build/wasm/CMakeCache.txt';
  if (!existsSync(cache)) return;
  const seen = /^em_config:\w+=(.*)$/m.exec(readFileSync(cache, 'utf8'))?.[1];
  if (seen !== emcc.replace(/emcc$/, 'em-config')) rmSync('build/wasm', { recursive: true });
}
