/**
 * The filters that the service has: comparisons of a property with a value, and, or, not.
 *
 * @module
 */

import { invalidInput } from '../base/errors.js';
import { shown } from '../base/shown.js';

const LITERALS = /(?:\b(?:datetime|guid|binary|X))?'(?:[^']|'')*'/gi;
const OPERATORS = ['and', 'or', 'eq', 'ne', 'gt', 'ge', 'lt', 'le'];

/**
 * Returns a filter for the service.
 *
 * @throws {@link TableError} `InvalidInput`, if only local accounts can answer it.
 */
export function serviceFilter(filter: string | undefined): string | undefined {
  if (filter === undefined) return undefined;
  const found = otherIn(filter.replace(LITERALS, '0'));
  if (found === undefined) return filter;
  throw invalidInput(
    `A remote account cannot filter with ${shown(found)}: the service compares properties with ` +
      'values, and has and, or and not. Only the tables of openAccount() have more.',
  );
}

/** The first function, path or operator that the service does not have. */
function otherIn(text: string): string | undefined {
  const words = text.match(/[()]|[^\s()]+/g) ?? [];
  let isOperand = false;
  for (const [at, word] of words.entries()) {
    if (word === '(' || word === ')') continue;
    if (isOperand) {
      if (!OPERATORS.includes(word)) return word;
      isOperand = false;
    } else if (word !== 'not') {
      if (words[at + 1] === '(' || word.includes('/')) return word;
      isOperand = true;
    }
  }
  return undefined;
}
