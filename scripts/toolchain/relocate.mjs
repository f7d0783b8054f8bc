// relocate.mjs - makes Debian's packages run from a folder that is not the root of the file system,
// without chroot: each program gets a script with its loader and libraries.

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

/** Returns the folders for the beginning of PATH. */
export function relocate(root) {
  const tools = join(root, 'tools');
  rmSync(tools, { recursive: true, force: true });
  const start = starterFor(root);
  writeTools(root, tools, start);
  const emscripten = join(root, 'usr/share/emscripten');
  writeEmscripten(root, emscripten, start);
  configureEmscripten(emscripten, tools);
  return [emscripten, join(tools, 'ninja')].join(delimiter);
}

/** Returns a function that writes the command of a program, with the name that it sees. */
function starterFor(root) {
  const libraries = findLibraries(root);
  const loader = join(
    libraries,
    readdirSync(libraries).find((name) => name.startsWith('ld-linux-')),
  );
  return (program, name) =>
    `exec '${loader}' --library-path '${libraries}' --argv0 ${name} '${program}'`;
}

function writeTools(root, tools, start) {
  const llvm = join(root, 'usr/lib/llvm-19');
  for (const name of readdirSync(join(llvm, 'bin'))) {
    // Clang finds its headers beside its own name, but by default resolves the name first, and
    // finds the loader.
    const flag = /^clang(\+\+)?$/.test(name) ? ' -no-canonical-prefixes' : '';
    writeScript(
      join(tools, 'llvm/bin', name),
      `${start(join(llvm, 'bin', name), '"$0"')}${flag} "$@"`,
    );
  }
  symlinkSync(join(llvm, 'lib'), join(tools, 'llvm/lib'));

  const usrBin = join(root, 'usr/bin');
  for (const name of readdirSync(usrBin).filter((name) => /^wasm[-2]/.test(name))) {
    writeScript(join(tools, 'binaryen/bin', name), `${start(join(usrBin, name), '"$0"')} "$@"`);
  }
  // The Node on the PATH at the time of the build, because versions change.
  writeScript(join(tools, 'node'), 'exec node "$@"');
  writeScript(join(tools, 'ninja/ninja'), `${start(join(usrBin, 'ninja'), '"$0"')} "$@"`);
}

function writeEmscripten(root, emscripten, start) {
  const program = join(root, 'usr/bin/python3');
  const python = start(program, program);
  for (const name of readdirSync(emscripten).filter((name) => /^em.*\.py$/.test(name))) {
    const entry = join(emscripten, basename(name, '.py'));
    rmSync(entry, { force: true });
    writeScript(entry, `${python} -E '${entry}.py' "$@"`);
  }
}

function configureEmscripten(emscripten, tools) {
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
