/**
 * The WebAssembly module for servers, as a file.
 *
 * @module
 */

import createModule from '#entitable-server-core';

import type { WasmSource } from '../core/compile.js';
import { instantiateModule } from '../core/instantiate.js';
import type { CoreModule } from '../core/module.js';

const KIND = { file: 'entitable-server.wasm', hasHttp: true };

/**
 * Returns a new instance: what `loadHttpModule()` returns, compiled for speed.
 *
 * @param given - by default `entitable-server.wasm`, beside the script that holds this code.
 * @throws {@link TableError} `ModuleAborted`, with the cause, if it cannot be loaded.
 */
export function loadServerModule(given?: WasmSource): Promise<CoreModule> {
  return instantiateModule(createModule, KIND, given, {
    source: () => new URL('./entitable-server.wasm', import.meta.url),
  });
}
