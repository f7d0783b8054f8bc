/**
 * Builds filters of the extended dialect from the properties of a declared table.
 *
 * @module
 */

import { invalidInput } from '../base/errors.js';
import { isObject } from '../base/kinds.js';
import { shown, shownValue } from '../base/shown.js';
import { wireName } from '../base/system-names.js';
import type { EdmTypes } from '../entity/edm.js';
import { NamesOfTable } from './app-names.js';
import { isPrecise } from './constraints.js';
import type { PartedType, PropertyRules } from './properties.js';
import type { TableProperties } from './rows.js';
import type { TableDefinition } from './table-definition.js';
import { fitsType, typeText } from './values.js';
import { partedOperand, type PartedOperandOf } from './where-parts.js';
import { checkCondition, Condition, literalOf, operandsOf } from './where.js';

/** A filter of the extended dialect: options for the queries of a local account. */
export interface ExtendedFilter {
  readonly filter: string;
  readonly dialect: 'extended';
}

/** The types of a filter: only values of one type are compared. All numbers have the same one. */
export type Comparable = Exclude<EdmTypes, 'Int32' | 'Int64' | 'Double'> | 'Number';

/** @internal */
type Rules = Pick<PropertyRules, 'type' | 'constraints'>;

const DOUBLE: Rules = { type: 'Double', constraints: {} };
const WHOLE: Rules = { type: 'Int64', constraints: {} };
const TEXT: Rules = { type: 'String', constraints: {} };

// The precedences of operators: `mul` has a greater one than `add`. See also `Condition`.
const COMPARISON = 3;
const SUM = 4;
const PRODUCT = 5;
const ATOM = 6;

/**
 * A value in a filter of the extended dialect: a property, a function of it, or a calculation.
 *
 * @typeParam Type - the type of the values that it is compared with.
 * @typeParam Value - the JavaScript type of these values.
 */
export class ExtendedOperand<Type extends Comparable, Value> {
  /** @internal */
  readonly text: string;
  /** @internal */
  readonly rules: Rules;
  readonly #precedence: number;

  /** Only for the compiler, which checks that two operands have one type. */
  declare readonly '~type'?: Type;

  /** @internal */
  constructor(text: string, rules: Rules, precedence = ATOM) {
    this.text = text;
    this.rules = rules;
    this.#precedence = precedence;
  }

  eq(other: Value | ExtendedOperand<Type, never>): Condition {
    return this.compared('eq', other);
  }

  /** Not equal. A row without the property does not fit. */
  ne(other: Value | ExtendedOperand<Type, never>): Condition {
    return this.compared('ne', other);
  }

  /** Equal to one of the values. No row fits an empty list. */
  in(others: readonly (Value | ExtendedOperand<Type, never>)[]): Condition {
    if (!Array.isArray(others)) {
      throw invalidInput(`The values of in must be an array, not ${shown(others)}.`);
    }
    const list = Array.from(others, (other) => this.operand(other).within(0));
    const text = list.length > 0 ? `${this.within(SUM)} in (${list.join(',')})` : 'false';
    return new Condition(text, COMPARISON);
  }

  /** @internal */
  compared(operator: string, other: unknown): Condition {
    const right = this.operand(other).within(SUM);
    return new Condition(`${this.within(SUM)} ${operator} ${right}`, COMPARISON);
  }

  /**
   * The text as an operand of an operator with this precedence, in parentheses if it needs them.
   *
   * @internal
   */
  within(precedence: number): string {
    return this.#precedence < precedence ? `(${this.text})` : this.text;
  }

  /**
   * The other side of an operator, after a check of its type.
   *
   * @internal
   */
  operand(other: unknown): ExtendedOperand<Comparable, unknown> {
    const { rules } = this;
    if (isObject(other) && #precedence in other) {
      const value = other as ExtendedOperand<Comparable, unknown>;
      if (comparableOf(value.rules) === comparableOf(rules)) return value;
      throw this.refused(`${value.text}, which is ${value.rules.type}`);
    }
    if (!fitsType(rules.type, isPrecise(rules), other)) throw this.refused(shownValue(other));
    return new ExtendedOperand(literalOf(rules.type, other), rules);
  }

