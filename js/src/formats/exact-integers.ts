/**
 * Keeps the digits of integers that a number would round.
 *
 * @module
 */

/** The digits of such an integer, in the place of its value. */
export interface ExactInteger {
  readonly [DIGITS]: string;
}

// No file has a member of this name by chance.
const DIGITS = '\u0000digits';

// Every integer of fewer digits is exact.
const LONG = /\d{16}/;
const TOKENS = /"(?:[^"\\]|\\.)*"|[[\]{}]|-?\d[\d.eE+-]*/gs;
const INTEGER = /^-?\d{16,}$/;

/**
 * Parses an object. A member that is an integer of 16 digits or more is an {@link ExactInteger}.
 * Nested values are numbers, as usual.
 *
 * @throws `SyntaxError`, if it is not JSON.
 */
export function parseExactly(text: string): object {
  if (!LONG.test(text)) return JSON.parse(text) as object;
  // Marked, it would be JSON even if the text is not.
  JSON.parse(text);
  let depth = 0;
  const marked = text.replace(TOKENS, (token) => {
    if (token === '{' || token === '[') depth++;
    if (token === '}' || token === ']') depth--;
    const isMarked = depth === 1 && INTEGER.test(token);
    return isMarked ? JSON.stringify({ [DIGITS]: token }) : token;
  });
  return JSON.parse(marked) as object;
}

/** The digits of an {@link ExactInteger}; undefined for any other value. */
export function exactDigits(value: unknown): string | undefined {
  return (value as Partial<ExactInteger> | null)?.[DIGITS];
}
