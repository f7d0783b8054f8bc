/**
 * Arguments that may change.
 *
 * @module
 */

import type { ValueOrGetter } from './models.js';

/** The value of an argument now. No table and no options are functions. */
export function valueOf<T>(given: ValueOrGetter<T>): T {
  return typeof given === 'function' ? (given as () => T)() : given;
}
