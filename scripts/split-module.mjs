// split-module.mjs - splits the modules that pages load in two parts, so that a page downloads less
// before its first list:
//
// - build/js/NAME-first.wasm, with the functions that first-screen.ts has called
// - build/js/NAME-rest.wasm, with all others; js/src/core/rest-of-module.ts joins it to the first
//
// `wasm-split` of Binaryen does the work: it makes an instrumented module, first-screen.ts runs on
// that and writes which functions were called, and by this profile the module is split.

import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

import { unlessFresh } from './lib/fresh.mjs';
import { run, which } from './lib/run.mjs';
import { Problem } from './lib/terminal.mjs';
import { toolchainEnvironment, toolchainVersion } from './toolchain.mjs';

/** The modules that are split. */
export const SPLIT = ['entitable', 'entitable-sync'];

/** The names of the parts of a module. */
export const partsOf = (name) => [`${name}-first`, `${name}-rest`];

const FEATURES = [
  ...['bulk-memory', 'mutable-globals', 'nontrapping-float-to-int', 'sign-ext', 'simd'],
].map((name) => `--enable-${name}`);

const FOLDER = 'build/split';
const PROFILER = `${FOLDER}/first-screen.mjs`;

const stepOf = (name) => ({
  name: `split-${name}`,
  inputs: [
    ...['js/src', 'scripts/split-module.mjs', 'scripts/split-module'],
    ...[`build/js/${name}.wasm`, 'build/js/entitable-core.mjs'],
  ],
  get tools() {
    return toolchainVersion();
  },
  outputs: partsOf(name).map((part) => `build/js/${part}.wasm`),
});

/** Splits all modules. Returns false if there was nothing to do. */
export async function splitModules() {
  let isDone = false;
  for (const name of SPLIT) isDone = (await unlessFresh(stepOf(name), () => split(name))) || isDone;
  return isDone;
}

async function split(name) {
  const env = await toolchainEnvironment();
  const tool = await wasmSplit(env);
  mkdirSync(FOLDER, { recursive: true });
  await writeProfiler();
  const module = `build/js/${name}.wasm`;
  const counting = `${FOLDER}/${name}.wasm`;
  const profile = `${FOLDER}/${name}.profile`;
  await run(tool, ['--instrument', module, '-o', counting, ...FEATURES]);
  await run(process.execPath, [PROFILER, module, counting, profile]);
  const parts = partsOf(name).map((part) => `build/js/${part}.wasm`);
  const [first, rest] = parts;
  await run(tool, [
    ...['--split', module, '--profile', profile, '-o1', first, '-o2', rest],
    // Unlike the exports of the link.
    ...['--export-prefix', '%', ...FEATURES],
  ]);
  const hash = createHash('sha256').update(readFileSync(module)).update(readFileSync(profile));
  const build = hash.digest('hex').slice(0, 16);
  for (const part of parts) addSection(part, 'entitable-build', build);
}

async function wasmSplit(env) {
  const root = (await run('em-config', ['BINARYEN_ROOT'], { env })).trim();
  const tool = which('wasm-split', [join(root, 'bin'), env.PATH].join(delimiter));
  if (tool) return tool;
  throw new Problem('this machine has no wasm-split', 'it is one of the programs of Binaryen');
}

async function writeProfiler() {
  const { build } = await import('esbuild');
  await build({
    ...{ entryPoints: ['scripts/split-module/first-screen.ts'], outfile: PROFILER },
    ...{ bundle: true, format: 'esm', platform: 'node', logLevel: 'warning' },
    alias: { '#entitable-core': './build/js/entitable-core.mjs' },
    external: ['#*'],
  });
}

// A custom section, at the end of a module.
function addSection(file, name, text) {
  const bytes = [name.length, ...Buffer.from(name), ...Buffer.from(text)];
  writeFileSync(
    file,
    Buffer.concat([readFileSync(file), Buffer.from([0, bytes.length, ...bytes])]),
  );
}
