/**
 * Keys that are made of several values, and sort as these values do.
 *
 * Keys compare by UTF-16 units. So every value but a text has a fixed width:
 *
 * - a number or time: hexadecimal digits of its distance from the smallest one;
 * - a Guid: its 32 digits; a Boolean: 0 or 1.
 *
 * A text is written as its characters. A character that keys forbid, or that would sort wrongly, is
 * written as an escape character and two hexadecimal digits. `!` ends a text if values follow,
 * because no encoded character is less.
 *
 * In descending order, a number counts from the largest one. A text is the digits of its units,
 * each counted from the largest one, and ends with `g`.
 *
 * @module
 */

import { invalidInput } from '../base/errors.js';
import { isObject } from '../base/kinds.js';
import { own } from '../base/own.js';
import { shown, shownValue } from '../base/shown.js';
import type { EdmTypes } from '../entity/edm.js';
import { define } from '../entity/json.js';
import { timeOf } from '../entity/ticks.js';
import { brokenBy, checkRules, isPrecise, wrong } from './constraints.js';
import { PropertyDefinition, type PropertyRules } from './properties.js';
import { bitsOfGuid, fitsType, ticksOf, typeText } from './values.js';

/** A type that sorts in keys. */
type KeyType = Exclude<EdmTypes, 'Binary' | 'Double'>;

/** The fields of a key, from the first. */
export interface KeyFields {
  readonly [name: string]: PropertyDefinition<KeyType, unknown, 'required'>;
}

/** The values of the fields of a key. */
export type KeyValues<Fields> = {
  -readonly [Name in keyof Fields]: Fields[Name] extends PropertyDefinition<
    EdmTypes,
    infer Value,
    'required'
  >
    ? Value
    : never;
};

/** Options of `t.key`. */
export interface KeyOptions<Fields> {
  /** By default, every field is ascending. */
  readonly order?: { readonly [Name in keyof Fields]?: 'ascending' | 'descending' };
}

/** Beyond that, the core refuses a key. */
export const MAX_KEY_LENGTH = 1024;

/**
 * A PartitionKey or RowKey that is made of several values: `t.key({ user: t.string(), year:
 * t.int32() })`. It is a legal key, whatever the values are. Keys sort in the order of the fields.
 */
export class KeyDefinition<out Fields extends KeyFields = KeyFields> extends PropertyDefinition<
  'String',
  string,
  'required'
