/**
 * What to calculate of groups of entities.
 *
 * @module
 */

import type { ReadOptions } from '../base/call-options.js';
import { isObject } from '../base/kinds.js';
import type { Edm } from './edm.js';
import type {
  FilterDialectOptions,
  OrderableName,
  OrderTerm,
  TableEntityCountOptions,
} from './models.js';

/** The functions of aggregates. */
export type AggregateFunction =
  'count' | 'sum' | 'avg' | 'min' | 'max' | 'distinct' | 'quantile' | 'histogram';

/**
 * What to calculate: {@link count}, {@link countDistinct}, {@link sum}, {@link avg}, {@link min},
 * {@link max}, {@link quantile}, {@link histogram}.
 */
export interface Aggregate<
  Function extends AggregateFunction = AggregateFunction,
  Name extends string = string,
> {
  readonly function: Function;
  /** The property; undefined for a count of entities. */
  readonly name: Name | undefined;
  /** The fraction of a quantile, or the bins of a histogram. */
  readonly argument?: number | HistogramOptions | undefined;
}

/** What to calculate, under the names that the results have. */
export type Aggregates<Name extends string = string> = Readonly<
  Record<string, Aggregate<AggregateFunction, Name>>
>;

/** The bins of a histogram. */
export type HistogramOptions =
  | {
      /**
       * The number of bins, 1 to 1000. They have equal width, from the least to the greatest finite
       * number of all groups together. If these are equal, there is one bin.
       */
      readonly bins: number;
      readonly bounds?: undefined;
    }
  | {
      /** Where the bins begin, and where the last one ends: 2 to 1001 numbers that ascend. */
      readonly bounds: readonly number[];
      readonly bins?: undefined;
    };

/**
 * The result of `histogram`: how many numbers are in each bin, below all bins and above them.
 */
export interface Histogram {
  /** One after another, without gaps. Without a finite number, `{ bins }` gives none. */
  readonly bins: HistogramBin[];
  /** How many numbers are less than all bins. */
  readonly below: number;
  /** How many numbers are greater than all bins. */
  readonly above: number;
}

/** The numbers from `from` up to, but not including, `to`. The last bin includes `to`. */
export interface HistogramBin {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

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
 * How many different values a property has, exactly. Values are the same if they would be one group
 * in `groupBy`. A missing value does not count.
 */
export const countDistinct = /* @__PURE__ */ make('distinct');

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

/**
 * The number that a fraction of the numbers of a property does not exceed; null if there are no
 * numbers. `quantile('ms', 0.5)` is the median.
 *
 * It is exact, and as `PERCENTILE_CONT` of SQL: of n sorted numbers, the one at the place
 * `fraction × (n - 1)`, counted from 0; between two places, in proportion between their numbers.
 * NaN and values that are no numbers do not count. An Int64 counts as the nearest Double.
 *
 * @param fraction - from 0, the least number, to 1, the greatest.
 */
export const quantile = <const Name extends string>(
  name: Name,
  fraction: number,
): Aggregate<'quantile', Name> => ({ function: 'quantile', name, argument: fraction });

/**
 * How many numbers of a property are in each bin. NaN and values that are no numbers do not count.
 *
 * @example
 * ```ts
 * const [{ prices }] = await table.aggregate({
 *   select: { prices: histogram('price', { bins: 20 }) },
 * });
 * for (const { from, to, count } of prices.bins) console.log(from, to, count);
 * ```
 */
export const histogram = <const Name extends string>(
  name: Name,
  options: HistogramOptions,
): Aggregate<'histogram', Name> => ({ function: 'histogram', name, argument: options });

/** A part of a date, in UTC. */
export type DatePart = 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second';

/** The names of the properties that may have dates. */
type DateName<Row> = {
  [Name in OrderableName<Row>]: unknown extends ValueOf<Row, Name>
    ? Name
    : [Extract<ValueOf<Row, Name>, Date | Edm<'DateTime'>>] extends [never]
      ? never
      : Name;
}[OrderableName<Row>];

/** What makes groups: the name of a property, or a part of a date, as in `year(born)`. */
export type GroupName<Row> = OrderableName<Row> | `${DatePart}(${DateName<Row>})`;

/** What makes groups, in an array or under the names that the results have. */
export type GroupBy<Name extends string = string> =
  readonly OrderTerm<Name>[] | Readonly<Record<string, OrderTerm<Name>>>;

/** Options of `aggregate`. Beyond the service. */
export interface AggregateOptions<
  Groups extends GroupBy = GroupBy,
  Select extends Aggregates = Aggregates,
>
  extends ReadOptions, TableEntityCountOptions, FilterDialectOptions {
  /**
   * What makes groups, up to 16 terms: names of properties, and parts of dates such as
   * `year(born)`, each with `asc` or `desc` if wanted. The groups come in the order of these terms,
   * as in `orderBy`. Without a term, all entities are one group.
   *
   * A result has the value of a term under the name of the property or the text of the function,
   * `row['year(born)']`. An object gives them other names: `{ year: 'year(born)' }`.
   *
   * The functions are `year`, `month`, `day`, `hour`, `minute` and `second`, in UTC. Entities whose
   * property is missing or no DateTime are in the group with null.
   */
  groupBy?: Groups | undefined;

  /** What to calculate, up to 64 aggregates. Without it, the results are the distinct groups. */
  select?: Select | undefined;

  /** The same option as `filter`, in the form of the official client. */
  queryOptions?: TableEntityCountOptions | undefined;
}

/** A copy of `groupBy` or `select`: the caller may change the object later. */
export const copyOf = <Given>(given: Given): Given => {
  if (Array.isArray(given)) return Array.from<unknown>(given) as Given;
  return isObject(given) ? { ...given } : given;
};

type NameIn<Term> = Term extends `${infer Name} ${'asc' | 'desc'}` ? Name : Term;

// Of an untyped table, a name is any text.
type ValueOf<Row, Name> = Name extends keyof Row
  ? Exclude<Row[Name], null | undefined>
  : Name extends 'partitionKey' | 'rowKey'
    ? string
    : Name extends 'timestamp'
      ? Date | Edm<'DateTime'>
      : unknown;

type GroupValue<Row, Name> =
  (Name extends `${DatePart}(${string})` ? number : ValueOf<Row, Name>) | null;

type GroupValues<Row, Groups extends GroupBy> = Groups extends readonly (infer Term)[]
  ? { [Name in NameIn<Term> & string]: GroupValue<Row, Name> }
  : { -readonly [Name in keyof Groups]: GroupValue<Row, NameIn<Groups[Name]>> };

type SumOf<Value> = unknown extends Value
  ? number | bigint
  : [Value] extends [bigint]
    ? bigint
    : [Value] extends [number]
      ? number
      : number | bigint;

type ResultOf<Row, One> =
  One extends Aggregate<'count' | 'distinct', string>
    ? number
    : One extends Aggregate<'histogram', string>
      ? Histogram
      : One extends Aggregate<'avg' | 'quantile', string>
        ? number | null
        : One extends Aggregate<'sum', infer Name>
          ? SumOf<ValueOf<Row, Name>> | null
          : One extends Aggregate<AggregateFunction, infer Name>
            ? ValueOf<Row, Name> | null
            : never;

type Flat<T> = { [Name in keyof T]: T[Name] };

/** A group: the values of its properties, and its aggregates. */
export type AggregateResult<Row, Groups extends GroupBy, Select extends Aggregates> = Flat<
  GroupValues<Row, Groups> & {
    -readonly [Name in keyof Select]: ResultOf<Row, Select[Name]>;
  }
>;
