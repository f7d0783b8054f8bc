/**
 * What imports and exports take and report.
 *
 * @module
 */

import type { OperationOptions } from '../base/call-options.js';
import type { AbortSignalLike, StreamLike } from '../base/platform.js';
import type { TableEntityQueryOptions, UpdateMode } from '../entity/models.js';

/**
 * What an imported entity does where its key exists already, in the table or earlier in the input.
 *
 * - `Insert` stops the import with `EntityAlreadyExists`.
 * - `Replace` and `Merge` update the entity, as `upsertEntity` does.
 */
export type ImportMode = 'Insert' | UpdateMode;

/** How far an import is. */
export interface ImportProgress {
  /** Entities that were taken from the source. */
  read: number;

  /** How many of them, from the first one on, are stored. */
  stored: number;
}

/** Options of `importEntities`. */
export interface ImportEntitiesOptions {
  /** By default `Insert`. */
  mode?: ImportMode | undefined;

  /** Is called after each step that was stored, and at last when the import ends early. */
  onProgress?: ((progress: ImportProgress) => void) | undefined;

  /**
   * Ends the import: the call is rejected with a DOMException that has the name of the signal's
   * reason (`AbortError`, unless another one was given), it as its `cause`, and a member `stored`, which
   * says how many entities are stored.
   */
  abortSignal?: AbortSignalLike | undefined;
}

/**
 * Where imported entities come from: entities as `createEntity` takes them, or the bytes of OData
 * JSON, an array or one object after another (JSON Lines), in chunks that may be cut anywhere.
 */
export type ImportSource =
  StreamLike<object> | Uint8Array | Iterable<object> | AsyncIterable<object>;

/** Options of `exportEntities`. */
export interface ExportEntitiesOptions extends OperationOptions {
  /** The keys are always exported. */
  queryOptions?: TableEntityQueryOptions | undefined;

  /** A JSON array, or JSON Lines: an object a line. By default `lines`. */
  format?: 'array' | 'lines' | undefined;
}
