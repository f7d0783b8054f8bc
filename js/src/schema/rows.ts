/**
 * The types of the rows of a table.
 *
 * @module
 */

import type { PartedType, PropertyDefinition } from './properties.js';

/** A key of a table that declares both itself. */
export type KeyProperty = PropertyDefinition<'String', string, 'required'>;

/** The properties of a table. */
export interface TableProperties {
  readonly [name: string]: PropertyDefinition;
}

/** The properties of a table that declares both keys itself, without the option `key`. */
export interface WithBothKeys extends TableProperties {
  readonly partitionKey: KeyProperty;
  readonly rowKey: KeyProperty;
}

/** Shows a type as one object. */
type Plain<T> = { [Name in keyof T]: T[Name] };

type ValueOf<Property> = Property extends { '~types'?: { value: infer Value } } ? Value : never;
type InputOf<Property> = Property extends { '~types'?: { input: infer Input } } ? Input : never;
type GivenOf<Property> = Property extends { '~types'?: { given: infer Given } } ? Given : never;

type TypeOf<Property> = Property extends { '~types'?: { type: infer Type } } ? Type : never;

/** The names of the properties whose values have one part, so that a store compares them. */
export type PlainName<Properties> = {
  [Name in keyof Properties & string]: TypeOf<Properties[Name]> extends PartedType ? never : Name;
}[keyof Properties & string];

/** A row as reads return it. */
export type Row<Properties> = Plain<
  {
    -readonly [
      Name in keyof Properties as GivenOf<Properties[Name]> extends 'optional' ? never : Name
    ]: ValueOf<Properties[Name]>;
  } & {
    -readonly [
      Name in keyof Properties as GivenOf<Properties[Name]> extends 'optional' ? Name : never
    ]?: ValueOf<Properties[Name]>;
  }
>;

/** A row as writes take it: a property with a default may be missing. */
export type RowInput<Properties> = Plain<
  {
    -readonly [
      Name in keyof Properties as GivenOf<Properties[Name]> extends 'required' ? Name : never
    ]: InputOf<Properties[Name]>;
  } & {
    -readonly [
      Name in keyof Properties as GivenOf<Properties[Name]> extends 'required' ? never : Name
    ]?: InputOf<Properties[Name]> | undefined;
  }
>;

/** The row that reads of a table return. */
export type Infer<Table extends { '~standard': { types?: { output: unknown } | undefined } }> =
  NonNullable<Table['~standard']['types']>['output'];

/** The row that writes to a table take. */
export type InferInput<Table extends { '~standard': { types?: { input: unknown } | undefined } }> =
  NonNullable<Table['~standard']['types']>['input'];
