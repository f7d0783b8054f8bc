/**
 * What a form gets after it is bound, in one script.
 *
 * @module
 */

export { alertPlace, errorPlace, showAt, unmark } from './error-place.js';
export { addHints, brokenRule } from './hints.js';
