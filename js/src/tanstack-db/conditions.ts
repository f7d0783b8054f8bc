/**
 * Translates conditions of TanStack DB into filters. A filter may select more rows than its
 * condition, but never fewer: TanStack DB checks each row again.
 *
 * @module
 */

import type { IR } from '@tanstack/db';

import { isBytes, isDate } from '../base/kinds.js';
import { wireName } from '../base/system-names.js';
import { textAfter } from '../base/text-after.js';
import { odata } from '../entity/odata.js';
import { keyNames, type Form } from './row-keys.js';

/** A condition, or a part of one. */
export type Expression = IR.BasicExpression;

// The core refuses longer filters.
const MAX_FILTER_BYTES = 32 * 1024;
// For one list of values, so that there is room for the other conditions.
const MAX_LIST_BYTES = 24 * 1024;

const OPERATORS: Readonly<Record<string, Comparison>> = {
  eq: 'eq',
  gt: 'gt',
  gte: 'ge',
  lt: 'lt',
  lte: 'le',
};
const MIRRORED: Readonly<Record<Comparison, Comparison>> = {
  eq: 'eq',
  ne: 'ne',
  gt: 'lt',
  ge: 'le',
  lt: 'gt',
  le: 'ge',
};
const OPPOSITE: Readonly<Record<Comparison, Comparison>> = {
  eq: 'ne',
  ne: 'eq',
  gt: 'le',
  ge: 'lt',
  lt: 'ge',
  le: 'gt',
};

type Comparison = 'eq' | 'ne' | 'gt' | 'ge' | 'lt' | 'le';

/** A property in a filter. */
interface Property {
  /** The stored name. */
  readonly name: string;
  /** The declared type, `Key` of a text that is a key; missing if the property is not declared. */
  readonly type?: string;
  /** Whether it is a part of the key. */
  readonly isKey?: boolean;
}

/**
 * Returns a filter that selects at least the rows that the condition selects; undefined if all rows
 * must be read.
 *
 * @param form - the form of rows, if the table is declared.
 */
export function filterOf(where: Expression | undefined, form?: Form): string | undefined {
  const filter = where && new Translation(form).filter(where, false);
  return filter && byteLength(filter) <= MAX_FILTER_BYTES ? filter : undefined;
}

/** The name of the property that an expression stands for; undefined for other expressions. */
export function propertyName(expression: Expression | undefined): string | undefined {
  if (expression?.type !== 'ref') return undefined;
  const { path, sourceAlias } = expression;
  const own = sourceAlias !== undefined && path[0] === sourceAlias ? path.slice(1) : path;
  return own.length === 1 ? own[0] : undefined;
}

class Translation {
  readonly #form: Form;

  constructor(form: Form) {
    this.#form = form;
  }

  /**
   * @param isNegated - whether to select rows for which the condition is false. An unknown
   * condition is neither true nor false.
   */
  filter(expression: Expression, isNegated: boolean): string | undefined {
    if (expression.type === 'ref') return undefined;
    if (expression.type === 'val') return constant(expression.value, isNegated);
    const { name, args } = expression;
    switch (name) {
      case 'and':
      case 'or':
        return this.#joined(args, (name === 'and') !== isNegated, isNegated);
      case 'not':
        return this.filter(args[0]!, !isNegated);
      default:
        return this.#compared(name, args, isNegated);
    }
  }

