/**
 * What to calculate of groups of entities.
 *
 * @module
 */

import type { ReadOptions } from '../base/call-options.js';
import type { Edm } from './edm.js';
import type { FilterDialectOptions, OrderTerm, TableEntityCountOptions } from './models.js';

/** The functions of aggregates. */
export type AggregateFunction = 'count' | 'sum' | 'avg' | 'min' | 'max';

/** What to calculate: {@link count}, {@link sum}, {@link avg}, {@link min}, {@link max}. */
export interface Aggregate<
  Function extends AggregateFunction = AggregateFunction,
  Name extends string = string,
> {
  readonly function: Function;
  /** The property; undefined for a count of entities. */
  readonly name: Name | undefined;
}

/** What to calculate, under the names that the results have. */
export type Aggregates<Name extends string = string> = Readonly<
  Record<string, Aggregate<AggregateFunction, Name>>
>;

const make =
  <Function extends AggregateFunction>(name: Function) =>
  <const Name extends string>(property: Name): Aggregate<Function, Name> => ({
    function: name,
    name: property,
  });

/** How many entities a group has; with a name, how many of them have this property. */
export const count = <const Name extends string = never>(
  name?: Name,
): Aggregate<'count', Name> => ({ function: 'count', name });

/**
 * The sum of the numbers of a property; null if there is none. Values that are no numbers do not
 * count.
 *
 * The sum of integers is exact, or fails with `SumOverflow`. If one of them is an Int64, it is a
 * bigint. With a Double among the values it is a number, and its rounding error does not grow with
 * the number of values. NaN makes it NaN.
 */
export const sum = /* @__PURE__ */ make('sum');

/** The sum of the numbers of a property, as a number, divided by how many there are; or null. */
export const avg = /* @__PURE__ */ make('avg');

/**
 * The least value of a property, of any type, in the order of `TableEntityOrderOptions`; null if no
 * entity has it. NaN does not count.
 */
export const min = /* @__PURE__ */ make('min');

/** The greatest value, as {@link min} has the least. */
export const max = /* @__PURE__ */ make('max');

/** Options of `aggregate`. Beyond the service. */
export interface AggregateOptions<
  Groups extends readonly OrderTerm[] = readonly OrderTerm[],
  Select extends Aggregates = Aggregates,
>
  extends ReadOptions, TableEntityCountOptions, FilterDialectOptions {
  /**
   * The properties that make groups. The groups come in the order of these properties, as in
   * `orderBy`. Without a name, all entities are one group.
   */
  groupBy?: Groups | undefined;

  /** What to calculate, up to 64 aggregates. Without it, the results are the distinct groups. */
  select?: Select | undefined;

  /** The same option as `filter`, in the form of the official client. */
  queryOptions?: TableEntityCountOptions | undefined;
}

type NameIn<Term extends string> = Term extends `${infer Name} ${'asc' | 'desc'}` ? Name : Term;

// Of an untyped table, a name is any text.
type ValueOf<Row, Name> = Name extends keyof Row
  ? Exclude<Row[Name], null | undefined>
  : Name extends 'partitionKey' | 'rowKey'
    ? string
    : Name extends 'timestamp'
      ? Date | Edm<'DateTime'>
      : unknown;

type SumOf<Value> = unknown extends Value
  ? number | bigint
  : [Value] extends [bigint]
    ? bigint
    : [Value] extends [number]
      ? number
      : number | bigint;

type ResultOf<Row, One> =
  One extends Aggregate<'count', string>
    ? number
    : One extends Aggregate<'avg', string>
      ? number | null
      : One extends Aggregate<'sum', infer Name>
        ? SumOf<ValueOf<Row, Name>> | null
        : One extends Aggregate<AggregateFunction, infer Name>
          ? ValueOf<Row, Name> | null
          : never;

type Flat<T> = { [Name in keyof T]: T[Name] };

/** A group: the values of its properties, and its aggregates. */
export type AggregateResult<
  Row,
  Groups extends readonly string[],
  Select extends Aggregates,
> = Flat<
  { [Name in NameIn<Groups[number]>]: ValueOf<Row, Name> | null } & {
    -readonly [Name in keyof Select]: ResultOf<Row, Select[Name]>;
  }
>;
