/**
 * Rows as writes store them, and rows of what reads return.
 *
 * @module
 */

import { isDate, isObject } from '../base/kinds.js';
import { isInt32 } from '../entity/edm.js';
import { define } from '../entity/json.js';
import { isPrecise } from './constraints.js';
import { defaultOf, type PropertyRules } from './properties.js';
import type { TableProperties } from './rows.js';
import { convertedNumber, fitsType } from './values.js';
import { versionProperty, type Versions } from './versions.js';

type Values = Record<string, unknown>;

const SYSTEM = ['etag', 'timestamp'];

/** A copy of a row without members that have no value. With `drops`, only with known members. */
export function copyOf(properties: TableProperties, row: object, drops: boolean): Values {
  const copy: Values = {};
  for (const [name, value] of Object.entries(row) as [string, unknown][]) {
    const isKnown = !drops || Object.hasOwn(properties, name) || SYSTEM.includes(name);
    if (value !== undefined && value !== null && isKnown) define(copy, name, value);
  }
  return copy;
}

/** Gives a row the defaults of the properties that it lacks; of `among` alone, if it is given. */
export function fillDefaults(
  properties: TableProperties,
  row: Values,
  among?: readonly string[],
): void {
  for (const [name, { rules }] of Object.entries(properties)) {
    const isMissing = rules.presence === 'default' && row[name] === undefined;
    if (isMissing && (!among || among.includes(name))) define(row, name, defaultOf(rules));
  }
}

/**
 * The entity to write for a row: every value says its declared type, if it has it. So does the
 * version. A version that the row has stays, for the core to refuse if it is another one.
 */
export function entityOf(
  { properties, options }: { properties: TableProperties; options: Versions },
  row: object,
): Values {
  const stored: Values = {};
  for (const [name, value] of Object.entries(row) as [string, unknown][]) {
    const rules = rulesOf(properties, name);
    define(stored, name, rules ? typedValue(rules, value) : value);
  }
  const version = versionProperty(options);
  if (version !== undefined) {
    stored[version] = typedValue(VERSION_RULES, stored[version] ?? options.version);
  }
  return stored;
}

type ValueRules = Pick<PropertyRules, 'type' | 'constraints'>;

const VERSION_RULES: ValueRules = { type: 'Int32', constraints: {} };

/** What is declared of a property, if it is declared. */
export function rulesOf(properties: TableProperties, name: string): PropertyRules | undefined {
  return Object.hasOwn(properties, name) ? properties[name]!.rules : undefined;
}

// A plain number would keep the type of a stored Double. A value of another type stays as it is,
// for the core to refuse.
function typedValue({ type, constraints }: ValueRules, value: unknown): unknown {
  const isNumber = typeof value === 'number' && (type === 'Double' || isInt32(value));
  const isText =
    typeof value === 'string' &&
    (type === 'Guid' || (type === 'DateTime' && constraints['precise'] === true));
  return (isNumber && /Double|Int32/.test(type)) || isText ? { type, value } : value;
}

/** The row of an entity that was read; without selected members that are missing. */
export function rowOf(properties: TableProperties, entity: object): Values {
  const row: Values = {};
  for (const [name, value] of Object.entries(entity) as [string, unknown][]) {
    if (value === null) continue;
    const rules = rulesOf(properties, name);
    define(row, name, rules ? plainValue(rules, value) : value);
  }
  return row;
}

// A value that was stored under another type is converted if nothing is lost. Otherwise it stays.
function plainValue(rules: PropertyRules, value: unknown): unknown {
  const { type } = rules;
  const plain = isObject(value) && 'value' in value ? value.value : value;
  if (typeof plain === 'number' || typeof plain === 'bigint') return convertedNumber(type, plain);
  if (type === 'DateTime') {
    if (isPrecise(rules)) return isDate(plain) ? plain.toISOString() : plain;
    if (typeof plain === 'string' && fitsType(type, true, plain)) return new Date(plain);
  }
  return plain;
}
