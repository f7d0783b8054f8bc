/**
 * The types of entities: those that are written, and those that reads return.
 *
 * @module
 */

import type { Edm, EdmTypes, TypedValue } from './edm.js';

/** The value of a property to write. A property that is undefined or null is left out. */
export type PropertyValue =
  | string
  | number
  | boolean
  | bigint
  | Date
  | Uint8Array
  | Edm<EdmTypes>
  | TypedValue
  | null
  | undefined;

/** The properties that every entity has. */
export interface SystemProperties {
  /** Changes with every write. */
  etag: string;
  partitionKey: string;
  rowKey: string;
  /** When the entity was last written: ISO 8601 with up to seven digits of a second. */
  timestamp: string;
}

type Keys = Pick<SystemProperties, 'partitionKey' | 'rowKey'>;

/** A set of properties with its two keys. */
export type TableEntity<T extends object = Record<string, unknown>> = T & Keys;

/** An entity as reads return it that select no properties. */
export type TableEntityResult<T> = T & SystemProperties;

// Rows of unknown properties have no type of their own: that of the argument counts.
type IsUntyped<Row> = string extends keyof Row ? true : false;

// The value itself if the service has a type for it. A `{ type, value }` that was made elsewhere
// has any text as its type, and is checked when it is written.
type Checked<V> = unknown extends V
  ? V
  : V extends PropertyValue
    ? V
    : V extends { type: infer Name extends string; value: unknown }
      ? string extends Name
        ? V
        : PropertyValue
      : PropertyValue;
type CheckedValues<T> = { [Name in keyof T]: Checked<T[Name]> };

type OptionalNames<T> = {
  [Name in keyof T]-?: object extends Pick<T, Name> ? Name : never;
}[keyof T];
type Part<T> = { [Name in keyof T]?: Checked<T[Name]> | null | undefined };
type Whole<T> = CheckedValues<Omit<T, OptionalNames<T>>> & Part<Pick<T, OptionalNames<T>>>;

// From an earlier read; not written.
type ReadOnly = Partial<Record<'etag' | 'timestamp', string | undefined>>;

/**
 * An entity to write as a whole, with all required properties. A value that has no type of the
 * service does not compile: an array, a function, an object other than `{ type, value }`.
 *
 * @typeParam Row - the rows of the client.
 */
export type EntityToWrite<T extends object, Row = T> =
  IsUntyped<Row> extends true ? T & Keys & CheckedValues<T> : Whole<NoInfer<T>> & Keys & ReadOnly;

/** The keys of an entity, and the properties to change. */
export type EntityToMerge<T extends object, Row = T> =
  IsUntyped<Row> extends true
    ? Partial<T> & Keys & Partial<CheckedValues<T>>
    : Part<NoInfer<T>> & Keys & ReadOnly;

/**
 * The properties to change, without keys.
 *
 * @typeParam Row - the rows of the client.
 */
export type PropertiesToMerge<T extends object, Row = T> = (IsUntyped<Row> extends true
  ? T & CheckedValues<T>
  : Part<NoInfer<T>> & ReadOnly) & { [Name in keyof Keys]?: never };

/**
 * The same as the result of a function, which may have the keys of the entity.
 *
 * @typeParam Row - the rows of the client.
 */
export type ChangedProperties<T extends object, Row = T> = (IsUntyped<Row> extends true
  ? T & CheckedValues<T>
  : Part<NoInfer<T>> & ReadOnly) &
  Partial<Keys>;

/** A name that `select` takes. */
export type SelectableName<Row> = (keyof Row & string) | keyof SystemProperties;

/** The names that `select` takes; undefined, if nothing is selected. */
export type Selection = readonly string[] | undefined;

// The names on the wire select, too.
type ApiName<Name> = Name extends 'PartitionKey'
  ? 'partitionKey'
  : Name extends 'RowKey'
    ? 'rowKey'
    : Name extends 'Timestamp'
      ? 'timestamp'
      : Name;

// A selected property that an entity does not have comes back as null.
type OrNull<Row, Name extends keyof Row> =
  object extends Pick<Row, Name> ? Exclude<Row[Name], undefined> | null : Row[Name];

type PropertiesOf<Row, Name> = '*' extends Name
  ? Row
  : {
      [Key in keyof Row & Name as Key extends keyof SystemProperties ? never : Key]-?: OrNull<
        Row,
        Key
      >;
    };
type SystemOf<Name> = '*' extends Name
  ? SystemProperties
  : Pick<SystemProperties, (Name & keyof SystemProperties) | 'etag'>;

/** The selected properties, without those of the system. */
export type SelectedProperties<Row, S extends Selection> = S extends readonly [] | undefined
  ? Row
  : S extends readonly string[]
    ? number extends S['length']
      ? Partial<PropertiesOf<Row, ApiName<S[number]>>>
      : PropertiesOf<Row, ApiName<S[number]>>
    : never;

type SelectedSystem<S extends Selection> = S extends readonly [] | undefined
  ? SystemProperties
  : S extends readonly string[]
    ? number extends S['length']
      ? Partial<SystemOf<ApiName<S[number]>>> & Pick<SystemProperties, 'etag'>
      : SystemOf<ApiName<S[number]>>
    : never;

// The form of a value with `typed: true`.
type Typed<V> = unknown extends V
  ? TypedValue
  : V extends null | undefined | { type: string; value: unknown }
    ? V
    : TypedValue<TypeOf<V>>;
type TypeOf<V> = V extends string
  ? 'String'
  : V extends number
    ? 'Double' | 'Int32'
    : V extends bigint
      ? 'Int64'
      : V extends boolean
        ? 'Boolean'
        : V extends Date
          ? 'DateTime'
          : 'Binary';
type TypedValues<T> = {
  [Name in keyof T]: Name extends keyof SystemProperties ? T[Name] : Typed<T[Name]>;
};

/**
 * An entity as a read returns it that selects `S`.
 *
 * @typeParam IsTyped - whether every property is a {@link TypedValue}.
 */
export type SelectedEntity<
  Row,
  S extends Selection,
  IsTyped extends boolean | undefined = false,
> = [IsTyped] extends [true]
  ? TypedValues<SelectedProperties<Row, S> & SelectedSystem<S>>
  : SelectedProperties<Row, S> & SelectedSystem<S>;

/** The result of a read with a selection, if the caller says which properties it has. */
export type DeclaredEntity<T> = T & Partial<SystemProperties> & Pick<SystemProperties, 'etag'>;
