/**
 * Values in parts in the filters of a local account: arrays, JSON and long texts.
 *
 * @module
 */

import { invalidInput } from '../base/errors.js';
import { shownValue } from '../base/shown.js';
import { odata } from '../entity/odata.js';
import { isPrecise } from './constraints.js';
import { jsonItem } from './parted-values.js';
import type { PartedType, PropertyRules } from './properties.js';
import { fitsType, typeText } from './values.js';
import {
  checkedList,
  Condition,
  OPERATORS,
  type Operand,
  type OperandOf,
  type OrderedOperand,
} from './where.js';

/** An array in a filter. */
export interface ArrayOperand<Item> {
  /** An item is this value. */
  has(item: Item): Condition;
  /** An item is one of these values. No row fits an empty list. */
  hasAny(items: readonly Item[]): Condition;
}

interface TextFunctions {
  startsWith(beginning: string): Condition;
  endsWith(end: string): Condition;
  contains(part: string): Condition;
}

/** A text in a filter, of any length. The case of letters counts. */
export interface WholeTextOperand<Value extends string = string>
  extends TextFunctions, OrderedOperand<Value> {}

type Scalar = string | number | boolean;

/** A step of a path: the name of a member, or the number of an item. */
type Step<T> = T extends readonly unknown[] ? number : T extends object ? keyof T & string : never;

type At<T, S> = T extends readonly (infer Item)[] ? Item : S extends keyof T ? T[S] : never;

/** What JSON has at a path, of which the type is not known. */
export interface AnyJsonOperand
  extends TextFunctions, OrderedOperand<Scalar>, ArrayOperand<Scalar> {
  get(first: string | number, ...path: readonly (string | number)[]): AnyJsonOperand;
}

/** What has members or items. */
interface JsonPath<T> {
  /** What is at a path: the names of members, and the numbers of items from 0 on. */
  get<const A extends Step<T>>(first: A): JsonMemberOperand<At<T, A>>;
  get<const A extends Step<T>, const B extends Step<NonNullable<At<T, A>>>>(
    first: A,
    second: B,
  ): JsonMemberOperand<At<NonNullable<At<T, A>>, B>>;
}

type ItemOf<T> = T extends readonly (infer Item)[] ? Extract<Item, Scalar> : never;
type If<T, Then> = [T] extends [never] ? unknown : Then;

/**
 * JSON in a filter. It is compared by what it has at a path, or by the items of an array. What is
 * neither an object nor an array is better declared as a value of the service.
 */
export type JsonOperand<T> = unknown extends T
  ? Pick<AnyJsonOperand, 'has' | 'hasAny' | 'get'>
  : JsonParts<T>;

type JsonParts<T> = If<ItemOf<T>, ArrayOperand<ItemOf<T>>> &
  If<Extract<T, object>, JsonPath<Extract<T, object>>>;

/**
 * What JSON has at a path: a text, a number or a Boolean is compared, an array has items, and an
 * object has members. What a row does not have, or has with another type, fits no condition.
 */
export type JsonMemberOperand<T> = unknown extends T
  ? AnyJsonOperand
  : If<Extract<T, string>, WholeTextOperand<Extract<T, string>>> &
      If<Extract<T, number>, OrderedOperand<Extract<T, number>>> &
      If<Extract<T, boolean>, Operand<Extract<T, boolean>>> &
      JsonParts<T>;

/** The operand of a property in parts. */
export type PartedOperandOf<Type, Value> = Type extends 'Text'
  ? WholeTextOperand<Extract<Value, string>>
  : Type extends 'Array'
    ? ArrayOperand<NonNullable<Value> extends readonly (infer Item)[] ? Item : never>
    : Type extends 'Json'
      ? JsonOperand<Value>
      : never;

/** The operand of a property that is a value of the service. */
type PlainOperandOf<Property> = Property extends { '~types'?: { type: 'String' } }
  ? OperandOf<Property> & Omit<TextFunctions, 'startsWith'>
  : OperandOf<Property>;

/** What `where` gives in the tables of an app, which are local. */
export type LocalOperands<Properties> = {
  readonly [Name in keyof Properties]: Properties[Name] extends {
    '~types'?: { type: infer Type extends PartedType; value: infer Value };
  }
    ? PartedOperandOf<Type, Value>
    : PlainOperandOf<Properties[Name]>;
} & { readonly timestamp: OrderedOperand<Date> };

/**
 * Makes the operand of a property in parts; undefined for bytes.
 *
 * @internal
 */
export function partedOperand(name: string, { parted }: PropertyRules): object | undefined {
  const { kind, item } = parted!;
  if (kind === 'array') return arrayAt(name, item);
  if (kind === 'text') return valueAt(`whole(${name})`);
  return kind === 'json' ? jsonAt(name) : undefined;
}

const jsonAt = (text: string): object => ({
  ...arrayAt(text),
  get: (first: unknown, ...path: unknown[]) => {
    const place = path.reduce<string>(withStep, withStep(text, first));
    return { ...valueAt(place), ...jsonAt(place) };
  },
});

// A filter reads other names in quotes.
function withStep(text: string, step: unknown): string {
  if (!/^(string|number)$/.test(typeof step)) {
    throw invalidInput(`get takes names and numbers, not ${shownValue(step)}.`);
  }
  const name = String(step);
  return `${text}/${/^[a-z_]\w*$|^\d+$/i.test(name) ? name : odata`${name}`}`;
}

const FUNCTIONS = ['startsWith', 'endsWith', 'contains'];

const valueAt = (text: string) => ({
  ...methods(OPERATORS, (operator, value) => `${text} ${operator} ${value}`),
  ...functionsOf(FUNCTIONS, () => text),
  in: (values: readonly unknown[]) => amongValues('in', values, (list) => `${text} in (${list})`),
});

/**
 * The functions of a text that is a value of the service. The filter of the service has none.
 *
 * @internal
 * @param stored - returns the name under which it is stored.
 */
export const textFunctions = (stored: () => string): object =>
  functionsOf(FUNCTIONS.slice(1), stored);

const functionsOf = (names: readonly string[], text: () => string) =>
  methods(names, (name, value) => `${name.toLowerCase()}(${text()},${value})`, TEXT);

const TEXT = { type: 'String', constraints: {} } as PropertyRules;

const methods = (
  names: readonly string[],
  textOf: (name: string, literal: string) => string,
  item?: PropertyRules,
) =>
  Object.fromEntries(
    names.map((name) => [
      name,
      (value: unknown) => new Condition(textOf(name, literalOf(value, item)), COMPARISON),
    ]),
  );

const COMPARISON = 3;

function arrayAt(text: string, item?: PropertyRules) {
  const hasAny = (values: readonly unknown[]) =>
    amongValues('hasAny', values, (list) => `${text}/any(_:_ in (${list}))`, item);
  return { has: (value: unknown) => hasAny([value]), hasAny };
}

function amongValues(
  method: string,
  values: readonly unknown[],
  textOf: (list: string) => string,
  item?: PropertyRules,
): Condition {
  const list = checkedList(method, values)
    .map((value) => literalOf(value, item))
    .join();
  return new Condition(list ? textOf(list) : 'false', COMPARISON);
}

// As it is in the JSON.
function literalOf(value: unknown, item?: PropertyRules): string {
  const fits = item
    ? fitsType(item.type, isPrecise(item), value)
    : /^(string|boolean)$/.test(typeof value) || Number.isFinite(value);
  if (fits) return odata`${jsonItem(value, item)}`;
  const what = item ? typeText(item) : 'a text, number or Boolean';
  throw invalidInput(`A filter compares ${what}, not ${shownValue(value)}.`);
}
