/**
 * The validator that was made last. Declared tables use it, so that validation needs no account.
 * This module is one script of the package, so all entries share the validator.
 *
 * @module
 */

import type { Validator } from './validator.js';

let latest: Validator | undefined;

/** Returns undefined if no module was loaded yet. */
export const latestValidator = (): Validator | undefined => latest;

/** Makes a validator the latest one. */
export function becomeLatest(validator: Validator): Validator {
  latest = validator;
  return validator;
}
