// wasm.ts - the built module, as bytes, in Node and in the browser.

export async function wasmBytes(): Promise<Uint8Array<ArrayBuffer>> {
  const address = new URL('../../../build/js/entitable.wasm', import.meta.url);
  if (address.protocol !== 'file:') {
    return new Uint8Array(await (await fetch(address)).arrayBuffer());
  }
  const name = 'node:fs/promises';
  const { readFile } = await import(/* @vite-ignore */ name);
  return new Uint8Array(await readFile(address));
}
