/**
 * Checks definitions. A wrong one is an error of the program, so it is a TypeError. It names the
 * property.
 *
 * @module
 */

import { isDate, tagOf } from '../base/kinds.js';
import { shown, shownValue } from '../base/shown.js';
import type { EdmTypes } from '../entity/edm.js';
import type { Parted, PropertyRules } from './properties.js';
import { fitsType, isWellFormed, ticksOf } from './values.js';

type Limit = number | bigint;

const RANGE = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'];
const OF_NUMBER = [...RANGE, 'multipleOf', 'enum'];
const NAMES: Readonly<Record<EdmTypes | Parted['kind'], readonly string[]>> = {
  String: ['minLength', 'maxLength', 'pattern', 'enum'],
  Int32: OF_NUMBER,
  Int64: OF_NUMBER,
  Double: [...OF_NUMBER, 'finite'],
  Boolean: [],
  DateTime: [...RANGE, 'precise'],
  Guid: ['enum'],
  Binary: ['minBytes', 'maxBytes'],
  json: [],
  array: ['minItems', 'maxItems', 'uniqueItems'],
  text: ['minLength', 'maxLength', 'pattern'],
  blob: ['minBytes', 'maxBytes'],
  bytes: ['minBytes', 'maxBytes'],
};

// Whether the measure of a value breaks a limit. NaN breaks each one.
const isBelow = (measure: Limit, limit: Limit) => !(measure >= limit);
const isAbove = (measure: Limit, limit: Limit) => !(measure <= limit);
const BREAKS: Readonly<Record<string, (measure: Limit, limit: Limit) => boolean>> = {
  minLength: isBelow,
  maxLength: isAbove,
  minBytes: isBelow,
  maxBytes: isAbove,
  minItems: isBelow,
  maxItems: isAbove,
  minimum: isBelow,
  maximum: isAbove,
  exclusiveMinimum: (measure, limit) => !(measure > limit),
  exclusiveMaximum: (measure, limit) => !(measure < limit),
  // Of whole numbers.
  multipleOf: (measure, limit) => Number((measure as number) % (limit as number)) !== 0,
};

// Lengths in the compiled form have 32 bits.
const MAX_LENGTH = 2 ** 32 - 1;

const LOWER = ['minLength', 'minBytes', 'minItems', 'minimum', 'exclusiveMinimum'];
const UPPER = ['maxLength', 'maxBytes', 'maxItems', 'maximum', 'exclusiveMaximum'];

/** The error of a definition. */
export function wrong(owner: string, name: string, what: string): TypeError {
  return new TypeError(`Property ${shown(name)} of ${owner} ${what}.`);
}

/** @throws TypeError, if the constraints, the default or a check is invalid. */
export function checkRules(owner: string, name: string, rules: PropertyRules): void {
  const { type, constraints, checks, presence } = rules;
  const fail = (what: string) => {
    throw wrong(owner, name, what);
  };
  checkConstraints(rules, fail);
  const { enum: values = [] } = constraints as { enum?: readonly unknown[] };
  for (const value of values) {
    checkValue('enum value', value, { ...constraints, enum: undefined, finite: false });
    if (Number.isNaN(value)) fail('has the enum value NaN, which is equal to no value');
  }
  const given = rules.default;
  if (presence === 'optional' && 'default' in rules) {
    fail('is optional and has a default, which would never be filled in: leave out one of them');
  }
  if (tagOf(given) === 'AsyncFunction') fail('has a default that is an async function');
  // Null is the default of a nullable property. Values in parts have checks of their own.
  if (presence === 'default' && typeof given !== 'function' && given !== null && !rules.parted) {
    checkValue('default', given, constraints);
  }
  for (const { check, message } of checks) {
    if (typeof check !== 'function') fail(`has a check that is ${shown(check)}, not a function`);
    if (typeof message !== 'string') fail('has a check without a message');
  }

  function checkValue(what: string, value: unknown, limits: PropertyRules['constraints']): void {
    if (typeof value === 'string' && !isWellFormed(value)) {
      fail(`has the ${what} ${shownValue(value)}, which is not well-formed text`);
    }
    const ofType = fitsType(type, isPrecise(rules), value);
    const broken = ofType ? brokenBy({ ...rules, constraints: limits }, value) : `type ${type}`;
    if (broken) fail(`has the ${what} ${shownValue(value)}, which breaks its ${broken}`);
  }
}

function checkConstraints(rules: PropertyRules, fail: (what: string) => void): void {
  const { constraints, parted } = rules;
  const type = parted?.kind ?? rules.type;
  for (const [constraint, value] of Object.entries(constraints)) {
    if (!NAMES[type].includes(constraint)) {
      fail(`is ${type}, which has no constraint ${shown(constraint)}`);
    }
    const problem = problemOf(constraint, value, rules);
    if (problem) fail(problem);
    const need = needOf(constraint, value, rules);
    if (need) fail(`has the ${constraint} ${shownValue(value)}, which is not ${need}`);
  }
  for (const low of LOWER) {
    const high = UPPER.find((one) => leavesNothing(rules, low, one));
    if (high) fail(`has a ${low} that no value within its ${high} has`);
  }
}

export const isPrecise = ({ constraints }: Pick<PropertyRules, 'constraints'>): boolean =>
  constraints['precise'] === true;

