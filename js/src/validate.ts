/**
 * Checks of entities, names and keys without an account: for a form, or before an import.
 *
 * @module
 */

import type { WasmSource } from './core/instantiate.js';
import { loadModule } from './core/load.js';
import { Validator, type ProfileOptions } from './validator.js';

/** What {@link loadValidator} takes. */
export interface ValidatorOptions extends ProfileOptions {
  /** Where `entitable.wasm` is; by default beside the script, where bundlers put it. */
  readonly wasm?: WasmSource | undefined;
}

/**
 * Loads the module, after which every check is a plain call.
 *
 * @example
 * ```ts
 * const validator = await loadValidator();
 * const [first] = validator.validateEntity({ partitionKey: 'p', rowKey: 'a/b' });
 * console.log(first?.rule, first?.path, first?.position); // key-character rowKey 1
 * ```
 * @throws {@link TableError} `ModuleAborted`, with the cause, if the module cannot be loaded.
 */
export async function loadValidator({
  wasm,
  ...options
}: ValidatorOptions = {}): Promise<Validator> {
  return new Validator(await loadModule(wasm), options);
}
