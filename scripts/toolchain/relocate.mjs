// relocate.mjs - makes Debian's packages run from a folder that is not the root of
// the file system, without chroot: a script per program names its loader and libraries.

import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, delimiter, join } from 'node:path';

/** Returns what to put in front of PATH. */
export function relocate(root) {
  const libraries = findLibraries(root);
  const loader = join(
    libraries,
    readdirSync(libraries).find((name) => name.startsWith('ld-linux-')),
  );
  const start = (program, name) =>
    `exec '${loader}' --library-path '${libraries}' --argv0 ${name} '${program}'`;

  const usrBin = join(root, 'usr/bin');
  const tools = join(root, 'tools');
  rmSync(tools, { recursive: true, force: true });

  // Clang looks for its headers beside the name it was called by when told not to
  // resolve that name; resolved, it would be the loader's.
  const llvm = join(root, 'usr/lib/llvm-19');
  for (const name of readdirSync(join(llvm, 'bin'))) {
    const flag = /^clang(\+\+)?$/.test(name) ? ' -no-canonical-prefixes' : '';
    writeScript(
      join(tools, 'llvm/bin', name),
      `${start(join(llvm, 'bin', name), '"$0"')}${flag} "$@"`,
    );
  }
  symlinkSync(join(llvm, 'lib'), join(tools, 'llvm/lib'));

  for (const name of readdirSync(usrBin).filter((name) => /^wasm[-2]/.test(name))) {
    writeScript(join(tools, 'binaryen/bin', name), `${start(join(usrBin, name), '"$0"')} "$@"`);
  }
  // Whichever Node is on the PATH at that time: versions come and go.
  writeScript(join(tools, 'node'), 'exec node "$@"');
  writeScript(join(tools, 'ninja/ninja'), `${start(join(usrBin, 'ninja'), '"$0"')} "$@"`);

  const emscripten = join(root, 'usr/share/emscripten');
  const python = start(join(usrBin, 'python3'), join(usrBin, 'python3'));
  for (const name of readdirSync(emscripten).filter((name) => /^em.*\.py$/.test(name))) {
    const entry = join(emscripten, basename(name, '.py'));
    rmSync(entry, { force: true });
    writeScript(entry, `${python} -E '${entry}.py' "$@"`);
  }
  if (!existsSync(join(emscripten, 'node_modules')))
    symlinkSync('../nodejs', join(emscripten, 'node_modules'));
  writeFileSync(
    join(emscripten, '.emscripten'),
    `LLVM_ROOT = '${join(tools, 'llvm/bin')}'
BINARYEN_ROOT = '${join(tools, 'binaryen')}'
NODE_JS = '${join(tools, 'node')}'
FROZEN_CACHE = True
`,
  );
  return [emscripten, join(tools, 'ninja')].join(delimiter);
}

function findLibraries(root) {
  const base = join(root, 'usr/lib');
  return join(
    base,
    readdirSync(base).find((name) => name.endsWith('-linux-gnu')),
  );
}

function writeScript(path, line) {
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, `#!/bin/sh\n${line}\n`);
  chmodSync(path, 0o755);
}
