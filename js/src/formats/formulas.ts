/**
 * Cells that a spreadsheet would take for formulas. An apostrophe before them makes texts of them.
 *
 * A text that has apostrophes before such a beginning gets one more. So each value comes back if
 * one apostrophe is taken away wherever there are any.
 *
 * @module
 */

// Excel takes the wide characters for the usual ones, and a cell may begin after a tab or the end
// of a line.
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/;
const GUARDED = /^'+[=+\-@\t\r\n＝＋－＠]/;

// A negative number is no formula.
const NUMBER = /^-(?:\d+(?:\.\d+)?(?:e[+-]?\d+)?|Infinity)$/i;

/** Puts an apostrophe before a formula. */
export const withGuard = (text: string): string =>
  FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;

/** Takes the apostrophe away that {@link withGuard} has put there. */
export const withoutGuard = (text: string): string => (GUARDED.test(text) ? text.slice(1) : text);
