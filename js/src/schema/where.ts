/**
 * Filters that are built instead of written.
 *
 * @module
 */

import { invalidInput } from '../base/errors.js';
import { isObject } from '../base/kinds.js';
import { shown, shownValue } from '../base/shown.js';
import { textAfter } from '../base/text-after.js';
import type { EdmTypes } from '../entity/edm.js';
import { define, wireName } from '../entity/json.js';
import { odata } from '../entity/odata.js';
import { isPrecise } from './constraints.js';
import type { PropertyDefinition, PropertyRules } from './properties.js';
import { fitsType, typeText } from './values.js';

/** A part of a filter. `where` makes its text. */
export class Condition {
  /** @internal */
  readonly text: string;
  /** The precedence: a comparison 3, `not` 2, `and` 1, `or` 0. */
  readonly #precedence: number;

  /** @internal */
  constructor(text: string, precedence: number) {
    this.text = text;
    this.#precedence = precedence;
  }

  /**
   * A class of this package: no other realm makes it.
   *
   * @internal
   */
  static isOne(value: unknown): value is Condition {
    return isObject(value) && #precedence in value;
  }

  /**
   * The text within another condition.
   *
   * @internal
   */
  within(precedence: number): string {
    return this.#precedence < precedence ? `(${this.text})` : this.text;
  }
}

/** A condition, or the text of a filter: of `keys.range`, say. A text gets parentheses. */
export type ConditionOrText = Condition | string;

/** All of the conditions hold. */
export function and(first: ConditionOrText, ...others: ConditionOrText[]): Condition {
  return joined('and', 1, [first, ...others]);
}

/** One of the conditions holds. */
export function or(first: ConditionOrText, ...others: ConditionOrText[]): Condition {
  return joined('or', 0, [first, ...others]);
}

/** The condition does not hold. */
export function not(condition: ConditionOrText): Condition {
  return new Condition(`not ${conditionOf(condition).within(3)}`, 2);
}

function joined(word: string, precedence: number, given: readonly ConditionOrText[]): Condition {
  const conditions = given.map(conditionOf);
  if (conditions.length === 1) return conditions[0]!;
  return new Condition(
    conditions.map((one) => one.within(precedence)).join(` ${word} `),
    precedence,
  );
}

function conditionOf(given: ConditionOrText): Condition {
  // An empty text would select all rows.
  if (typeof given !== 'string' || !given.trim()) return checkCondition(given);
  if (isBalanced(given)) return new Condition(given, -1);
  throw invalidInput(`The filter ${shown(given)} has an unmatched parenthesis or quote.`);
}

// Otherwise a part such as `a eq 1) or (b eq 2` would get around the other conditions.
function isBalanced(filter: string): boolean {
  let depth = 0;
  for (const character of filter.replace(/'[^']*'/g, '')) {
    if (character === '(') depth++;
    if (character === "'" || (character === ')' && --depth < 0)) return false;
  }
  return depth === 0;
}

/**
 * Returns the condition.
 *
 * @throws {@link TableError} `InvalidInput`, if the value is not a condition. A missing filter
 * would select all rows.
 */
export function checkCondition(given: unknown): Condition {
  if (Condition.isOne(given)) return given;
  throw invalidInput(`A filter is made of conditions such as age.gt(5), not of ${shown(given)}.`);
}

/** A property in a filter: whether it is equal to a value, or not. */
export interface Operand<Value> {
  eq(value: Value): Condition;
  ne(value: Value): Condition;
}

/** A property that has an order: greater, at least, less, at most. */
export interface OrderedOperand<Value> extends Operand<Value> {
  gt(value: Value): Condition;
  ge(value: Value): Condition;
  lt(value: Value): Condition;
  le(value: Value): Condition;
}

/** A text. */
export interface TextOperand<Value> extends OrderedOperand<Value> {
  /** The filter has no functions, so this is `ge` and `lt`. */
  startsWith(prefix: string): Condition;
}

/** The operand of a property. */
export type OperandOf<Property> = Property extends {
  '~types'?: { type: infer Type; value: infer Value };
}
  ? Type extends 'String'
    ? TextOperand<NonNullable<Value>>
    : Type extends 'Boolean'
      ? Operand<NonNullable<Value>>
      : Type extends 'Parts'
        ? never
        : OrderedOperand<NonNullable<Value>>
  : never;

/** What `where` gives: the properties of a table, and `timestamp`. */
export type Operands<Properties> = {
  readonly [Name in keyof Properties]: OperandOf<Properties[Name]>;
} & { readonly timestamp: OrderedOperand<Date> };

/**
 * Makes the operands of a table. A name that it does not have is an error.
 *
 * @internal
 */
export function operandsOf(
  table: string,
  properties: Readonly<Record<string, PropertyDefinition>>,
  make: (name: string, rules: Pick<PropertyRules, 'type' | 'constraints'>) => object = operandOf,
): Record<string, object> {
  const operands: Record<string, object> = {
    timestamp: make('timestamp', { type: 'DateTime', constraints: {} }),
  };
  for (const [name, { rules }] of Object.entries(properties)) {
    if (!rules.parted) define(operands, name, make(name, rules));
  }
  return new Proxy(operands, {
    get(target, name: string) {
      if (Object.hasOwn(target, name)) return target[name];
      if (Object.hasOwn(properties, name)) {
        throw invalidInput(`Property ${shown(name)} is stored in parts, which no filter can read.`);
      }
      throw invalidInput(`The table ${table} declares no property ${shown(String(name))}.`);
    },
  });
}

const OPERATORS = ['eq', 'ne', 'gt', 'ge', 'lt', 'le'];

function operandOf(name: string, rules: Pick<PropertyRules, 'type' | 'constraints'>): object {
  const { type } = rules;
  const compared = (operator: string, value: unknown) => {
    if (fitsType(type, isPrecise(rules), value)) {
      return `${wireName(name)} ${operator} ${literalOf(type, value)}`;
    }
    throw invalidInput(
      `Property ${shown(name)} is ${typeText(rules)}; a filter cannot compare it with ${shownValue(value)}.`,
    );
  };
  const operand: Record<string, (value: unknown) => Condition> = Object.fromEntries(
    OPERATORS.map((operator) => [
      operator,
      (value: unknown) => new Condition(compared(operator, value), 3),
    ]),
  );
  if (type === 'String') {
    operand['startsWith'] = (prefix) => {
      const start = compared('ge', prefix);
      const end = textAfter(prefix as string);
      return end === undefined
        ? new Condition(start, 3)
        : new Condition(`${start} and ${compared('lt', end)}`, 1);
    };
  }
  return operand;
}

/** The literal of a value in its declared type, as the `odata` tag writes it. */
export function literalOf(type: EdmTypes, value: unknown): string {
  const isTyped = typeof value === 'string' || typeof value === 'number';
  if (!isTyped) return odata`${value}`;
  if (type === 'String') return odata`${String(value)}`;
  return odata`${{ type, value }}`;
}
