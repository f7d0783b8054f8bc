/**
 * The WebAssembly module of pages, as a file.
 *
 * @module
 */

import type { WasmSource } from './core/compile.js';
import type { CoreModule } from './core/module.js';
import { loadFrom } from './shared.js';

/**
 * Returns a new instance.
 *
 * @param given - by default `entitable.wasm`, beside the script that holds this code.
 * @throws {@link TableError} `ModuleAborted`, with the cause, if it cannot be loaded.
 */
export function loadModule(given?: WasmSource): Promise<CoreModule> {
  return loadFrom(given, {
    // Bundlers find the file by this very expression.
    source: () => new URL('./entitable.wasm', import.meta.url),
    inlineEntry: 'entitable/inline',
  });
}
