// aborting-module.mjs - preloaded by a server: from SIGUSR2 on, every WebAssembly module aborts at
// its next call.

import process from 'node:process';

let aborts = false;
process.on('SIGUSR2', () => (aborts = true));

const { instantiate } = WebAssembly;

WebAssembly.instantiate = async (module, imports) => {
  const { exports } = await instantiate(module, imports);
  const mapped = Object.entries(exports).map(([name, value]) => [name, abortable(value)]);
  return { exports: Object.fromEntries(mapped) };
};

// Methods of classes are called through the table of functions.
function abortable(value) {
  if (value instanceof WebAssembly.Table) return { get: (place) => abortable(value.get(place)) };
  if (typeof value !== 'function') return value;
  return (...values) => {
    if (aborts) throw new WebAssembly.RuntimeError('unreachable');
    return value(...values);
  };
}