  #joined(args: readonly Expression[], isAnd: boolean, isNegated: boolean): string | undefined {
    const all = args.map((argument) => this.filter(argument, isNegated));
    const known = all.filter((filter) => filter !== undefined);
    // Without one of its parts, `and` selects more, and `or` would select less.
    if (!known.length || (!isAnd && known.length < all.length)) return undefined;
    return joined(known, isAnd ? 'and' : 'or');
  }

  #compared(
    name: string,
    [left, right]: readonly Expression[],
    isNegated: boolean,
  ): string | undefined {
    const isMirrored = left?.type === 'val';
    const [subject, operand] = isMirrored ? [right, left] : [left, right];
    const property = this.#property(propertyName(subject));
    if (!property || operand?.type !== 'val') return undefined;
    const { value } = operand as { value: unknown };
    const filter = ofProperty(property, name, value, { isMirrored, isNegated });
    return property.isKey && filter !== undefined ? this.#ofKeys(filter) : filter;
  }

  // A comparison of one of several fields selects a range of keys, or is not possible.
  #ofKeys(filter: string): string | undefined {
    try {
      return this.#form ? this.#form.names.filterOf(filter) : filter;
    } catch {
      return undefined;
    }
  }

  // Undefined if a row may have another value than the stored one.
  #property(name: string | undefined): Property | undefined {
    if (name === undefined || name === 'etag' || name === 'timestamp') return undefined;
    const rules = this.#form?.rulesOf(name);
    if (keyNames(this.#form).includes(name)) {
      const { type } = rules ?? { type: 'String' };
      return { name: wireName(name), type: type === 'String' ? 'Key' : type, isKey: true };
    }
    if (this.#form?.versions) return undefined;
    if (rules?.presence === 'default' || rules?.parted) return undefined;
    const stored = wireName(name);
    if (!FILTERABLE_NAME.test(stored)) return undefined;
    return rules ? { name: stored, type: rules.type } : { name: stored };
  }
}

function ofProperty(
  property: Property,
  name: string,
  value: unknown,
  { isMirrored, isNegated }: { isMirrored: boolean; isNegated: boolean },
): string | undefined {
  const operator = OPERATORS[name];
  if (operator) {
    const mirrored = isMirrored ? MIRRORED[operator] : operator;
    return comparison(property, isNegated ? OPPOSITE[mirrored] : mirrored, value);
  }
  if (isMirrored) return undefined;
  if (name === 'in' && Array.isArray(value)) return oneOf(property, value, isNegated);
  if (name === 'like' && typeof value === 'string' && !isNegated) return like(property, value);
  return undefined;
}

// A filter does not read other names as properties.
const FILTERABLE_NAME = /^(?!(?:true|false|null|not|nan|inf|infinity)$)[a-z_]\w*$/i;

const byteLength = (filter: string) => new TextEncoder().encode(filter).length;

const joined = (filters: readonly string[], word: string) =>
  filters.length === 1 ? filters[0]! : `(${filters.join(` ${word} `)})`;

// A value that is neither true nor false is unknown. Its negation is unknown, too.
const constant = (value: unknown, isNegated: boolean) => `${value === !isNegated}`;

/** A comparison of a property with a value that is not converted. */
function comparison(property: Property, operator: Comparison, value: unknown): string | undefined {
  if (value === null || value === undefined) return 'false';
  if (typeof value === 'string') return ofText(property, operator, value);
  // A value of another type is never equal to a key, but may be less.
  if (property.type === 'Key') return operator === 'eq' ? 'false' : undefined;
  if (typeof value === 'number' || typeof value === 'bigint') {
    return ofNumber(property, operator, value);
  }
  const isEquality = operator === 'eq' || operator === 'ne';
  if (typeof value === 'boolean') return isEquality ? clause(property, operator, value) : undefined;
  if (isDate(value)) return ofDate(property, operator, value);
  return isBytes(value) && operator === 'eq' ? clause(property, operator, value) : undefined;
}

const clause = ({ name }: Property, operator: Comparison, value: unknown) =>
  `${name} ${operator} ${odata`${value}`}`;

function ofText(property: Property, operator: Comparison, value: string): string | undefined {
  const { type } = property;
  // No stored text is ill-formed, and a filter cannot contain an ill-formed text.
  if (!isWellFormed(value)) return operator === 'eq' ? 'false' : undefined;
  // A row has a Guid as a text. It has a DateTime as a text if the table is declared so.
  if (type === 'DateTime') return undefined;
  if (type !== 'Guid') return clause(property, operator, value);
  if (operator !== 'eq') return undefined;
  const own = clause(property, operator, value);
  if (!GUID.test(value)) return own;
  return joined([own, clause(property, operator, { type: 'Guid', value })], 'or');
}

const isWellFormed = (value: string) => !/\p{Surrogate}/u.test(value);

const GUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

