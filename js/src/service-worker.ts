/**
 * All of the main entry in one script: nothing in it is loaded later, which service workers forbid.
 *
 * @module
 */

export * from './index.js';
