/**
 * Options and reports of changes to all entities that fit a filter. Beyond the service.
 *
 * @module
 */

import type { TableError } from '../base/errors.js';
import type { AbortSignalLike } from '../base/platform.js';
import type { FilterDialectOptions } from './models.js';

interface BulkOptions<Progress> extends FilterDialectOptions {
  /**
   * Which entities: an OData expression, as for `listEntities`. `'true'` is the filter of all
   * entities of the table. There must be one.
   */
  filter: string;

  /** Called after each step: up to 1000 entities. */
  onProgress?: ((progress: Progress) => void) | undefined;

  /**
   * Ends the call when the step that has begun is stored: the call is rejected with a DOMException.
   * It has the name of the signal's reason, the reason as its `cause`, and the number of changed
   * entities as its member `stored`. If nothing is left to do, the signal has no effect.
   */
  abortSignal?: AbortSignalLike | undefined;
}

/** The progress and the result of `deleteEntities`. */
export interface DeleteEntitiesProgress {
  /** How many entities fitted the filter when they were read. */
  found: number;

  /** How many of them were deleted. The others no longer fitted when their turn came. */
  deleted: number;
}

/** Options of `deleteEntities`. */
export type DeleteEntitiesOptions = BulkOptions<DeleteEntitiesProgress>;

/** The progress and the result of `updateEntities`. */
export interface UpdateEntitiesProgress {
  /** How many entities fitted the filter when they were read. */
  found: number;

  /** How many of them were updated. */
  updated: number;

  /** How many of them a rule has refused. The rest no longer fitted, or `set` left them as is. */
  refused: number;
}

/**
 * Options of `updateEntities`.
 *
 * @typeParam Set - the properties to merge, or a function that returns them.
 */
export interface UpdateEntitiesOptions<Set> extends BulkOptions<UpdateEntitiesProgress> {
  /**
   * The properties to merge into each entity, as in `updateEntity`; or a function that returns them
   * for an entity, and undefined to leave it as it is. The function is called again for an entity
   * that was changed meanwhile and still fits: up to 100 times, then the call fails with
   * `UpdateConditionNotSatisfied`. It may return the keys, but not change them. It must not write
   * to the table itself.
   */
  set: Set;

  /**
   * Called with the error of each entity that a rule refuses: a declared or enforced schema, or a
   * limit of the service. `details` has its keys. The entity stays as it is, and the call goes on.
   * Without this option, the first such error ends the call.
   */
  onRefused?: ((error: TableError) => void) | undefined;
}
