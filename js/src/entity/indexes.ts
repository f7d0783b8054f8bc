/**
 * The declared indexes of a table. Beyond the service.
 *
 * @module
 */

import type { AbortSignalLike } from '../base/platform.js';
import type { OrderTerm } from './models.js';

/**
 * An index that also has other properties of the entities: `{ by: ['owner'], include: ['title'] }`.
 * A list that needs no other properties reads only the index.
 *
 * @typeParam Name - the properties that an index can have.
 */
export interface CoveringIndex<Name extends string = string> {
  /** The properties of the index, in the order in which it sorts. */
  readonly by: readonly OrderTerm<Name>[];

  /**
   * The properties that it has beside these; `all` of an entity, which suits short ones. If they
   * have more than 4 KiB together, a list reads the entity.
   */
  readonly include: readonly Name[] | 'all';
}

/**
 * Either the properties of an index, in the order in which it sorts, each with an optional
 * direction: `['owner', 'created desc']`. Or these with properties to include. Or the words of a
 * text, for `search`: `['words(text)']`.
 *
 * @typeParam Name - the properties that an index can have.
 * @typeParam Text - the properties whose words it can have.
 */
export type TableIndex<Name extends string = string, Text extends string = Name> =
  readonly OrderTerm<Name>[] | CoveringIndex<Name> | readonly [`words(${Text})`];

/** Whether it includes properties. */
export const isCovering = <Name extends string>(
  index: TableIndex<Name>,
): index is CoveringIndex<Name> => !Array.isArray(index);

/** What it is an index of. */
export const termsOf = (index: TableIndex): readonly string[] =>
  isCovering(index) ? index.by : index;

/** The indexes of a table without a definition. */
export interface TableIndexes {
  readonly tableName: string;
  readonly indexes: readonly TableIndex[];
}

/** How far the build of indexes has come. */
export interface UpdateIndexesProgress {
  /** How many stored entities this call has added to the indexes. */
  entities: number;
}

/** Options of `updateIndexes`. */
export interface UpdateIndexesOptions {
  /** Called after each step. A step adds up to 500 entities, or fewer if their texts are long. */
  onProgress?: ((progress: UpdateIndexesProgress) => void) | undefined;

  /** Ends the call between two steps. A later call continues from there. */
  abortSignal?: AbortSignalLike | undefined;
}
