/**
 * Checks of entities, names and keys without an account: for a form, or before an import.
 *
 * @module
 */

import type { WasmSource } from './core/compile.js';
import type { CoreModule } from './core/module.js';
import { PROFILE_OPTIONS } from './option-names.js';
import { checkedOptions } from './options.js';
import { Validator, type ProfileOptions } from './validator.js';

/** What `loadValidator()` takes. */
export interface ValidatorOptions extends ProfileOptions {
  /** Where `entitable.wasm` is; by default beside the script, where bundlers put it. */
  readonly wasm?: WasmSource | undefined;
}

/**
 * What `loadValidator()` of an entry does, with the module of that entry.
 *
 * @internal
 */
export async function validatorWith(
  loadModule: (source?: WasmSource) => Promise<CoreModule>,
  options: ValidatorOptions | undefined,
): Promise<Validator> {
  const kinds = { wasm: 'module', ...PROFILE_OPTIONS } as const;
  const { wasm, profile, onWarning } = checkedOptions('loadValidator', options, kinds);
  return new Validator(await loadModule(wasm), { profile, onWarning });
}
