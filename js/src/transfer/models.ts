/**
 * Options and reports of imports and exports.
 *
 * @module
 */

import type { OperationOptions } from '../base/call-options.js';
import type { AbortSignalLike, StreamLike } from '../base/platform.js';
import type {
  FilterDialectOptions,
  TableEntityQueryOptions,
  UpdateMode,
} from '../entity/models.js';

/**
 * How an import treats a key that exists already, in the table or earlier in the input.
 *
 * - `Insert` stops the import with `EntityAlreadyExists`.
 * - `Replace` and `Merge` update the entity, as `upsertEntity` does.
 */
export type ImportMode = 'Insert' | UpdateMode;

/** The progress of an import. */
export interface ImportProgress {
  /** How many entities were read from the source. */
  read: number;

  /** How many of them are stored, from the first one on. */
  stored: number;
}

/** Options of `importEntities`. */
export interface ImportEntitiesOptions {
  /** By default `Insert`. */
  mode?: ImportMode | undefined;

  /**
   * Called when more was read or stored: after each part of the input, of about 256 KiB. Entities
   * are stored in steps of several megabytes.
   */
  onProgress?: ((progress: ImportProgress) => void) | undefined;

  /**
   * Ends the import: the call is rejected with a DOMException. It has the name of the signal's
   * reason (`AbortError`, unless the signal has another reason), the reason as its `cause`, and the
   * number of stored entities as its member `stored`. If everything is stored already, the signal
   * has no effect.
   */
  abortSignal?: AbortSignalLike | undefined;
}

/**
 * The entities to import: objects as for `createEntity`, or the bytes of OData JSON in chunks of
 * any size. The JSON is an array, or one object after another (JSON Lines).
 */
export type ImportSource =
  StreamLike<object> | Uint8Array | Iterable<object> | AsyncIterable<object>;

/** Options of `exportEntities`. */
export interface ExportEntitiesOptions
  extends OperationOptions, TableEntityQueryOptions, FilterDialectOptions {
  /** The names of the properties to return; an export always has the keys, too. */
  select?: readonly string[] | undefined;

  /** The same options, in the form of the official client. */
  queryOptions?: TableEntityQueryOptions | undefined;

  /** A JSON array, or JSON Lines with one object a line. By default `lines`. */
  format?: 'array' | 'lines' | undefined;
}
