/**
 * What subscriptions and live results take and report.
 *
 * @module
 */

import type { AbortSignalLike } from '../base/platform.js';
import type { DeletedTableEntity, TableEntityResult } from '../entity/models.js';

/** Which entities to follow. Beyond the service. */
export interface LiveEntitiesOptions {
  /** An OData expression: write it with the `odata` tag. By default all entities. */
  filter?: string | undefined;

  /** Ends it. */
  abortSignal?: AbortSignalLike | undefined;

  /** Is called when it fails, and so ends. */
  onError?: ((error: unknown) => void) | undefined;
}

/** What commits did to the entities that fit a filter. */
export interface TableEntityChanges<T> {
  /** Entities that fit now, and did not, or were not there. */
  readonly inserted: readonly TableEntityResult<T>[];

  /** Entities that did fit, as they are now. */
  readonly updated: readonly TableEntityResult<T>[];

  /** The keys of entities that did fit, and do no more, or are gone; with their last etag. */
  readonly deleted: readonly DeletedTableEntity[];

  /**
   * True: nothing else is told. It begins here; or more happened than is told one by one, because
   * very much was loaded or the table was made anew. An app that shows them reads them again.
   */
  readonly reset: boolean;
}
