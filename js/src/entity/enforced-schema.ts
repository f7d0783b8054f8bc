/**
 * What the store holds every writer of a table to.
 *
 * @module
 */

import type { EdmTypes } from './edm.js';

/** A value in an {@link EnforcedProperty}. A DateTime beyond milliseconds is a text. */
export type EnforcedValue = string | number | bigint | boolean | Date | Uint8Array;

/** What the store holds a property to. The names are those of JSON Schema, as in `t`. */
export interface EnforcedProperty {
  readonly type: EdmTypes;
  readonly required: boolean;
  /** In UTF-16 units. */
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minBytes?: number;
  readonly maxBytes?: number;
  readonly minimum?: EnforcedValue;
  readonly maximum?: EnforcedValue;
  readonly exclusiveMinimum?: EnforcedValue;
  readonly exclusiveMaximum?: EnforcedValue;
  readonly multipleOf?: number | bigint;
  /** A Double: neither NaN nor infinite. */
  readonly finite?: boolean;
  readonly enum?: readonly EnforcedValue[];
}

/** What the store holds every writer of a table to. */
export interface EnforcedSchema {
  readonly properties: Readonly<Record<string, EnforcedProperty>>;
  /** Whether other properties are kept, or an entity that has one is rejected. */
  readonly unknownProperties: 'keep' | 'reject';
}
