/**
 * What a table definition says about one property.
 *
 * @module
 */

import type { EdmTypes } from '../entity/edm.js';
import type { StandardProps } from './standard.js';
import { copied } from './values.js';

/** Whether a property may be missing; with a default, it may be missing only in writes. */
export type Presence = 'required' | 'optional' | 'default';

/** Constraints of a text. The names are those of JSON Schema. */
export interface StringRules<Value extends string = string> {
  /** In UTF-16 units. */
  readonly minLength?: number;
  readonly maxLength?: number;
  /** Without the flags `g` and `y`. It runs in TypeScript alone. */
  readonly pattern?: RegExp;
  readonly enum?: readonly Value[];
}

/** Constraints of values that have an order. */
export interface RangeRules<Value> {
  readonly minimum?: Value;
  readonly maximum?: Value;
  readonly exclusiveMinimum?: Value;
  readonly exclusiveMaximum?: Value;
}

/** Constraints of a number. `multipleOf` takes decimals as written: 0.3 is a multiple of 0.1. */
export interface NumberRules<Value, Limit = Value> extends RangeRules<Limit> {
  readonly multipleOf?: Limit;
  readonly enum?: readonly Value[];
}

/** Constraints of a Double. */
export interface DoubleRules<Value extends number = number> extends NumberRules<Value, number> {
  /**
   * False: NaN, Infinity and -Infinity are values, too. JSON has none of them, and one NaN makes a
   * sum NaN. Without it, only those that `enum` lists are.
   */
  readonly finite?: boolean;
}

/** Constraints of a time. */
export interface DateTimeRules<IsPrecise extends boolean = boolean> extends RangeRules<
  TimeOf<IsPrecise>
> {
  /** True: the value is a text with up to seven digits of a second, instead of a `Date`. */
  readonly precise?: IsPrecise;
}

/** Constraints of bytes. */
export interface BinaryRules {
  readonly minBytes?: number;
  readonly maxBytes?: number;
}

/** Constraints of an array. Its items have their own ones. */
export interface ArrayRules {
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
}

/** Constraints of a text of any length. */
export type TextRules = Omit<StringRules, 'enum'>;

/** Constraints of a Guid. */
export interface GuidRules {
  readonly enum?: readonly string[];
}

/** The type of a time in JavaScript. */
export type TimeOf<IsPrecise extends boolean> = IsPrecise extends true ? string : Date;

/** A check of your own. A promise makes the validation a promise. */
export type Check<Value> = (value: Value) => boolean | Promise<boolean>;

/**
 * What a value is that takes as many properties as it needs.
 *
 * @internal
 */
export interface Parted {
  readonly kind: 'json' | 'array' | 'text' | 'blob' | 'bytes';
  /** Of an array. */
  readonly item?: PropertyRules;
  /** Of JSON: another validator, as a function. */
  readonly validate?: StandardProps<unknown, unknown>['validate'];
}

/**
 * All that is known about a property.
 *
 * @internal
 */
export interface PropertyRules {
  /** Of what is stored; of each part. */
  readonly type: EdmTypes;
  /** If it is there, a value may have several parts. */
  readonly parted?: Parted | undefined;
  /** By name. `defineTable` checks them. */
  readonly constraints: Readonly<Record<string, unknown>>;
  readonly presence: Presence;
  /** The default, or a function that makes it. */
  readonly default?: unknown;
  readonly description?: string;
  /** What JSON Schema says of its form. */
  readonly format?: string;
  readonly checks: readonly { readonly check: Check<never>; readonly message: string }[];
}

/** What the values of a property are that are stored in parts. */
export type PartedType = 'Json' | 'Array' | 'Text' | 'Bytes';

/** The type of a property: one of the service, or one of values that are stored in parts. */
export type PropertyType = EdmTypes | PartedType;

/**
 * One property of a table definition, from `t`. Its methods return a new one.
 *
 * @typeParam Value - what reads return.
 * @typeParam Input - what writes take.
 */
export class PropertyDefinition<
  out Type extends PropertyType = PropertyType,
  out Value = unknown,
  out Given extends Presence = Presence,
  out Input = Value,
> {
  /** For the compiler alone. */
  declare readonly '~types'?: {
    readonly type: Type;
    readonly value: Value;
    readonly given: Given;
    readonly input: Input;
  };

  /** @internal */
  readonly rules: PropertyRules;

  /** @internal */
  constructor(rules: PropertyRules) {
    this.rules = rules;
  }

  /** The property may be missing. It has no default then. */
  optional(): PropertyDefinition<Type, Value, 'optional', Input> {
    return new PropertyDefinition({ ...this.rules, presence: 'optional' });
  }

  /** The property may be missing, and reads return null for it. It has no default then. */
  nullable(): PropertyDefinition<Type, Value | null, 'default', Input | null> {
    return new PropertyDefinition({ ...this.rules, presence: 'default', default: null });
  }

  /** The property may be missing in a write, which then stores this value. It is not a promise. */
  default(value: Input | (() => Input)): PropertyDefinition<Type, Value, 'default', Input> {
    return new PropertyDefinition({ ...this.rules, presence: 'default', default: copied(value) });
  }

  /** A text for people, which the JSON Schema has, too. */
  describe(description: string): this {
    return this.with({ description });
  }

  /** A check beyond the constraints. It runs in TypeScript alone, on values of the right type. */
  refine(check: Check<Input>, message: string): this {
    return this.with({ checks: [...this.rules.checks, { check, message }] });
  }

  /** @internal */
  with(change: Partial<PropertyRules>): this {
    return new PropertyDefinition({ ...this.rules, ...change }) as this;
  }
}
