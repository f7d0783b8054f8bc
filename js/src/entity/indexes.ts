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

/** Whether a value is a list of lists of texts. JavaScript may pass any value. */
export function areListsOfTexts(value: unknown): value is string[][] {
  return isListOf(value, (list) => isListOf(list, (text) => typeof text === 'string'));
}

// Array.from() also visits the gaps of a list.
const isListOf = (value: unknown, isItem: (item: unknown) => boolean) =>
  Array.isArray(value) && Array.from<unknown>(value).every(isItem);

/** The property whose words an index has; undefined if its first term is another one. */
export function wordsOf(index: readonly string[]): string | undefined {
  return /^words\((.*)\)$/.exec(index[0] ?? '')?.[1];
}
