/**
 * Finds the WebAssembly module that has the HTTP front.
 *
 * @module
 */

import createModule from '#entitable-http-core';

import { instantiateModule, type WasmSource } from './instantiate.js';
import type { CoreModule } from './module.js';

/**
 * Returns a new instance.
 *
 * @param source - by default `entitable-http.wasm`, beside the script that holds this code.
 * @throws {@link TableError} `ModuleAborted`, with the cause, if it cannot be loaded.
 */
export async function loadHttpModule(source?: WasmSource): Promise<CoreModule> {
  // Bundlers find the file by this very expression.
  return instantiateModule(
    createModule,
    source,
    () => new URL('./entitable-http.wasm', import.meta.url),
  );
}
