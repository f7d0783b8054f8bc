/**
 * The options of `defineTable`.
 *
 * @module
 */

import type { TableIndex } from '../entity/indexes.js';
import type { TextName } from '../entity/search.js';
import type { IndexableName } from './indexes.js';
import type { StandardIssue, StandardSchema } from './standard.js';
import type { Versions } from './versions.js';

/**
 * A check of a whole row, in which nothing else is wrong. It returns what is wrong: an empty list,
 * if nothing is. A promise makes the validation a promise.
 */
export type TableCheck<Row = never> = (
  row: Row,
) => readonly StandardIssue[] | Promise<readonly StandardIssue[]>;

/** The option `key` of `defineTable`. */
export type KeyOption<Name extends string = string> =
  | TermOf<Name>
  | readonly [partition: TermOf<Name>, row: TermOf<Name>]
  | { readonly partition: readonly TermOf<Name>[]; readonly row: readonly TermOf<Name>[] };

/** The names of the fields of a key. */
export type KeyNamesOf<Option> = NameIn<
  Option extends string
    ? Option
    : Option extends readonly (infer Term extends string)[]
      ? Term
      : Option extends {
            readonly partition: readonly (infer First extends string)[];
            readonly row: readonly (infer Second extends string)[];
          }
        ? First | Second
        : never
>;

type NameIn<Term extends string> = Term extends `${infer Name} desc` ? Name : Term;
type TermOf<Name extends string> = Name | `${Name} desc`;

/** Options of `defineTable`. */
export interface TableOptions<Row = never> extends Versions {
  /**
   * Which properties are the key of a row: a text, a number, a bigint, a time, a Boolean or a Guid.
   * They stand in rows under their own names, and are stored in the PartitionKey and the RowKey
   * alone. Without this option, the table declares `partitionKey` and `rowKey` itself.
   *
   * - `'id'`: the RowKey. All rows are in the partition `all`.
   * - `['list', 'id']`: the PartitionKey and the RowKey.
   * - `{ partition: ['owner', 'year'], row: ['kind', 'id'] }`: several fields each, from the first.
   *   Keys sort in the order of the fields.
   *
   * A field with ` desc` behind its name sorts from the greatest value: `['room', 'at desc']`.
   *
   * A text that is the only field of a key is stored as it is. Where it has a character that keys
   * forbid, `/` say, the key has two other characters instead; it still sorts as the text does, and
   * two texts never have the same key. Control characters below the space are refused. Other types,
   * and several fields, are written in digits that sort as the values do.
   */
  readonly key?: KeyOption;

  /** Whether `openAccount({ tables })` makes the store hold every writer to the definition. */
  readonly enforce?: boolean;

  /**
   * What a write does with properties that are not declared: it keeps them, as the service does;
   * rejects the row; or drops them. By default it keeps them.
   */
  readonly unknownProperties?: 'keep' | 'reject' | 'drop';

  /**
   * Rules between properties: a function that returns a list of what is wrong, or another
   * validator, which is any Standard Schema, for example of zod. It runs only if nothing else is
   * wrong with the row. Its output is ignored.
   */
  readonly refine?: StandardSchema | TableCheck<Row>;

  /**
   * The indexes of the table: `[['email'], ['owner', 'created desc']]`. A query uses an index if
   * its filter compares the first properties of the index. `{ by: ['owner'], include: ['title'] }`
   * has the title of each row, too, so lists of no more than that read only the index.
   * `['words(text)']` is an index of words, for `search`. `account.updateIndexes` builds the
   * indexes. `partitionKey` and `rowKey` can be parts of an index.
   */
  readonly indexes?: readonly TableIndex<IndexableName<Row>, TextName<Row>>[];

  /** A text for people, which the JSON Schema has, too. */
  readonly description?: string;
}
