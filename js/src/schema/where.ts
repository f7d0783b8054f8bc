/**
 * Filters that are built instead of written.
 *
 * @module
 */

import { invalidInput } from '../base/errors.js';
import { isObject } from '../base/kinds.js';
import { shown, shownValue } from '../base/shown.js';
import { wireName } from '../base/system-names.js';
import { textAfter } from '../base/text-after.js';
import type { EdmTypes } from '../entity/edm.js';
import { define } from '../entity/json.js';
import { odata } from '../entity/odata.js';
import { isPrecise } from './constraints.js';
import type { PartedType, PropertyDefinition, PropertyRules } from './properties.js';
import type { KeyComparison, RowKeys } from './row-keys.js';
import { fitsType, typeText } from './values.js';

/** A part of a filter. `where` makes its text. */
export class Condition {
  // Without the comparisons of fields of keys.
  readonly #text: string;
  /** The precedence: a comparison 3, `not` 2, `and` 1, `or` 0. */
  readonly #precedence: number;

  /**
   * Comparisons of fields of keys, which hold as well. Only all of a conjunction together are
   * conditions on the keys.
   *
   * @internal
   */
  readonly ofKeys: readonly KeyComparison[];

  /** @internal */
  constructor(text: string, precedence: number, ofKeys: readonly KeyComparison[] = []) {
    this.#text = text;
    this.#precedence = precedence;
    this.ofKeys = ofKeys;
  }

  /** @internal */
  get text(): string {
    const [first] = this.ofKeys;
    if (!first) return this.#text;
    const conditions = first.keys.conditionsOf(this.ofKeys);
    return [...conditions, this.#text].filter(Boolean).join(' and ');
  }

  /**
   * The text beside the comparisons of fields of keys, within a conjunction.
   *
   * @internal
   */
  get rest(): string {
    return this.ofKeys.length ? this.#text : this.within(1);
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
    const own = this.ofKeys.length ? 1 : this.#precedence;
    return own < precedence ? `(${this.text})` : this.text;
  }
}

/** A condition, or the text of a filter: of `keys.range`, say. A text gets parentheses. */
export type ConditionOrText = Condition | string;

/** All of the conditions hold. Every row fits none at all. */
export function and(...conditions: ConditionOrText[]): Condition {
  return joined('and', 1, ALWAYS, conditions);
}

/** One of the conditions holds. No row fits none at all. */
export function or(...conditions: ConditionOrText[]): Condition {
  return joined('or', 0, NEVER, conditions);
}

/** The condition does not hold. */
export function not(condition: ConditionOrText): Condition {
  return new Condition(`not ${conditionOf(condition).within(3)}`, 2);
}

// `neutral` is the condition that adds nothing to others.
function joined(
  word: string,
  precedence: number,
  neutral: Condition,
  given: readonly ConditionOrText[],
): Condition {
  const conditions = given.map(conditionOf).filter((one) => one !== neutral);
  if (conditions.length < 2) return conditions[0] ?? neutral;
  if (word === 'and') {
    const rests = conditions.map(({ rest }) => rest).filter(Boolean);
    const ofKeys = conditions.flatMap((one) => one.ofKeys);
    return new Condition(rests.join(' and '), precedence, ofKeys);
  }
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
  /** It is one of these values. No row fits an empty list. */
  in(values: readonly Value[]): Condition;
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
      : Type extends PartedType
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
  make: (name: string, rules: PropertyRules) => object | undefined,
): Record<string, object> {
  const operands: Record<string, object> = {
    timestamp: make('timestamp', TIMESTAMP)!,
  };
  for (const [name, { rules }] of Object.entries(properties)) {
    const operand = make(name, rules);
    if (operand) define(operands, name, operand);
  }
  return new Proxy(operands, {
    get(target, name: string) {
      if (Object.hasOwn(target, name)) return target[name];
      if (Object.hasOwn(properties, name)) {
        const isBytes = properties[name]!.rules.type === 'Binary';
        const readers = isBytes ? 'no filter' : 'only account.tables and whereExtended';
        throw invalidInput(
          `Property ${shown(name)} is stored in parts, which ${readers} can read.`,
        );
      }
      throw invalidInput(`The table ${table} declares no property ${shown(String(name))}.`);
    },
  });
}

// No text is less than the empty one.
const NEVER = /* @__PURE__ */ new Condition("PartitionKey lt ''", 3);

/**
 * The condition of every row.
 *
 * @internal
 */
export const ALWAYS = /* @__PURE__ */ new Condition("PartitionKey ge ''", 3);

const TIMESTAMP = { type: 'DateTime', constraints: {} } as PropertyRules;

/** @internal */
export const OPERATORS = ['eq', 'ne', 'gt', 'ge', 'lt', 'le'];

/**
 * The operands of a table whose rows have the fields of its keys.
 *
 * @internal
 */
export const operandWithKeys =
  (keys: RowKeys | undefined) =>
  (name: string, rules: PropertyRules): object | undefined =>
    rules.parted
      ? undefined
      : operandOf(name, rules, keys?.names.includes(name) ? keys : undefined);

function operandOf(name: string, rules: PropertyRules, keys?: RowKeys): object {
  const { type } = rules;
  const compared = (operator: string, value: unknown) => {
    if (fitsType(type, isPrecise(rules), value)) {
      return keys
        ? new Condition('', 1, [{ keys, name, operator, value }])
        : new Condition(`${wireName(name)} ${operator} ${literalOf(type, value)}`, 3);
    }
    throw invalidInput(
      `Property ${shown(name)} is ${typeText(rules)}; a filter cannot compare it with ${shownValue(value)}.`,
    );
  };
  const operand: Record<string, (value: unknown) => Condition> = Object.fromEntries(
    OPERATORS.map((operator) => [operator, (value: unknown) => compared(operator, value)]),
  );
  operand['in'] = (values) => or(...checkedList('in', values).map((one) => compared('eq', one)));
  if (type === 'String') {
    operand['startsWith'] = (prefix) => {
      const start = compared('ge', prefix);
      const end = textAfter(prefix as string);
      return end === undefined ? start : and(start, compared('lt', end));
    };
  }
  return operand;
}

/**
 * Returns the list that a method takes, without holes.
 *
 * @internal
 * @throws {@link TableError} `InvalidInput`.
 */
export function checkedList(method: string, values: unknown): unknown[] {
  if (Array.isArray(values)) return Array.from(values);
  throw invalidInput(`${method} takes an array, not ${shown(values)}.`);
}

/** The literal of a value in its declared type, as the `odata` tag writes it. */
export function literalOf(type: EdmTypes, value: unknown): string {
  const isTyped = typeof value === 'string' || typeof value === 'number';
  if (!isTyped) return odata`${value}`;
  if (type === 'String') return odata`${String(value)}`;
  return odata`${{ type, value }}`;
}
