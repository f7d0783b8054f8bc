// wasm.ts - the built modules, as bytes, in Node and in the browser. All callers share the bytes,
// so that a module is compiled once. A test that changes them takes a copy.

export const wasmBytes = () =>
  bytesAt(new URL('../../../build/js/entitable.wasm', import.meta.url));

/** Of the module that verifies and repairs. */
export const verifyWasmBytes = () =>
  bytesAt(new URL('../../../build/js/entitable-verify.wasm', import.meta.url));

/** Of the module with sync. */
export const syncWasmBytes = () =>
  bytesAt(new URL('../../../build/js/entitable-sync.wasm', import.meta.url));

const read = new Map<string, Promise<Uint8Array<ArrayBuffer>>>();

function bytesAt(address: URL): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = read.get(address.href) ?? readBytes(address);
  read.set(address.href, bytes);
  return bytes;
}

async function readBytes(address: URL): Promise<Uint8Array<ArrayBuffer>> {
  if (address.protocol !== 'file:') {
    return new Uint8Array(await (await fetch(address)).arrayBuffer());
  }
  const name = 'node:fs/promises';
  const { readFile } = await import(/* @vite-ignore */ name);
  return new Uint8Array(await readFile(address));
}
