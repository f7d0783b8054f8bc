/**
 * The first byte of each value of an encrypted store. No other value begins with it.
 *
 * @module
 */

export const SEALED = 0xe1;
