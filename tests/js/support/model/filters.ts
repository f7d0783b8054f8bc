// filters.ts - filters of both dialects as trees: their texts, and what they find.
//
// Sources: queries of the spec, 3.2 to 3.6; docs/reference/filters.md.

import { compared, isNumber, literalOf, ticksOf, type Value } from './values.js';

export type Dialect = 'service' | 'extended';
export type Operator = 'eq' | 'ne' | 'gt' | 'ge' | 'lt' | 'le';
export type TextTest = 'startswith' | 'endswith' | 'contains';
export type Arithmetic = 'add' | 'sub' | 'mul' | 'div' | 'mod';
export type Call = 'tolower' | 'toupper' | 'length' | DatePart;
type DatePart = 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second';

export type Operand =
  | { kind: 'property'; name: string }
  | { kind: 'literal'; value: Value }
  | { kind: 'call'; call: Call; of: Operand }
  | { kind: 'arithmetic'; operator: Arithmetic; a: Operand; b: Operand };

export type Filter =
  | { kind: 'and' | 'or'; parts: readonly Filter[] }
  | { kind: 'not'; of: Filter }
  | { kind: 'constant'; is: boolean }
  | { kind: 'flag'; name: string }
  | { kind: 'comparison'; operator: Operator; a: Operand; b: Operand }
  | { kind: 'in'; of: Operand; list: readonly Value[] }
  | { kind: 'test'; test: TextTest; of: Operand; part: Operand; is?: boolean | undefined };

/** The values of an entity by the names that filters use. */
export type Values = (name: string) => Value | undefined;

// ------------------------------------------------------------------------ text

function textOfOperand(operand: Operand): string {
  switch (operand.kind) {
    case 'property':
      return operand.name;
    case 'literal':
      return literalOf(operand.value);
    case 'call':
      return `${operand.call}(${textOfOperand(operand.of)})`;
    case 'arithmetic':
      return `(${textOfOperand(operand.a)} ${operand.operator} ${textOfOperand(operand.b)})`;
  }
}

/** The text of a filter. */
export function textOf(filter: Filter): string {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.parts.map((part) => `(${textOf(part)})`).join(` ${filter.kind} `);
    case 'not':
      return `not (${textOf(filter.of)})`;
    case 'constant':
      return `${filter.is}`;
    case 'flag':
      return filter.name;
    case 'comparison':
      return `${textOfOperand(filter.a)} ${filter.operator} ${textOfOperand(filter.b)}`;
    case 'in':
      return `${textOfOperand(filter.of)} in (${filter.list.map(literalOf).join(', ')})`;
    case 'test': {
      const { test, of, part, is } = filter;
      const call = `${test}(${textOfOperand(of)},${textOfOperand(part)})`;
      return is === undefined ? call : `${call} eq ${is}`;
    }
  }
}

// ------------------------------------------------------------------ evaluation

/** Whether an entity fits. */
export function fits(filter: Filter, dialect: Dialect, values: Values): boolean {
  switch (filter.kind) {
    case 'and':
      return filter.parts.every((part) => fits(part, dialect, values));
    case 'or':
      return filter.parts.some((part) => fits(part, dialect, values));
    case 'not':
      return !fits(filter.of, dialect, values);
    case 'constant':
      return filter.is;
    case 'flag': {
      const value = values(filter.name);
      return value?.type === 'Boolean' && value.value;
    }
    case 'comparison':
      return (dialect === 'service' ? fitsService : fitsByValue)(filter, values);
    case 'in': {
      const found = valueOf(filter.of, values);
      return !!found && filter.list.some((one) => compared(found, one) === 0);
    }
    case 'test':
      return passes(filter, values) === (filter.is ?? true);
  }
}

const MIRRORED = { eq: 'eq', ne: 'ne', gt: 'lt', ge: 'le', lt: 'gt', le: 'ge' } as const;

function holds(operator: Operator, order: number | undefined): boolean {
  if (order === undefined) return operator === 'ne';
  if (operator === 'eq' || operator === 'ne') return (order === 0) === (operator === 'eq');
  if (order === 0) return operator === 'ge' || operator === 'le';
  return order < 0 === operator.startsWith('l');
}

type Comparison = Extract<Filter, { kind: 'comparison' }>;

