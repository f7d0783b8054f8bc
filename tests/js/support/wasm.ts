// wasm.ts - the built modules, as bytes, in Node and in the browser.

export const wasmBytes = () =>
  bytesAt(new URL('../../../build/js/entitable.wasm', import.meta.url));

/** Of the module with the HTTP front. */
export const httpWasmBytes = () =>
  bytesAt(new URL('../../../build/js/entitable-http.wasm', import.meta.url));

async function bytesAt(address: URL): Promise<Uint8Array<ArrayBuffer>> {
  if (address.protocol !== 'file:') {
    return new Uint8Array(await (await fetch(address)).arrayBuffer());
  }
  const name = 'node:fs/promises';
  const { readFile } = await import(/* @vite-ignore */ name);
  return new Uint8Array(await readFile(address));
}
