/**
 * What to write instead of an operator of other languages in a filter.
 *
 * @module
 */

import { isTableError } from '../base/errors.js';
import { failureText } from './failure-text.js';

const WORDS: Readonly<Record<string, string>> = {
  ...{ '=': 'eq', '==': 'eq', '===': 'eq', '!=': 'ne', '!==': 'ne', '<>': 'ne' },
  ...{ '<': 'lt', '<=': 'le', '>': 'gt', '>=': 'ge', '&&': 'and', '||': 'or', '!': 'not' },
};

/** Runs a read with a filter. A refusal of the filter says what to write instead. */
export async function withFilterHint<T>(
  filter: string | undefined,
  read: () => Promise<T>,
): Promise<T> {
  try {
    return await read();
  } catch (error) {
    const hint = isTableError(error) && error.statusCode === 400 ? hintFor(filter ?? '') : '';
    throw hint ? new Error(`${failureText(error)} ${hint}`, { cause: error }) : error;
  }
}

function hintFor(filter: string): string {
  // What is in single quotes is a text.
  const code = filter.replace(/'[^']*'/g, "''");
  const sign = /[=!<>]+|&&|\|\|/.exec(code)?.[0] ?? '';
  if (Object.hasOwn(WORDS, sign)) return `In a filter, write ${WORDS[sign]} instead of ${sign}.`;
  return code.includes('"') ? "In a filter, a text has single quotes: 'Rex'." : '';
}
