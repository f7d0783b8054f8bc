/**
 * The declared indexes of a table. Beyond the service.
 *
 * @module
 */

import type { AbortSignalLike } from '../base/platform.js';
import type { OrderTerm } from './models.js';

/**
 * The properties of an index, in the order in which it sorts; each may have a direction:
 * `['owner', 'created desc']`. Or the words of a text, for `search`: `['words(text)']`.
 *
 * @typeParam Name - the names that an index takes.
 * @typeParam Text - the names whose words it takes.
 */
export type TableIndex<Name extends string = string, Text extends string = Name> =
  readonly OrderTerm<Name>[] | readonly [`words(${Text})`];

/** How far the build of indexes has come. */
export interface UpdateIndexesProgress {
  /** How many stored entities were added since the call. */
  entities: number;
}

/** Options of `updateIndexes`. */
export interface UpdateIndexesOptions {
  /** Called after each step: up to 500 entities, fewer with long texts. */
  onProgress?: ((progress: UpdateIndexesProgress) => void) | undefined;

  /** Ends the call between two steps. What is built stays, and a later call goes on from there. */
  abortSignal?: AbortSignalLike | undefined;
}