> {
  /** For the compiler alone. */
  declare readonly '~fields'?: Fields;
  /**
   * From the first.
   *
   * @internal
   */
  readonly fields: readonly Field[];

  /** @internal */
  constructor(rules: PropertyRules, fields: readonly Field[]) {
    super(rules);
    this.fields = fields;
  }

  /** @internal */
  override with(change: Partial<PropertyRules>): this {
    return new KeyDefinition({ ...this.rules, ...change }, this.fields) as this;
  }

  /**
   * The names of the fields, from the first.
   *
   * @internal
   */
  get names(): readonly string[] {
    return this.fields.map(({ name }) => name);
  }

  /**
   * `t.key`.
   *
   * @internal
   */
  static readonly of = <const Fields extends KeyFields>(
    fields: Fields,
    { order = {} }: KeyOptions<NoInfer<Fields>> = {},
  ): KeyDefinition<Fields> => {
    const names = Object.keys(fields);
    if (!names.length) throw new TypeError('A key has at least one field.');
    const unknownName = Object.keys(order).find((name) => !Object.hasOwn(fields, name));
    if (unknownName !== undefined) {
      throw new TypeError(`A key has no field ${shown(unknownName)}.`);
    }
    const encoded = names.map((name, at): Field => {
      const direction = own(order, name) ?? 'ascending';
      return fieldOf(name, fields[name]!.rules, direction, at === names.length - 1);
    });
    const rules = { type: 'String', constraints: {}, presence: 'required', checks: [] } as const;
    return new KeyDefinition(rules, encoded);
  };

  /**
   * Returns the key of these values.
   *
   * @throws {@link TableError} `InvalidInput`, if a value is missing, has another type or breaks a
   * constraint, or if the key is longer than 1,024 UTF-16 units.
   */
  encode(values: KeyValues<Fields>): string {
    return this.encodeFirst(values, this.fields.length);
  }

  /**
   * Returns the start of the keys that have these values in the first fields.
   *
   * @internal
   */
  encodeFirst(values: object, count: number): string {
    if (!isObject(values)) {
      throw invalidInput(`The fields of a key must be an object, not ${shown(values)}.`);
    }
    const key = this.fields
      .slice(0, count)
      .map((field) => encoded(field, own(values, field.name)))
      .join('');
    if (key.length > MAX_KEY_LENGTH) {
      throw invalidInput(`The key has ${key.length} UTF-16 units; the limit is ${MAX_KEY_LENGTH}.`);
    }
    return key;
  }

  /**
   * Returns why a row with these properties cannot have this key; undefined if it can.
   *
   * @param valueOf - returns the value of the property with the name of a field.
   * @internal
   */
  contradiction(key: string, valueOf: (name: string) => unknown): string | undefined {
    let values: Readonly<Record<string, unknown>>;
    try {
      values = this.decode(key);
    } catch {
      return `which is not a key with the fields ${this.names.join(', ')}`;
    }
    for (const { name, rules, encode } of this.fields) {
      const [inKey, inRow] = [values[name], valueOf(name)];
      const isOther = fits(rules, inRow) && encode(inRow) !== encode(inKey);
      if (isOther) return `which has the ${name} ${shownValue(inKey)}, not ${shownValue(inRow)}`;
    }
    return undefined;
  }

  /**
   * Returns the values of a key.
   *
   * @throws {@link TableError} `InvalidInput`, if `encode` never makes this key.
   */
  decode(key: string): KeyValues<Fields> {
    if (typeof key !== 'string') throw invalidInput(`A key must be a string, not ${shown(key)}.`);
    const values: Record<string, unknown> = {};
    let rest = key;
    for (const { name, pattern, decode } of this.fields) {
      const [found, content = ''] = pattern.exec(rest) ?? [];
      if (found === undefined) break;
      define(values, name, decode(content));
      rest = rest.slice(found.length);
    }
    // Only keys in the one form that `encode` makes.
    try {
      if (!rest && this.encode(values as KeyValues<Fields>) === key) {
        return values as KeyValues<Fields>;
      }
    } catch {
      // The value is out of the range of its type.
    }
    throw invalidInput(`${shownValue(key)} is not a key with the fields ${this.names.join(', ')}.`);
  }
}

/**
 * How one field is written.
 *
 * @internal
 */
export interface Field {
  readonly name: string;
  readonly rules: PropertyRules;
  /** Of a value that fits. */
  readonly encode: (value: unknown) => string;
  /** Finds the field at the start of a text; its group is the content. */
  readonly pattern: RegExp;
  readonly decode: (content: string) => unknown;
}

/**
 * How a field of a key is written.
 *
 * @internal
 * @throws TypeError, if no key can have this field.
 */
export function fieldOf(
  name: string,
  rules: PropertyRules,
  direction: unknown,
  isLast: boolean,
): Field {
  const { type, presence } = rules;
  if (rules.parted) throw wrong('a key', name, 'is stored in parts, which a key cannot contain');
  if (type === 'Binary' || type === 'Double')
    throw wrong('a key', name, `is ${type}, which a key cannot contain`);
  if (/^\d+$/.test(name)) {
    throw wrong('a key', name, 'has a name of digits, which would change the order of the fields');
  }
  if (presence !== 'required') throw wrong('a key', name, 'is optional or has a default');
  if (direction !== 'ascending' && direction !== 'descending') {
    throw wrong('a key', name, `has the order ${shown(direction)}`);
  }
  if (rules.checks.length) {
    throw wrong('a key', name, 'has a check; fields of a key cannot have checks');
  }
  checkRules('a key', name, rules);
  const isDescending = direction === 'descending';
  const coding =
    type === 'String' ? textField(isDescending, isLast) : numberField(rules, isDescending);
  return { ...coding, name, rules };
}

