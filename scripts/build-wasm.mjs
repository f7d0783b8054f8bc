// build-wasm.mjs - the core as a WebAssembly module: build/js/entitable.wasm, and
// the glue that Emscripten writes for it: build/js/entitable-core.mjs; and what
// looks at stores and saves them: build/js/entitable-survey.wasm.

import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';

import { unlessFresh } from './lib/fresh.mjs';
import { run, which } from './lib/run.mjs';
import { Problem } from './lib/terminal.mjs';
import { toolchainEnvironment } from './toolchain.mjs';

/** Returns false when there was nothing to do. */
export function buildWasm() {
  return unlessFresh(
    {
      stamp: 'build/stamps/wasm',
      inputs: [
        ...['CMakeLists.txt', 'CMakePresets.json', 'package.json', 'cmake', 'core', 'bindings'],
        'node_modules/@nozbe/simdjson/package.json',
      ],
      outputs: [
        'build/js/entitable-core.mjs',
        'build/js/entitable.wasm',
        'build/js/entitable-survey.wasm',
      ],
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
  copyFileSync('build/wasm/bindings/entitable.mjs', 'build/js/entitable-core.mjs');
  for (const name of ['entitable.wasm', 'entitable-survey.wasm']) {
    copyFileSync(`build/wasm/bindings/${name}`, `build/js/${name}`);
  }
}

// CMake keeps the compiler it first saw, even when that one has gone.
function forgetOtherCompiler(emcc) {
  const cache = 'build/wasm/CMakeCache.txt';
  if (!existsSync(cache)) return;
  const seen = /^em_config:\w+=(.*)$/m.exec(readFileSync(cache, 'utf8'))?.[1];
  if (seen !== emcc.replace(/emcc$/, 'em-config')) rmSync('build/wasm', { recursive: true });
}
