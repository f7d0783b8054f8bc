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

let loadLatest: (() => Promise<Validator>) | undefined;

/**
 * Loads a validator on the module of the account that was opened last, or is being opened: so an
 * app loads one module. Undefined, if none is.
 */
export const loadOfAccount = (): Promise<Validator> | undefined => loadLatest?.();

/**
 * The account that is opened now loads a validator in this way.
 *
 * @returns a function that takes it back: the account was not opened.
 */
export function loadLatestBy(load: () => Promise<Validator>): () => void {
  loadLatest = load;
  return () => {
    if (loadLatest === load) loadLatest = undefined;
  };
}

/** Makes a validator the latest one. */
export function becomeLatest(validator: Validator): Validator {
  latest = validator;
  return validator;
}
