// wasm.ts - the built modules, as bytes, in Node and in the browser.

export const wasmBytes = () =>
  bytesAt(new URL('../../../build/js/entitable.wasm', import.meta.url));

/** Of the module that verifies and repairs. */
export const verifyWasmBytes = () =>
  bytesAt(new URL('../../../build/js/entitable-verify.wasm', import.meta.url));

/** Of the module with sync. */
export const syncWasmBytes = () =>
  bytesAt(new URL('../../../build/js/entitable-sync.wasm', import.meta.url));

async function bytesAt(address: URL): Promise<Uint8Array<ArrayBuffer>> {
  if (address.protocol !== 'file:') {
    return new Uint8Array(await (await fetch(address)).arrayBuffer());
  }
  const name = 'node:fs/promises';
  const { readFile } = await import(/* @vite-ignore */ name);
  return new Uint8Array(await readFile(address));
}
