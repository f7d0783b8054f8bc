/**
 * The WebAssembly module of pages, as text.
 *
 * @module
 */

import type { WasmSource } from './core/compile.js';
import { moduleOfText } from './core/module-text.js';
import type { CoreModule } from './core/module.js';
import { loadFrom } from './shared.js';

const source = moduleOfText(() => import('#entitable-text'));

/**
 * Returns a new instance.
 *
 * @param given - by default what `entitable.wasm` holds.
 * @throws {@link TableError} `ModuleAborted`, with the cause, if it cannot be loaded.
 */
export function loadInlineModule(given?: WasmSource): Promise<CoreModule> {
  return loadFrom(given, { source });
}
