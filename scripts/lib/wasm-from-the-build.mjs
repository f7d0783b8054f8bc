// wasm-from-the-build.mjs - a Vite plugin for programs that import the sources of the package. In
// the package the module is beside the script that loads it; in the work tree it is in build/js.

const MODULE = /'\.\/(entitable[\w-]*\.wasm)'/;

export const wasmFromTheBuild = {
  name: 'wasm-from-the-build',
  /** @type {const} */ enforce: 'pre',
  transform(code, id) {
    const folders = /\/js\/src\/((?:\w+\/)*)[\w-]+\.ts/.exec(id)?.[1];
    if (folders === undefined || !MODULE.test(code)) return undefined;
    const root = '../'.repeat(1 + folders.split('/').length);
    // The change is within a line, so the source map stays right.
    return { code: code.replace(MODULE, `'${root}build/js/$1'`), map: null };
  },
};
