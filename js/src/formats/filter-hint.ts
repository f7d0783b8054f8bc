/**
 * What to write in a filter instead of an operator of other languages.
 *
 * @module
 */

const WORDS: Readonly<Record<string, string>> = {
  ...{ '=': 'eq', '==': 'eq', '===': 'eq', '!=': 'ne', '!==': 'ne', '<>': 'ne' },
  ...{ '<': 'lt', '<=': 'le', '>': 'gt', '>=': 'ge', '&&': 'and', '||': 'or', '!': 'not' },
};

/** For people; empty, if nothing is known about a filter that was refused. */
export function filterHint(filter: string): string {
  // What is in single quotes is a text.
  const code = filter.replace(/'[^']*'/g, "''");
  const sign = /[=!<>]+|&&|\|\|/.exec(code)?.[0] ?? '';
  if (Object.hasOwn(WORDS, sign)) return `In a filter, write ${WORDS[sign]} instead of ${sign}.`;
  return code.includes('"') ? "In a filter, a text has single quotes: 'Rex'." : '';
}
