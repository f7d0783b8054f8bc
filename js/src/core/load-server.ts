/**
 * Finds the WebAssembly module for servers.
 *
 * @module
 */

import createModule from '#entitable-server-core';

import { instantiateModule, type WasmSource } from './instantiate.js';
import type { CoreModule } from './module.js';

/**
 * Returns a new instance: what `loadHttpModule()` returns, compiled for speed.
 *
 * @param source - by default `entitable-server.wasm`, beside the script that holds this code.
 * @throws {@link TableError} `ModuleAborted`, with the cause, if it cannot be loaded.
 */
export async function loadServerModule(source?: WasmSource): Promise<CoreModule> {
  // Bundlers find the file by this very expression.
  return instantiateModule(
    createModule,
    source,
    () => new URL('./entitable-server.wasm', import.meta.url),
  );
}
