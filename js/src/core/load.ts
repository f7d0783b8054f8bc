/**
 * Finds the WebAssembly module.
 *
 * @module
 */

import createModule from '#entitable-core';

import { instantiateModule, type WasmSource } from './instantiate.js';
import type { CoreModule } from './module.js';

/**
 * Returns a new instance.
 *
 * @param source - by default `entitable.wasm`, beside the script that holds this code.
 * @throws {@link TableError} `ModuleAborted`, with the cause, if it cannot be loaded.
 */
export async function loadModule(source?: WasmSource): Promise<CoreModule> {
  // Bundlers find the file by this very expression.
  return instantiateModule(
    createModule,
    source,
    () => new URL('./entitable.wasm', import.meta.url),
  );
}
