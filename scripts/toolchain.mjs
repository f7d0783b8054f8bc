// toolchain.mjs - finds or makes the WebAssembly compiler, and prints the folders for the beginning
// of PATH. By hand:
//
//   PATH="$(node scripts/toolchain.mjs):$PATH" cmake --preset wasm

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { basename, delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { cacheFolder } from './lib/cache.mjs';
import { attempt, which } from './lib/run.mjs';
import { Problem, main, say } from './lib/terminal.mjs';
import { makeToolchain } from './toolchain/make.mjs';

// The version of the minimal runtime and of Embind for which bindings/ is written.
const MINIMUM = '3.1.69';
const EMSDK = `install emsdk ${MINIMUM} or newer and put emcc on the PATH`;

// The number changes when make.mjs makes another result of the same packages.
const folder = cacheFolder('emscripten-1');
const stamp = join(folder, 'ready');

function isAtLeast(version, minimum) {
  const [a, b] = [version, minimum].map((text) => text.split('.').map(Number));
  const differs = a.findIndex((part, i) => part !== b[i]);
  return differs === -1 || a[differs] > b[differs];
}

// What the `emcc` on the PATH says of its version, if it is new enough; null if it is not.
let found;
const goodEmcc = () => (found === undefined ? (found = findGoodEmcc()) : found);

function findGoodEmcc() {
  if (!which('emcc')) return null;
  const output = spawnSync('emcc', ['--version'], { encoding: 'utf8' }).stdout ?? '';
  const [line, version] = /^emcc .* (\d+\.\d+\.\d+).*$/m.exec(output) ?? [];
  if (version && isAtLeast(version, MINIMUM)) return line;
  say(
    `emcc on the PATH is ${version ?? 'not usable'}; ${MINIMUM} or newer is needed, so it is left alone`,
  );
  return null;
}

/** Text that changes with the compiler that builds will use. It need not be here yet. */
export const toolchainVersion = () => goodEmcc() ?? `Debian 13, ${basename(folder)}`;

// The kernel releases the lock of a killed process, so a killed run does not block others.
async function underLock(args) {
  if (!which('flock') || !which('apt-get')) {
    throw new Problem('only Debian and its relatives can make the WebAssembly compiler', EMSDK);
  }
  mkdirSync(folder, { recursive: true });
  const lock = join(folder, 'lock');
  const self = [lock, process.execPath, fileURLToPath(import.meta.url), ...args];
  const busy = 75;
  let { status } = await attempt('flock', ['-n', '-E', String(busy), ...self], { onLine: say });
  if (status === busy) {
    say('waiting for another run that is making the WebAssembly compiler');
    ({ status } = await attempt('flock', self, { onLine: say }));
  }
  if (status !== 0) throw new Problem('the WebAssembly compiler could not be made, see above');
}

/** Makes the compiler, unless there is one. Returns false when there was nothing to do. */
export async function makeToolchainOnce() {
  if (goodEmcc() || existsSync(stamp)) return false;
  await underLock(['--make']);
  return true;
}

/** The folders for the beginning of PATH; '' if PATH has a good `emcc` already. */
export async function toolchainPath() {
  await makeToolchainOnce();
  return goodEmcc() ? '' : readFileSync(stamp, 'utf8').trim();
}

/** The environment with `emcc` on its PATH. */
export async function toolchainEnvironment() {
  const path = await toolchainPath();
  return { PATH: path ? path + delimiter + process.env.PATH : process.env.PATH };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await main(async () => {
    if (process.argv[2] !== '--make') process.stdout.write(`${await toolchainPath()}\n`);
    else if (!existsSync(stamp)) await makeToolchain(folder, stamp);
  });
}
