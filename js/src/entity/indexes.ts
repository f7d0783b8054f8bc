/**
 * The declared indexes of a table. Beyond the service.
 *
 * @module
 */

import type { AbortSignalLike } from '../base/platform.js';
import type { OrderTerm } from './models.js';

/**
 * Either the properties of an index, in the order in which it sorts, each with an optional
 * direction: `['owner', 'created desc']`. Or the words of a text, for `search`: `['words(text)']`.
 *
 * @typeParam Name - the properties that an index can have.
 * @typeParam Text - the properties whose words it can have.
 */
export type TableIndex<Name extends string = string, Text extends string = Name> =
  readonly OrderTerm<Name>[] | readonly [`words(${Text})`];

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