  /** @internal */
  refused(what: string): Error {
    return invalidInput(
      `${shown(this.text)} is ${typeText(this.rules)}; a filter cannot combine it with ${what}.`,
    );
  }
}

/** A value with an order. */
export class ExtendedOrdered<Type extends Comparable, Value> extends ExtendedOperand<Type, Value> {
  gt(other: Value | ExtendedOperand<Type, never>): Condition {
    return this.compared('gt', other);
  }

  ge(other: Value | ExtendedOperand<Type, never>): Condition {
    return this.compared('ge', other);
  }

  lt(other: Value | ExtendedOperand<Type, never>): Condition {
    return this.compared('lt', other);
  }

  le(other: Value | ExtendedOperand<Type, never>): Condition {
    return this.compared('le', other);
  }
}

type Text = string | ExtendedOperand<'String', never>;

/** A text. The case of letters counts. */
export class ExtendedText<Value extends string = string> extends ExtendedOrdered<'String', Value> {
  startsWith(beginning: Text): Condition {
    return this.#test('startswith', beginning);
  }

  endsWith(end: Text): Condition {
    return this.#test('endswith', end);
  }

  contains(part: Text): Condition {
    return this.#test('contains', part);
  }

  /** The text in lower case, letter by letter, whatever the locale. */
  toLower(): ExtendedText {
    return new ExtendedText(`tolower(${this.text})`, TEXT);
  }

  /** The text in upper case, letter by letter, whatever the locale. */
  toUpper(): ExtendedText {
    return new ExtendedText(`toupper(${this.text})`, TEXT);
  }

  /** In UTF-16 units. */
  length(): ExtendedNumber {
    return new ExtendedNumber(`length(${this.text})`, WHOLE);
  }

  #test(name: string, other: Text): Condition {
    return new Condition(`${name}(${this.text},${this.operand(other).within(0)})`, COMPARISON);
  }
}

type AnyNumber = number | bigint | ExtendedOperand<'Number', never>;

/**
 * A number. Numbers of all types are compared by their values. A calculation with two whole numbers
 * gives a whole number; a result beyond Int64 has no value. With a Double, it gives a Double.
 */
export class ExtendedNumber extends ExtendedOrdered<'Number', number | bigint> {
  add(other: AnyNumber): ExtendedNumber {
    return this.#calculated('add', SUM, other);
  }

  sub(other: AnyNumber): ExtendedNumber {
    return this.#calculated('sub', SUM, other);
  }

  mul(other: AnyNumber): ExtendedNumber {
    return this.#calculated('mul', PRODUCT, other);
  }

  /** Two whole numbers: the fraction is dropped, and a division by zero has no value. */
  div(other: AnyNumber): ExtendedNumber {
    return this.#calculated('div', PRODUCT, other);
  }

  /** The rest of a division. For two whole numbers, a division by zero has no value. */
  mod(other: AnyNumber): ExtendedNumber {
    return this.#calculated('mod', PRODUCT, other);
  }

  /** @internal */
  override operand(other: unknown): ExtendedOperand<Comparable, unknown> {
    if (typeof other !== 'number' && typeof other !== 'bigint') return super.operand(other);
    if (typeof other === 'bigint' && !fitsType('Int64', false, other)) {
      throw this.refused(shownValue(other));
    }
    const isWhole =
      typeof other === 'bigint' || (!isDouble(this.rules) && Number.isSafeInteger(other));
    if (!isWhole) return new ExtendedNumber(literalOf('Double', other), DOUBLE);
    const type = fitsType('Int32', false, other) ? 'Int32' : 'Int64';
    return new ExtendedNumber(literalOf(type, type === 'Int64' ? BigInt(other) : other), WHOLE);
  }

