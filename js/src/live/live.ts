/**
 * The result of a query that stays up to date, in the forms that frameworks take. The script that
 * follows the table is loaded when the first subscriber comes.
 *
 * @module
 */

import { invalidInput } from '../base/errors.js';
import { isObject } from '../base/kinds.js';
import { shown } from '../base/shown.js';
import type { TableEntityResult } from '../entity/entities.js';
import { LiveIterator, type End } from './live-iterator.js';
import {
  checkedQuery,
  textOf,
  type LiveMaking,
  type LivePlace,
  type LiveQuery,
  type LiveState,
  type QueryOf,
  type ResultSource,
} from './live-making.js';
import type { LiveEntitiesOptions, LiveObserver, Unsubscribe } from './models.js';

/** A subscriber. */
interface Follower<Value> extends LiveObserver<Value> {
  /** Whether it is a listener without parameters: it is also called when the snapshot throws. */
  readonly readsSnapshot?: boolean;
  readonly isListener: boolean;
}

/** Entities that stay up to date. */
export type LiveEntities<T extends object = Record<string, unknown>> = Live<
  readonly TableEntityResult<T>[]
>;

/** A number of entities that stays up to date. */
export type LiveCount = Live<number>;

/** Aggregates that stay up to date. */
export type LiveAggregate<Group extends object = Record<string, unknown>> = Live<readonly Group[]>;

/**
 * The result of a query, up to date after each commit in any tab. `liveEntities()` of a table
 * returns one with entities in an order, `liveCount()` one with their number, and
 * `liveAggregate()` one with aggregates.
 *
 * A result is an array that never changes. A new array means that something in it is new. An entity
 * that did not change is the same object in it. The table is followed while there is a subscriber
 * or an iterator. The whole result is in memory.
 *
 * - `for await (const entities of live)`;
 * - React: `useSyncExternalStore(live.subscribe, live.getSnapshot, live.getServerSnapshot)`;
 * - Svelte: `$live`, as of a store;
 * - RxJS, and every library that knows `Symbol.observable`: `from(live)`.
 *
 * It ends when its signal fires, when the account is closed, and when it fails. After a failure,
 * iterations and observers get the error, `getSnapshot()` throws it, and `onError` is called once.
 * With listeners but without `onError`, the error becomes an unhandled rejection. A listener with a
 * parameter is not called, because a failure is not a result. A listener without parameters, such
 * as React's, is called, so that it reads the snapshot. An observer that subscribes later gets only
 * the error. A listener that subscribes later is called once, with the last result. Earlier
 * listeners get the results after the next `update`.
 */
export class Live<Value, Query extends object = LiveQuery> {
  /** @internal The newest state. Not private, so that a proxy of this object has it, too. */
  state: LiveState<Value>;

  /** @internal */
  readonly place: LivePlace;

  /** @internal Told when the first subscriber comes, and when the last one leaves. */
  onUse: ((isUsed: boolean) => void) | undefined;

  /** @internal */
  onError: LiveEntitiesOptions['onError'];

  readonly #sourceOf: LiveMaking<Value>['sourceOf'];
  readonly #abortSignal: LiveEntitiesOptions['abortSignal'];
  readonly #empty: Value;
  readonly #queryOf: QueryOf;
  #query: LiveQuery;
  #source: ResultSource<Value>;
  readonly #observers = new Set<Follower<Value>>();
  #stop: AbortController | undefined;
  #end: End | undefined;

  /** @internal */
  constructor(
    { sourceOf, empty, isLoaded = false, place, queryOf = checkedQuery }: LiveMaking<Value>,
    options: Omit<LiveEntitiesOptions, 'select' | 'queryOptions'> = {},
  ) {
    const { filter, dialect, top, orderBy, abortSignal, onError } = options;
    this.#sourceOf = sourceOf;
    this.#query = { filter, dialect, top, orderBy };
    this.#source = sourceOf(this.#query);
    this.#abortSignal = abortSignal;
    this.place = place;
    this.onError = onError;
    this.#empty = empty;
    this.#queryOf = queryOf;
    this.state = { value: empty, isLoaded, isStale: false };
    // An app may load a polyfill of Symbol.observable after this script.
    for (const name of ['observable', (Symbol as { observable?: symbol }).observable]) {
      if (name) Object.defineProperty(this, name, { value: () => this });
    }
    this.#endIfAborted();
  }

  /** False until the first result is there; until then, the result is empty. */
  get isLoaded(): boolean {
    return this.state.isLoaded;
  }

  /** Whether the result is still that of the query before the last `update`. */
  get isStale(): boolean {
    return this.state.isStale;
  }

  /** The error that it failed with; undefined unless it failed. */
  get error(): unknown {
    return this.state.error;
  }

  /** @internal The same for results of one owner that show the same. */
  get key(): string {
    return `${this.place.family} ${textOf(this.#query)}`;
  }

  /** @internal Vue makes no proxy of it, which could not read its private members. */
  get __v_skip(): boolean {
    return true;
  }