// One operand is a property, and the other a literal.
function fitsService({ operator, a, b }: Comparison, values: Values): boolean {
  if (a.kind === 'literal') {
    return fitsService({ kind: 'comparison', operator: MIRRORED[operator], a: b, b: a }, values);
  }
  const value = valueOf(a, values);
  const literal = valueOf(b, values)!;
  if (!value) return false;
  const WIDTHS = ['Int32', 'Int64', 'Double'];
  const isWider =
    isNumber(value) &&
    isNumber(literal) &&
    WIDTHS.indexOf(literal.type) <= WIDTHS.indexOf(value.type);
  if (literal.type !== value.type && !isWider) return ['ne', 'lt', 'le'].includes(operator);
  const isDouble = value.type === 'Double';
  const widened: Value = isDouble ? { type: 'Double', value: Number(literal.value) } : literal;
  return holds(operator, compared(value, widened));
}

function fitsByValue({ operator, a, b }: Comparison, values: Values): boolean {
  const [one, other] = [valueOf(a, values), valueOf(b, values)];
  if (!one || !other) return false;
  const haveOrder = one.type === other.type || (isNumber(one) && isNumber(other));
  return haveOrder && holds(operator, compared(one, other));
}

function passes({ test, of, part }: Extract<Filter, { kind: 'test' }>, values: Values): boolean {
  const [text, searched] = [valueOf(of, values), valueOf(part, values)];
  if (text?.type !== 'String' || searched?.type !== 'String') return false;
  if (test === 'contains') return text.value.includes(searched.value);
  return test === 'endswith'
    ? text.value.endsWith(searched.value)
    : text.value.startsWith(searched.value);
}

function valueOf(operand: Operand, values: Values): Value | undefined {
  switch (operand.kind) {
    case 'property':
      return values(operand.name);
    case 'literal':
      return operand.value;
    case 'call':
      return resultOf(operand.call, valueOf(operand.of, values));
    case 'arithmetic': {
      const [a, b] = [valueOf(operand.a, values), valueOf(operand.b, values)];
      if (!a || !b || !isNumber(a) || !isNumber(b)) return undefined;
      return a.type === 'Double' || b.type === 'Double'
        ? { type: 'Double', value: real(operand.operator, Number(a.value), Number(b.value)) }
        : whole(operand.operator, BigInt(a.value as number), BigInt(b.value as number));
    }
  }
}

function real(operator: Arithmetic, a: number, b: number): number {
  const results = { add: a + b, sub: a - b, mul: a * b, div: a / b, mod: a % b };
  return results[operator];
}

function whole(operator: Arithmetic, a: bigint, b: bigint): Value | undefined {
  if (b === 0n && (operator === 'div' || operator === 'mod')) return undefined;
  const operations = {
    add: () => a + b,
    sub: () => a - b,
    mul: () => a * b,
    div: () => a / b,
    mod: () => a % b,
  };
  const value = operations[operator]();
  return BigInt.asIntN(64, value) === value ? { type: 'Int64', value } : undefined;
}

// Letter by letter, where one letter becomes one.
function cased(text: string, change: (letter: string) => string): Value {
  const letters = Array.from(text, (letter) => {
    const other = change(letter);
    return Array.from(other).length === 1 ? other : letter;
  });
  return { type: 'String', value: letters.join('') };
}

function resultOf(call: Call, of: Value | undefined): Value | undefined {
  if (of?.type === 'String') {
    if (call === 'tolower') return cased(of.value, (letter) => letter.toLowerCase());
    if (call === 'toupper') return cased(of.value, (letter) => letter.toUpperCase());
    return call === 'length' ? { type: 'Int32', value: of.value.length } : undefined;
  }
  if (of?.type !== 'DateTime' || !(call in DATE_PARTS)) return undefined;
  return { type: 'Int32', value: datePartOf(call as DatePart, of.value) };
}

const DATE_PARTS: Record<DatePart, [from: number, to: number]> = {
  year: [0, 4],
  month: [5, 7],
  day: [8, 10],
  hour: [11, 13],
  minute: [14, 16],
  second: [17, 19],
};

function datePartOf(part: DatePart, time: Date | string): number {
  const milliseconds = Number(ticksOf(time) / 10_000n);
  const isBefore = ticksOf(time) < 0n && ticksOf(time) % 10_000n !== 0n;
  const text = new Date(milliseconds - (isBefore ? 1 : 0)).toISOString();
  return Number(text.slice(...DATE_PARTS[part]));
}