  #calculated(name: string, precedence: number, other: unknown): ExtendedNumber {
    const right = this.operand(other);
    const rules = isDouble(this.rules) || isDouble(right.rules) ? DOUBLE : WHOLE;
    // Operators of one precedence go from left to right. So the right side gets parentheses, as in
    // a sub (b sub c).
    const text = `${this.within(precedence)} ${name} ${right.within(precedence + 1)}`;
    return new ExtendedNumber(text, rules, precedence);
  }
}

/** A time. Its parts are in UTC. */
export class ExtendedTime<Value = Date> extends ExtendedOrdered<'DateTime', Value> {
  year(): ExtendedNumber {
    return this.#part('year');
  }

  /** From 1 to 12. */
  month(): ExtendedNumber {
    return this.#part('month');
  }

  /** Of the month, from 1 to 31. */
  day(): ExtendedNumber {
    return this.#part('day');
  }

  hour(): ExtendedNumber {
    return this.#part('hour');
  }

  minute(): ExtendedNumber {
    return this.#part('minute');
  }

  second(): ExtendedNumber {
    return this.#part('second');
  }

  #part(name: string): ExtendedNumber {
    return new ExtendedNumber(`${name}(${this.text})`, WHOLE);
  }
}

/** The operand for a property in a filter of the extended dialect. */
export type ExtendedOperandOf<Property> = Property extends {
  '~types'?: { type: infer Type; value: infer Value };
}
  ? Type extends 'String'
    ? ExtendedText<Extract<Value, string>>
    : Type extends 'Int32' | 'Int64' | 'Double'
      ? ExtendedNumber
      : Type extends 'DateTime'
        ? ExtendedTime<NonNullable<Value>>
        : Type extends 'Boolean'
          ? ExtendedOperand<'Boolean', NonNullable<Value>>
          : Type extends 'Text'
            ? ExtendedText<Extract<Value, string>>
            : Type extends PartedType
              ? PartedOperandOf<Type, Value>
              : ExtendedOrdered<Extract<Type, Comparable>, NonNullable<Value>>
  : never;

/** The operands that `whereExtended` passes on: the properties of a table, and `timestamp`. */
export type ExtendedOperands<Properties> = {
  readonly [Name in keyof Properties]: ExtendedOperandOf<Properties[Name]>;
} & { readonly timestamp: ExtendedTime };

/**
 * Returns a filter of the extended dialect, as options for any query of a local account. Neither a
 * server nor a remote account has this dialect.
 *
 * @example
 * ```ts
 * const big = whereExtended(pets, ({ name, weight, born }) =>
 *   and(name.toLower().contains('rex'), weight.mul(2).gt(63), born.year().in([2020, 2021])),
 * );
 * const found = table.listEntities({ ...big, top: 10 });
 * ```
 * @throws {@link TableError} `InvalidInput`, if a value does not fit its property, if there is no
 * such property, or if the callback returns no condition.
 */
export function whereExtended<Properties extends TableProperties>(
  table: TableDefinition<Properties>,
  build: (operands: ExtendedOperands<Properties>) => Condition,
): ExtendedFilter {
  const operands = operandsOf(table.tableName, table.properties, operandOf);
  const condition = build(operands as ExtendedOperands<Properties>);
  const { text } = checkCondition(condition);
  // The text has the names of fields of keys.
  return { filter: new NamesOfTable(table).filterOf(text)!, dialect: 'extended' };
}

function operandOf(name: string, rules: PropertyRules): object | undefined {
  const kind = rules.parted?.kind;
  if (kind && kind !== 'text') return partedOperand(name, rules);
  const text = kind ? `whole(${name})` : wireName(name);
  switch (comparableOf(rules)) {
    case 'String':
      return new ExtendedText(text, rules);
    case 'Number':
      return new ExtendedNumber(text, rules);
    case 'DateTime':
      return new ExtendedTime(text, rules);
    case 'Boolean':
      return new ExtendedOperand(text, rules);
    default:
      return new ExtendedOrdered(text, rules);
  }
}

const isDouble = ({ type }: Rules) => type === 'Double';

const comparableOf = ({ type }: Rules): Comparable =>
  type === 'Int32' || type === 'Int64' || type === 'Double' ? 'Number' : type;
