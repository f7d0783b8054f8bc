/**
 * Arguments that may change.
 *
 * @module
 */

import type { ValueOrGetter } from './models.js';

/** The current value of an argument. A function is a getter, because no argument is a function. */
export function valueOf<T>(given: ValueOrGetter<T>): T {
  return typeof given === 'function' ? (given as () => T)() : given;
}