// The core compares an Int32 literal with every stored number, an Int64 literal with Int64 and
// Double, and a Double literal with Double alone. A number of another type counts as less than the
// literal, whatever its value: no `gt` selects it, and every `lt` does. So a literal that is not an
// Int32 needs more comparisons, with literals of the other types.
function ofNumber(
  property: Property,
  operator: Comparison,
  value: number | bigint,
): string | undefined {
  const number = Number(value);
  // In TanStack DB, a bigint is not equal to the same number.
  if (operator === 'ne' || !Number.isFinite(number)) return undefined;
  if (isInt32(number)) return clause(property, operator, number);
  if (typeof value === 'bigint' && !isInt64(value)) return undefined;
  // The integer may be stored as an Int64 that reads return as a number.
  const isInteger = Number.isInteger(number) && Math.abs(number) < 2 ** 63;
  if (operator === 'eq') return clause(property, 'eq', isInteger ? BigInt(value) : value);
  const own = clause(property, operator, value);
  const isLower = operator === 'gt' || operator === 'ge';
  const others = integersBeside(value).map((integer) =>
    clause(property, isLower ? 'ge' : 'le', integer),
  );
  return joined([own, ...others], isLower ? 'or' : 'and');
}

const isInt32 = (value: number) => value === (value | 0);
const isInt64 = (value: bigint) => value === BigInt.asIntN(64, value);
const MIN_INT32 = -(2 ** 31);

// The least integers that are not less than the number: one as an Int64 literal, one as an Int32
// literal. A number above all integers of a type needs no such literal: every stored integer of the
// type counts as less already.
function integersBeside(value: number | bigint): (number | bigint)[] {
  const integer = BigInt(typeof value === 'number' ? Math.ceil(value) : value);
  const integers: (number | bigint)[] = [];
  if (typeof value === 'number' && !isInt32(Number(integer)) && integer < 2n ** 63n) {
    integers.push(isInt64(integer) ? integer : -(2n ** 63n));
  }
  if (integer < 2n ** 31n) integers.push(Math.max(Number(integer), MIN_INT32));
  return integers;
}

// A stored time may have more digits than the milliseconds of a Date.
function ofDate(property: Property, operator: Comparison, date: Date): string | undefined {
  const [start, end] = [date, new Date(date.getTime() + 1)];
  if (![start, end].every(isStorable)) return undefined;
  const from = clause(property, 'ge', start);
  const until = clause(property, 'lt', end);
  // In a row of a declared table, a stored text may be a Date.
  const orText = (filter: string) =>
    property.type && !property.isKey ? joined([filter, clause(property, 'ge', '')], 'or') : filter;
  switch (operator) {
    case 'eq':
      return orText(joined([from, until], 'and'));
    case 'ge':
      return orText(from);
    case 'gt':
      return orText(clause(property, 'ge', end));
    case 'lt':
      return clause(property, 'lt', start);
    case 'le':
      return until;
    case 'ne':
      return undefined;
  }
}

const isStorable = (date: Date) => {
  const year = date.getUTCFullYear();
  return year > 1600 && year < 10_000;
};

function oneOf(
  property: Property,
  values: readonly unknown[],
  isNegated: boolean,
): string | undefined {
  const given = values.filter((value) => value !== null && value !== undefined);
  if (!given.length) return isNegated ? undefined : 'false';
  const filters = given.map((value) => comparison(property, isNegated ? 'ne' : 'eq', value));
  const known = filters.filter((filter) => filter !== undefined);
  if (known.length < filters.length) return undefined;
  const list = joined(known, isNegated ? 'and' : 'or');
  if (byteLength(list) <= MAX_LIST_BYTES) return list;
  if (isNegated || property.type === 'Guid') return undefined;
  return between(property, given);
}

// Only for texts, because texts have one order.
function between(property: Property, values: readonly unknown[]): string | undefined {
  if (!values.every((value) => typeof value === 'string')) return undefined;
  if (!values.every(isWellFormed)) return undefined;
  const sorted = [...values].sort();
  const bounds = [clause(property, 'ge', sorted[0]), clause(property, 'le', sorted.at(-1))];
  return joined(bounds, 'and');
}

// `%` stands for any text, `_` for one character.
function like(property: Property, pattern: string): string | undefined {
  const prefix = /^[^%_]*/.exec(pattern)![0];
  if (prefix === pattern) return ofText(property, 'eq', pattern);
  const start = ofText(property, 'ge', prefix);
  const after = textAfter(prefix);
  if (start === undefined || after === undefined) return start;
  return joined([start, clause(property, 'lt', after)], 'and');
}
