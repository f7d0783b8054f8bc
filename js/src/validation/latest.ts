/**
 * The validator that was made last. Validation of declared tables uses it, because it needs no
 * account of its own. It is one file of the package, so that every entry knows the same validator.
 *
 * @module
 */

import type { Validator } from './validator.js';

let latest: Validator | undefined;

/** Undefined, if no module was loaded yet. */
export const latestValidator = (): Validator | undefined => latest;

/** Makes a validator the latest one. */
export function becomeLatest(validator: Validator): Validator {
  latest = validator;
  return validator;
}