// What a constraint needs to be, if it is not.
function needOf(constraint: string, value: unknown, rules: PropertyRules): string | undefined {
  const { type } = rules;
  if (/Length|Bytes|m..Items/.test(constraint)) {
    const length = Number.isInteger(value) ? (value as number) : -1;
    const isLength = length >= 0 && length <= MAX_LENGTH;
    return isLength ? undefined : `a whole number from 0 to ${MAX_LENGTH}`;
  }
  switch (constraint) {
    case 'pattern':
      return isPattern(value) ? undefined : 'a RegExp';
    case 'enum':
      return Array.isArray(value) ? undefined : 'a list of values';
    case 'precise':
    case 'finite':
    case 'uniqueItems':
      return typeof value === 'boolean' ? undefined : 'true or false';
  }
  const isLimit = fitsType(type, isPrecise(rules), value) && !Number.isNaN(value);
  if (!isLimit) return `of type ${type}`;
  if (constraint !== 'multipleOf') return undefined;
  if ((value as Limit) <= 0) return 'more than 0';
  return value === Infinity ? 'finite' : undefined;
}

const isPattern = (value: unknown): value is RegExp =>
  typeof (value as Partial<RegExp> | null)?.source === 'string';

// What is wrong within a pattern or a list.
function problemOf(constraint: string, value: unknown, rules: PropertyRules): string | undefined {
  if (constraint === 'pattern' && isPattern(value)) {
    // A pattern with one of them has a state.
    const flag = /[gy]/.exec(value.flags ?? '')?.[0];
    return flag && `has a pattern with the flag ${flag}: leave it out`;
  }
  if (constraint !== 'enum' || !Array.isArray(value)) return undefined;
  if (!value.length) return 'has an enum without values';
  const seen = new Set<unknown>();
  for (const one of value as unknown[]) {
    if (seen.has(compared(rules, one))) return `has the enum value ${shownValue(one)} twice`;
    seen.add(compared(rules, one));
  }
  return undefined;
}

function leavesNothing(rules: PropertyRules, low: string, high: string): boolean {
  const { [low]: lower, [high]: upper } = rules.constraints;
  if (lower === undefined || upper === undefined) return false;
  const [least, most] = [measureOf(rules, lower), measureOf(rules, upper)];
  return least > most || (least === most && [low, high].some((one) => one.startsWith('ex')));
}

/** The constraint that a value of the right type breaks, or the first one of several. */
export const brokenBy = (rules: PropertyRules, value: unknown): string | undefined =>
  constraintsOf(rules).find((name) => isBroken(rules, value, name));

/** All constraints that a value of the right type breaks. */
export const allBrokenBy = (rules: PropertyRules, value: unknown): readonly string[] =>
  constraintsOf(rules).filter((name) => isBroken(rules, value, name));

// A Double is finite unless its rules say otherwise.
const constraintsOf = (rules: PropertyRules) => {
  const names = Object.keys(rules.constraints).filter((name) => name !== 'finite');
  return isFinite(rules) ? [...names, 'finite'] : names;
};

function isBroken(rules: PropertyRules, value: unknown, name: string): boolean {
  const limit = rules.constraints[name];
  if (name === 'finite') return !Number.isFinite(value);
  if (limit === undefined || name === 'precise') return false;
  if (name === 'multipleOf' && rules.type === 'Double') {
    return !isMultiple(value as number, limit as number);
  }
  if (name === 'enum') {
    return !(limit as unknown[]).some((one) => compared(rules, one) === compared(rules, value));
  }
  if (name === 'pattern') return !(limit as RegExp).test(value as string);
  if (name === 'uniqueItems') return limit === true && hasRepeated(value as unknown[]);
  return BREAKS[name]!(measureOf(rules, value), measureOf(rules, limit));
}

const hasRepeated = (items: unknown[]) =>
  new Set(items.map((one) => (isDate(one) ? one.getTime() : one))).size < items.length;

/** Whether a property has finite numbers alone. */
export const isFinite = ({ type, constraints }: PropertyRules): boolean =>
  type === 'Double' && constraints['finite'] !== false && constraints['enum'] === undefined;

// As the core does: of the decimals as they are written. Both numbers are whole in the smaller
// unit.
function isMultiple(value: number, limit: number): boolean {
  if (!Number.isFinite(value)) return false;
  const [given, step] = [decimalOf(value), decimalOf(limit)];
  const exponent = Math.min(given.exponent, step.exponent);
  const inUnits = (one: typeof given) => one.digits * 10n ** BigInt(one.exponent - exponent);
  return inUnits(given) % inUnits(step) === 0n;
}

function decimalOf(value: number): { digits: bigint; exponent: number } {
  const [decimal = '', exponent = '0'] = String(value).split('e');
  const [whole, fraction = ''] = decimal.split('.');
  return { digits: BigInt(`${whole}${fraction}`), exponent: Number(exponent) - fraction.length };
}

// Guids are equal in any case.
const compared = ({ type }: PropertyRules, value: unknown) =>
  type === 'Guid' ? String(value).toLowerCase() : value;

// A number as it is, a time in ticks, and the length of a text or of bytes.
function measureOf({ type }: PropertyRules, value: unknown): Limit {
  if (typeof value === 'number' || typeof value === 'bigint') return value;
  if (type === 'DateTime') return ticksOf(value);
  const { length, size = length } = value as { length: number; size?: number };
  return size;
}
