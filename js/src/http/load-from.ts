/**
 * Instances of the WebAssembly module that has the HTTP front.
 *
 * @module
 */

import createModule from '#entitable-http-core';

import type { ModulePlace, WasmSource } from '../core/compile.js';
import { instantiateModule } from '../core/instantiate.js';
import type { CoreModule } from '../core/module.js';

const KIND = { file: 'entitable-http.wasm', hasHttp: true };

/**
 * Returns a new instance.
 *
 * @param given - the option `wasm`.
 * @param place - where the module is, if that option is not given.
 * @throws {@link TableError} `ModuleAborted`, with the cause, if it cannot be loaded.
 * @internal
 */
export function loadFrom(given: WasmSource | undefined, place: ModulePlace): Promise<CoreModule> {
  return instantiateModule(createModule, KIND, given, place);
}
