/**
 * Options and reports of subscriptions and live results.
 *
 * @module
 */

import type { AbortSignalLike } from '../base/platform.js';
import type { DeletedTableEntity, TableEntityResult } from '../entity/models.js';

/** Which entities to follow. Beyond the service. */
export interface LiveEntitiesOptions {
  /** An OData expression: write it with the `odata` tag. By default all entities. */
  filter?: string | undefined;

  /** Ends the subscription or the live result. */
  abortSignal?: AbortSignalLike | undefined;

  /** Called when it fails, which ends it. */
  onError?: ((error: unknown) => void) | undefined;
}

/** How commits changed the set of entities that fit a filter. */
export interface TableEntityChanges<T> {
  /** Entities that fit now, and did not fit before or did not exist. */
  readonly inserted: readonly TableEntityResult<T>[];

  /** Entities that fitted before and still fit, as they are now. */
  readonly updated: readonly TableEntityResult<T>[];

  /**
   * The keys and last etags of entities that fitted before, and do not fit any more or are deleted.
   */
  readonly deleted: readonly DeletedTableEntity[];

  /**
   * True: the single changes are not known, and the lists are empty. It is the first report, or an
   * import was too large to report, or the table was created again. An app that shows the entities
   * must read them again.
   */
  readonly reset: boolean;
}

/** Takes results, one after another, as an observer of an `Observable` does. */
export interface LiveObserver<T extends object> {
  next?(entities: readonly TableEntityResult<T>[]): void;
  error?(error: unknown): void;
  complete?(): void;
}

/** Ends a subscription, in either form. It may be called again. */
export interface Unsubscribe {
  (): void;
  unsubscribe(): void;
}
