// make.mjs - makes an Emscripten folder of Debian 13's packages, on any machine with apt. It needs
// neither root nor a container: it unpacks the packages into the folder, and small scripts start
// each program with the loader and the libraries from there.
//
// An interrupted run can be repeated: downloads stay until the end, the root gets its name when it
// is complete, and the stamp is written last.

import { mkdirSync, renameSync, rmSync, statSync, statfsSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

import { forEach } from '../lib/parallel.mjs';
import { run } from '../lib/run.mjs';
import { Problem, say } from '../lib/terminal.mjs';
import { downloadPackages } from './apt.mjs';
import { relocate } from './relocate.mjs';

// 0.4 GB of packages, 1.1 GB of files, and room for links.
const NEEDED_BYTES = 2e9;

// Half of the bytes, which no build uses: libraries for dynamic linking, the compiler's own tests,
// manuals.
const LEFT_OUT = [
  './usr/share/emscripten/cache/sysroot/lib/wasm32-emscripten/pic',
  './usr/share/emscripten/cache/sysroot/lib/wasm32-emscripten/lto-pic',
  './usr/share/emscripten/test',
  './usr/share/man',
];

export async function makeToolchain(folder, stamp) {
  checkSpace(folder);
  say(
    'making the WebAssembly compiler, once for this machine (about a minute, 350 MB to download)',
  );
  const packages = await downloadPackages(join(folder, 'apt'));

  say(`toolchain: unpacking ${packages.length} packages`);
  const unfinished = join(folder, 'root.unfinished');
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true });
  // The largest first, which takes as long as all others.
  const size = (file) => statSync(file).size;
  await forEach(
    packages.sort((a, b) => size(b) - size(a)),
    (file) => unpack(file, unfinished),
  );

  const root = join(folder, 'root');
  rmSync(root, { recursive: true, force: true });
  renameSync(unfinished, root);

  say('toolchain: trying it');
  const path = relocate(root);
  await tryIt(path);
  writeFileSync(stamp, `${path}\n`);
  rmSync(join(folder, 'apt'), { recursive: true, force: true });
}

function checkSpace(folder) {
  const { bavail, bsize } = statfsSync(folder);
  if (bavail * bsize >= NEEDED_BYTES) return;
  throw new Problem(
    `the disk of ${folder} has ${((bavail * bsize) / 1e9).toFixed(1)} GB free, ${NEEDED_BYTES / 1e9} GB are needed`,
    'free some, or name a folder on another disk in ENTITABLE_CACHE',
  );
}

async function unpack(file, root) {
  const script =
    'set -o pipefail; file=$1 root=$2; shift 2; dpkg-deb --fsys-tarfile "$file" | tar -x -C "$root" --no-same-owner "$@"';
  await run(
    'bash',
    ['-c', script, 'unpack', file, root, ...LEFT_OUT.map((path) => `--exclude=${path}`)],
    {
      remedy: 'run this again; it resumes with what was downloaded',
    },
  );
}

// Runs every program of a build once: clang, wasm-ld, wasm-opt, node and acorn.
async function tryIt(path) {
  const folder = join(path.split(delimiter)[0], 'entitable-trial');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'trial.cc'), 'int main() { return 0; }\n');
  await run('em++', ['-Os', '-flto', '-sEXPORT_ES6', 'trial.cc', '-o', 'trial.mjs'], {
    cwd: folder,
    env: { PATH: path + delimiter + process.env.PATH },
    remedy: 'install emsdk 3.1.69 or newer and put emcc on the PATH',
  });
  rmSync(folder, { recursive: true });
}