/** @internal */
export const fits = (rules: PropertyRules, value: unknown): boolean =>
  fitsType(rules.type, isPrecise(rules), value);

function encoded({ name, rules, encode }: Field, value: unknown): string {
  const broken = fits(rules, value) ? brokenBy(rules, value) : `type ${typeText(rules)}`;
  if (!broken) return encode(value);
  throw invalidInput(
    `Property ${shown(name)} of a key is ${shownValue(value)}, which breaks its ${broken}.`,
  );
}

type Coding = Omit<Field, 'name' | 'rules'>;

const DIGITS = { Boolean: 1, Int32: 8, Int64: 16, DateTime: 16, Guid: 32 } as const;

function numberField(rules: PropertyRules, isDescending: boolean): Coding {
  const type = rules.type as keyof typeof DIGITS;
  const digits = DIGITS[type];
  const most = type === 'Boolean' ? 1n : 16n ** BigInt(digits) - 1n;
  const first = type.startsWith('Int') ? -(most + 1n) / 2n : 0n;
  const turned = (distance: bigint) => (isDescending ? most - distance : distance);
  return {
    encode: (value) =>
      turned(numberOf(type, value) - first)
        .toString(16)
        .padStart(digits, '0'),
    pattern: new RegExp(`^([0-9a-f]{${digits}})`),
    decode: (text) => valueOf(rules, turned(BigInt(`0x${text}`)) + first),
  };
}

function numberOf(type: keyof typeof DIGITS, value: unknown): bigint {
  if (type === 'Guid') return bitsOfGuid(value as string);
  return type === 'DateTime' ? ticksOf(value) : BigInt(value as number);
}

function valueOf(rules: PropertyRules, number: bigint): unknown {
  switch (rules.type as keyof typeof DIGITS) {
    case 'Boolean':
      return number === 1n;
    case 'Int32':
      return Number(number);
    case 'Int64':
      return number;
    case 'DateTime':
      return timeOf(number, isPrecise(rules));
    case 'Guid':
      return number
        .toString(16)
        .padStart(32, '0')
        .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  }
}

// Below `$`; `.` and `/`; `>` and `?`; `[` and `\`; from `~` to the last control character.
const ESCAPED = /[\0-#./>?[\\~-\x9f]/g;
const ESCAPES = /(["~[.>])([\da-f]{2})/g;

function textField(isDescending: boolean, isLast: boolean): Coding {
  if (isDescending) {
    return {
      encode: (value) => `${(value as string).replace(/[^]/g, turnedUnit)}g`,
      pattern: /^((?:[\da-f]{4})*)g/,
      decode: (text) =>
        text.replace(/.{4}/g, (digits) => String.fromCharCode(0xffff - Number(`0x${digits}`))),
    };
  }
  return {
    encode: (value) => (value as string).replace(ESCAPED, escapeOf) + (isLast ? '' : '!'),
    pattern: isLast ? /^([^!]*)$/ : /^([^!]*)!/,
    decode: (text) =>
      text.replace(ESCAPES, (_, _lead, digits) => String.fromCharCode(Number(`0x${digits}`))),
  };
}

const turnedUnit = (unit: string) => hex(0xffff - unit.charCodeAt(0), 4);
const hex = (number: number, digits: number) => number.toString(16).padStart(digits, '0');

function escapeOf(character: string): string {
  const lead = LEADS.find((_, at) => character < ABOVE[at]!) ?? '~';
  return lead + hex(character.charCodeAt(0), 2);
}

// The escape of a character below `$` begins with `"`, and so on.
const ABOVE = '$0@]';
const LEADS = [...'".>['];
