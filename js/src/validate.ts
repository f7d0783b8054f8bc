/**
 * Checks of entities, names and keys without an account: for a form, or before an import.
 *
 * @module
 */

import type { WasmSource } from './core/instantiate.js';
import { loadModule } from './core/load.js';
import { PROFILE_OPTIONS } from './option-names.js';
import { checkedOptions } from './options.js';
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
 * @throws {@link TableError} `InvalidInput`, if an option is unknown; `ModuleAborted`, with the cause,
 * if the module cannot be loaded.
 */
export async function loadValidator(options?: ValidatorOptions): Promise<Validator> {
  const kinds = { wasm: 'any', ...PROFILE_OPTIONS } as const;
  const { wasm, profile, onWarning } = checkedOptions('loadValidator', options, kinds);
  return new Validator(await loadModule(wasm), { profile, onWarning });
}
