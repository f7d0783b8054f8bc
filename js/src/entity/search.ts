/**
 * What a search takes and returns.
 *
 * @module
 */

import type { ReadOptions } from '../base/call-options.js';
import type { Edm } from './edm.js';
import type { SelectableName, Selection } from './entities.js';
import type {
  FilterDialectOptions,
  TableEntityCountOptions,
  TableEntitySelectOptions,
} from './models.js';

/** The names of the properties that may have texts. */
export type TextName<Row> = {
  [Name in Exclude<SelectableName<Row>, SystemName>]: Name extends keyof Row
    ? MayBeText<Row[Name]> extends true
      ? Name
      : never
    : Name;
}[Exclude<SelectableName<Row>, SystemName>];

type MayBeText<Value> = unknown extends Value
  ? true
  : [Extract<Value, string | Edm<'String'>>] extends [never]
    ? false
    : true;

type SystemName = 'etag' | 'timestamp' | 'partitionKey' | 'rowKey';

/** Options of `search`. Beyond the service. */
export interface SearchOptions<
  S extends Selection = Selection,
  IsTyped extends boolean | undefined = boolean | undefined,
>
  extends ReadOptions, TableEntityCountOptions, TableEntitySelectOptions<S>, FilterDialectOptions {
  /** How many entities to return at most, 1 to 1000; by default 20. */
  top?: number | undefined;

  /** Whether a text must have all words, the default, or any of them. */
  match?: 'all' | 'any' | undefined;

  /** Returns every property as `{ type, value }`, as the option of `listEntities` does. */
  typed?: IsTyped | undefined;
}

/** An entity that a search has found. */
export interface SearchResult<T extends object> {
  readonly entity: T;
  /** How well its text fits. Only scores of one search can be compared. */
  readonly score: number;
}