  /**
   * Returns the newest result. Bound, as `subscribe` is.
   *
   * @throws the error that it failed with.
   */
  readonly getSnapshot = (): Value => {
    if (this.#end?.length) throw this.#end[0];
    return this.state.value;
  };

  /** Returns the empty result, always the same one. A server renders it. Bound. */
  readonly getServerSnapshot = (): Value => this.#empty;

  /**
   * Changes the query. The old result stays until the first result of the new query is there. After
   * a failure, the live result starts again. Bound.
   *
   * @throws {@link TableError} `InvalidInput`, if an option is unknown.
   */
  readonly update = (query: Query): void => {
    const { filter, dialect, top, orderBy } = this.#queryOf(query);
    const next = { filter, dialect, top, orderBy };
    if (textOf(next) === textOf(this.#query) && !this.#end) return;
    this.#query = next;
    this.#source = this.#sourceOf(this.#query);
    this.#set({ isStale: this.isLoaded, error: undefined });
    this.#stop?.abort();
    if (this.#end?.length) this.#end = undefined;
    if (!this.#end && this.#observers.size) this.#start();
  };

  /**
   * Calls a listener now and with each new result. Calls an observer from the first result on. An
   * error that they throw is reported as an uncaught error.
   *
   * @throws {@link TableError} `InvalidInput`, if it is neither a function nor an object.
   */
  readonly subscribe = (listener: ((value: Value) => void) | LiveObserver<Value>): Unsubscribe => {
    const isListener = typeof listener === 'function';
    if (!isListener && !isObject(listener)) {
      throw invalidInput(
        `The listener of subscribe must be a function or an observer, not ${shown(listener)}.`,
      );
    }
    const hasFailed = Boolean(this.#end?.length);
    // A new object, because the same listener may subscribe twice.
    const observer: Follower<Value> = isListener
      ? { next: listener, readsSnapshot: listener.length === 0 && !hasFailed, isListener }
      : {
          isListener,
          next: (value) => listener.next?.(value),
          error: (error) => listener.error?.(error),
          complete: () => listener.complete?.(),
        };
    // After a failure, an observer gets only the error.
    if (isListener || (this.isLoaded && !hasFailed))
      isolate(() => observer.next!(this.state.value));
    this.#observers.add(observer);
    // The signal may have fired since the last subscriber, or in the listener just now.
    this.#endIfAborted();
    if (this.#end) this.#notifyEnd([observer]);
    else if (this.#observers.size === 1) this.#start();
    const unsubscribe = () => {
      if (!this.#observers.delete(observer) || this.#observers.size) return;
      this.#stop?.abort();
      this.onUse?.(false);
    };
    return Object.assign(unsubscribe, { unsubscribe });
  };

  /**
   * Iterates over the newest result, and then over each newer one. It skips a result if a newer one
   * comes before the next iteration.
   *
   * @throws {@link TableError} from the iteration: `TableNotFound`, and the errors of
   * `listEntities`.
   */
  readonly [Symbol.asyncIterator] = (): AsyncIterableIterator<Value> => {
    return new LiveIterator(this);
  };

  #set(state: Partial<LiveState<Value>>): void {
    this.state = { ...this.state, ...state };
  }

  #start(): void {
    this.onUse?.(true);
    const stop = (this.#stop = new AbortController());
    this.#listenUntil(stop.signal);
    const unlessStopped = (work: () => void) => stop.signal.aborted || work();
    const report = (value: Value) =>
      unlessStopped(() => {
        if (this.isLoaded && !this.isStale && value === this.state.value) return;
        this.#set({ value, isLoaded: true, isStale: false });
        for (const observer of [...this.#observers]) isolate(() => observer.next!(value));
      });
    this.#source(report, stop.signal).then(
      () => unlessStopped(() => this.#finish([])),
      (error: unknown) => unlessStopped(() => this.#finish([error])),
    );
  }

  #endIfAborted(): void {
    if (this.#abortSignal?.aborted) this.#end ??= [];
  }

  // The listener is removed, because a signal may live longer than the last subscriber, and would
  // keep the result in memory.
  #listenUntil(stopped: AbortSignal): void {
    const abortSignal = this.#abortSignal;
    const onAbort = () => this.#finish([]);
    // eslint-disable-next-line entitable/abort-listeners -- subscribe() has read it just before
    abortSignal?.addEventListener('abort', onAbort);
    // eslint-disable-next-line entitable/abort-listeners -- its controller is new
    stopped.addEventListener('abort', () => abortSignal?.removeEventListener('abort', onAbort));
  }

  #finish(end: End): void {
    this.#end ??= end;
    this.#set({ error: this.#end[0] });
    this.#stop?.abort();
    this.#notifyEnd([...this.#observers]);
    if (this.#end.length) this.onError?.(this.#end[0]);
  }

  // Each observer is called at most once. After a failure, `update` goes on with the listeners.
  #notifyEnd(observers: readonly Follower<Value>[]): void {
    for (const observer of observers) {
      if (!observer.isListener || !this.#end!.length) this.#observers.delete(observer);
    }
    const [error] = this.#end!;
    for (const observer of observers) {
      isolate(() => {
        if (!this.#end!.length) observer.complete?.();
        else if (observer.error) observer.error(error);
        else if (observer.readsSnapshot) observer.next!(this.state.value);
      });
    }
    if (!this.#end!.length || this.onError) return;
    // eslint-disable-next-line @typescript-eslint/no-floating-promises -- the host reports it
    if (observers.some((observer) => !observer.error)) void Promise.reject(error);
  }
}

// An error of one observer becomes an uncaught error, and the other observers are still called.
function isolate(work: () => void): void {
  try {
    work();
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}
