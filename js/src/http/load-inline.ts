/**
 * The WebAssembly module that has the HTTP front, as text.
 *
 * @module
 */

import type { WasmSource } from '../core/compile.js';
import { moduleOfText } from '../core/module-text.js';
import type { CoreModule } from '../core/module.js';
import { loadFrom } from './shared.js';

const source = moduleOfText(() => import('#entitable-http-text'));

/**
 * Returns a new instance.
 *
 * @param given - by default what `entitable-http.wasm` holds.
 * @throws {@link TableError} `ModuleAborted`, with the cause, if it cannot be loaded.
 */
export function loadInlineHttpModule(given?: WasmSource): Promise<CoreModule> {
  return loadFrom(given, { source });
}
