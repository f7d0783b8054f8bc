/**
 * Loads the module for a validator.
 *
 * @module
 */

import { checkedOptions } from '../base/options.js';
import { loadModule, type EntryModule } from '../core/load-module.js';
import { becomeLatest } from './latest.js';
import { PROFILE_OPTIONS, Validator, type ValidatorOptions } from './validator.js';

/**
 * `loadValidator()` of every entry.
 *
 * @internal
 */
export async function loadValidatorWith(
  entry: EntryModule,
  options: ValidatorOptions | undefined,
): Promise<Validator> {
  const kinds = { wasm: 'module', ...PROFILE_OPTIONS } as const;
  const { wasm, profile, onWarning } = checkedOptions('loadValidator', options, kinds);
  return becomeLatest(new Validator(await loadModule(entry, wasm), { profile, onWarning }));
}
