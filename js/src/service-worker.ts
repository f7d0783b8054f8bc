/**
 * The whole main entry in one script. It loads nothing later, which service workers forbid.
 *
 * @module
 */

export * from './index.js';
