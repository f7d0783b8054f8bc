/**
 * Options and reports of subscriptions and live results.
 *
 * @module
 */

import type { AbortSignalLike } from '../base/platform.js';
import type { AggregateOptions, Aggregates, GroupBy } from '../entity/aggregates.js';
import type { Selection, TableEntityResult } from '../entity/entities.js';
import type {
  DeletedTableEntity,
  FilterDialectOptions,
  OrderTerm,
  TableEntityCountOptions,
  TableEntityQueryOptions,
} from '../entity/models.js';

/** Which entities to follow. Beyond the service. */
export interface LiveEntitiesOptions<
  S extends Selection = Selection,
  Name extends string = string,
> extends FilterDialectOptions {
  /** An OData expression: write it with the `odata` tag. By default all entities. */
  filter?: string | undefined;

  /**
   * The most entities of a live result, from 1: the first ones in its order. If one of them is
   * deleted, the next one takes its place. Only these entities are in memory.
   */
  top?: number | undefined;

  /**
   * The properties to order a live result by, as in `TableEntityOrderOptions`. After each
   * commit that may change the result, the table is read again.
   */
  orderBy?: readonly OrderTerm<Name>[] | undefined;

  /**
   * The names of the properties to return. Without a name, all properties are returned. The keys,
   * the etag and the timestamp always are.
   */
  select?: S | undefined;

  /** The same options, in the form of the official client. */
  queryOptions?: TableEntityQueryOptions<S> | undefined;

  /** Ends the subscription or the live result. */
  abortSignal?: AbortSignalLike | undefined;

  /** Called when it fails, which ends it. */
  onError?: ((error: unknown) => void) | undefined;
}

/** Options of a subscription, which reports all changes. */
export type SubscribeOptions<S extends Selection = Selection> = Omit<
  LiveEntitiesOptions<S>,
  'top' | 'orderBy'
>;

/** Options of `liveAggregate`. */
export interface LiveAggregateOptions<
  Groups extends GroupBy = GroupBy,
  Select extends Aggregates = Aggregates,
>
  extends LiveCountOptions, Pick<AggregateOptions<Groups, Select>, 'groupBy' | 'select'> {}

/** Options of `liveCount`. */
export interface LiveCountOptions extends Pick<
  LiveEntitiesOptions,
  'filter' | 'dialect' | 'abortSignal' | 'onError'
> {
  /** The same option, in the form of the official client. */
  queryOptions?: TableEntityCountOptions | undefined;
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
   * True if the single changes are not known, and the lists are empty: in the first report, after
   * an import that was too large to report, or if the table was created again. An app that shows
   * the entities must then read them again.
   */
  readonly reset: boolean;

  /**
   * `local`: an app wrote the changes, in this tab or another one. `remote`: `entitable/sync`
   * stored what the remote account has, or the result of a conflict. An entity that both have
   * changed counts as the later change. undefined: in a report with `reset`.
   */
  readonly origin: 'local' | 'remote' | undefined;
}

/** Takes results, one after another, as an observer of an `Observable` does. */
export interface LiveObserver<Value> {
  next?(value: Value): void;
  error?(error: unknown): void;
  complete?(): void;
}

/** Ends a subscription, in either form. It may be called again. */
export interface Unsubscribe {
  (): void;
  unsubscribe(): void;
}
