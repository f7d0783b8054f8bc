/**
 * Suggests how a filter goes on: names of properties, operators, values, `and` and `or`.
 *
 * @module
 */

import type { EdmTypes } from 'entitable';

import type { Column } from './columns.js';

export interface Suggestion {
  readonly text: string;
  /** What it is: the type of a property, or the meaning of an operator. */
  readonly about: string;
}

export interface Completion {
  /** Where the word begins that a suggestion replaces. */
  readonly start: number;
  /** Where the word ends. */
  readonly end: number;
  readonly suggestions: readonly Suggestion[];
}

const MAX_SUGGESTIONS = 12;

// Longer values are seldom typed.
const MAX_VALUE_LENGTH = 40;

const OPERATORS: readonly Suggestion[] = [
  { text: 'eq', about: 'equal' },
  { text: 'ne', about: 'not equal' },
  { text: 'gt', about: 'greater' },
  { text: 'ge', about: 'greater or equal' },
  { text: 'lt', about: 'less' },
  { text: 'le', about: 'less or equal' },
];

const CONNECTIVES: readonly Suggestion[] = [
  { text: 'and', about: 'both' },
  { text: 'or', about: 'at least one' },
];

const KEYS: readonly Suggestion[] = [
  { text: 'PartitionKey', about: 'String' },
  { text: 'RowKey', about: 'String' },
  { text: 'Timestamp', about: 'DateTime' },
];

const NOT: Suggestion = { text: 'not', about: 'the opposite' };

// A literal with its prefix, a word, or a bracket. A text without its end is a token, too.
const TOKEN = /\w*'(?:[^']|'')*'?|[^\s()']+|[()]/g;

// Two quotes are a quote in the text.
const TEXT_WITHOUT_END = /^\w*'(?:[^']|'')*$/;

/** Suggests what may come at the end of a text. */
export function completionOf(text: string, columns: readonly Column[]): Completion {
  const tokens = Array.from(text.matchAll(TOKEN), ([token]) => token);
  const isInWord = /[^\s()]$/.test(text) || TEXT_WITHOUT_END.test(tokens.at(-1) ?? '');
  const word = isInWord ? tokens.pop()! : '';
  const isTyped = ({ text: whole }: Suggestion) =>
    whole.length > word.length && whole.toLowerCase().startsWith(word.toLowerCase());
  const suggestions = nextOf(tokens, columns).filter(isTyped).slice(0, MAX_SUGGESTIONS);
  return { start: text.length - word.length, end: text.length, suggestions };
}

function nextOf(tokens: readonly string[], columns: readonly Column[]): readonly Suggestion[] {
  const last = tokens.at(-1);
  if (last === undefined || ['(', 'and', 'or', 'not'].includes(last)) return operands(columns);
  if (OPERATORS.some(({ text }) => text === last)) return valuesOf(tokens.at(-2), columns);
  const isCompared = OPERATORS.some(({ text }) => text === tokens.at(-2));
  if (isCompared || last === ')') return CONNECTIVES;
  // A Boolean property is a condition by itself.
  const isCondition = columns.find(({ name }) => name === last)?.types.has('Boolean');
  return isCondition ? [...OPERATORS, ...CONNECTIVES] : OPERATORS;
}

function operands(columns: readonly Column[]): Suggestion[] {
  const names = columns.map(({ name, types }) => ({ text: name, about: [...types].join(', ') }));
  return [...names, ...KEYS, NOT];
}

function valuesOf(name: string | undefined, columns: readonly Column[]): Suggestion[] {
  const column = columns.find((one) => one.name === name);
  if (!column) return [];
  const [type] = column.types;
  const values = type === 'Boolean' ? ['true', 'false'] : [...column.values];
  return values
    .filter((value) => value.length <= MAX_VALUE_LENGTH)
    .map((value) => ({ text: literalOf(type!, value), about: type! }));
}

/** A value as a filter writes it. */
export function literalOf(type: EdmTypes, value: string): string {
  switch (type) {
    case 'String':
      return `'${value.replaceAll("'", "''")}'`;
    case 'Int64':
      return `${value}L`;
    case 'Double':
      return /^-?\d+$/.test(value) ? `${value}.0` : value;
    case 'DateTime':
      return `datetime'${value}'`;
    case 'Guid':
      return `guid'${value}'`;
    case 'Binary':
      return `X'${hexOf(value)}'`;
    case 'Boolean':
    case 'Int32':
      return value;
  }
}

function hexOf(base64: string): string {
  return Array.from(atob(base64), (byte) => byte.charCodeAt(0).toString(16).padStart(2, '0')).join(
    '',
  );
}
