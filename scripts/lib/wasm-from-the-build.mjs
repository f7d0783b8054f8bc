// wasm-from-the-build.mjs - a Vite plugin for programs that import the sources of the package. In
// the package the module is beside the script that loads it; in the work tree it is in build/js.
// There the script of a worker is TypeScript.

const MODULE = /'\.\/(entitable[\w-]*\.wasm)'/g;
const WORKER = /(?<=new Worker\(new URL\('\.\/account-worker)\.js/;

export const wasmFromTheBuild = {
  name: 'wasm-from-the-build',
  /** @type {const} */ enforce: 'pre',
  transform(code, id) {
    const folders = /\/js\/src\/((?:\w+\/)*)[\w-]+\.ts/.exec(id)?.[1];
    if (folders === undefined) return undefined;
    const root = '../'.repeat(1 + folders.split('/').length);
    // The changes are within lines, so the source map stays right.
    const moved = code.replace(MODULE, `'${root}build/js/$1'`).replace(WORKER, '.ts');
    return moved === code ? undefined : { code: moved, map: null };
  },
};
