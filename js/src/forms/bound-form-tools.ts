/**
 * What a form needs after it is bound, in one script.
 *
 * @module
 */

export { FieldDisplay } from './field-display.js';
export { FormMessages } from './form-messages.js';
export { nativeIssue } from './native-rules.js';
export { pressesOf } from './presses.js';
