/**
 * The result of a query that stays up to date, in the forms that frameworks take. The script that
 * follows the table is loaded when the first subscriber comes.
 *
 * @module
 */

import { invalidInput } from '../base/errors.js';
import { isObject } from '../base/kinds.js';
import { shown } from '../base/shown.js';
import type { TableEntityResult } from '../entity/models.js';
import { LiveIterator, type End } from './live-iterator.js';
import type { LiveEntitiesOptions, LiveObserver, Unsubscribe } from './models.js';

/**
 * Reports each new result until it is aborted. Rejects when it cannot go on.
 *
 * @internal
 */
export type FollowResult<T extends object> = (
  report: (entities: readonly TableEntityResult<T>[]) => void,
  signal: AbortSignal,
) => Promise<void>;

/** What subscribes. */
interface Follower<T extends object> extends LiveObserver<T> {
  /** A listener that takes no result, and must be called when the snapshot throws. */
  readonly readsSnapshot?: boolean;
}

/**
 * The entities that fit a filter, ordered by their keys, as they are now and after each commit in
 * any tab. `TableClient.liveEntities()` makes it.
 *
 * A result is an array that never changes. A new array means that something in it is new. An entity
 * that did not change is the same object in it. The table is followed while there is a subscriber
 * or an iterator. The whole result is in memory.
 *
 * - `for await (const entities of live)`;
 * - React: `useSyncExternalStore(live.subscribe, live.getSnapshot)`;
 * - Svelte: `$live`, as of a store;
 * - RxJS, and every library that knows `Symbol.observable`: `from(live)`.
 *
 * It ends when its signal fires, when the account is closed, and when it fails. After a failure,
 * iterations and observers get the error, `getSnapshot()` throws it, and `onError` is called once.
 * If there are only listeners and no `onError`, it is an unhandled rejection. A failure is no
 * result, so a listener that takes the result is not called. A listener without parameters, such as
 * React's, is called to read the snapshot. An observer that subscribes later gets only the error; a
 * listener is called once, with the last result.
 */
export class LiveEntities<T extends object = Record<string, unknown>> {
  readonly #follow: FollowResult<T>;
  readonly #onError: LiveEntitiesOptions['onError'];
  readonly #abortSignal: LiveEntitiesOptions['abortSignal'];
  readonly #observers = new Set<Follower<T>>();
  #entities: readonly TableEntityResult<T>[] = [];
  #isLoaded = false;
  #stop: AbortController | undefined;
  #end: End | undefined;

  /** @internal */
  constructor(follow: FollowResult<T>, { abortSignal, onError }: LiveEntitiesOptions) {
    this.#follow = follow;
    this.#onError = onError;
    // An app may load a polyfill of Symbol.observable after this script.
    for (const name of ['observable', (Symbol as { observable?: symbol }).observable]) {
      if (name) Object.defineProperty(this, name, { value: () => this });
    }
    this.#abortSignal = abortSignal;
    this.#endIfAborted();
  }

  /** False until the first result is there; until then, the result is empty. */
  get isLoaded(): boolean {
    return this.#isLoaded;
  }

  /**
   * Returns the newest result. Bound, as `subscribe` is.
   *
   * @throws the error that it failed with.
   */
  readonly getSnapshot = (): readonly TableEntityResult<T>[] => {
    if (this.#end?.length) throw this.#end[0];
    return this.#entities;
  };

  /**
   * Calls a listener now and with each new result; an observer, from the first result on. Their
   * errors go to the host.
   *
   * @throws {@link TableError} `InvalidInput`, if it is neither a function nor an object.
   */
  readonly subscribe = (
    listener: ((entities: readonly TableEntityResult<T>[]) => void) | LiveObserver<T>,
  ): Unsubscribe => {
    const isListener = typeof listener === 'function';
    if (!isListener && !isObject(listener)) {
      throw invalidInput(
        `What subscribes must be a function or an observer, not ${shown(listener)}.`,
      );
    }
    // An object of its own, because the same one may subscribe twice.
    const hasFailed = Boolean(this.#end?.length);
    const observer: Follower<T> = isListener
      ? { next: listener, readsSnapshot: listener.length === 0 && !hasFailed }
      : {
          next: (entities) => listener.next?.(entities),
          error: (error) => listener.error?.(error),
          complete: () => listener.complete?.(),
        };
    // After a failure, an observer gets only the error.
    if (isListener || (this.#isLoaded && !hasFailed)) isolate(() => observer.next!(this.#entities));
    this.#observers.add(observer);
    // The signal may have fired since the last subscriber, or in the listener just now.
    this.#endIfAborted();
    if (this.#end) this.#notifyEnd();
    else if (this.#observers.size === 1) this.#start();
    const unsubscribe = () => {
      if (this.#observers.delete(observer) && !this.#observers.size) this.#stop?.abort();
    };
    return Object.assign(unsubscribe, { unsubscribe });
  };

  /**
   * Iterates over the newest result, and then over each newer one; it skips results that come too
   * fast.
   *
   * @throws {@link TableError} from the iteration: `TableNotFound`, and the errors of
   * `listEntities`.
   */
  [Symbol.asyncIterator](): AsyncIterableIterator<readonly TableEntityResult<T>[]> {
    return new LiveIterator(this);
  }

  #start(): void {
    const stop = (this.#stop = new AbortController());
    this.#listenUntil(stop.signal);
    const unlessStopped = (work: () => void) => stop.signal.aborted || work();
    const report = (entities: readonly TableEntityResult<T>[]) =>
      unlessStopped(() => {
        if (this.#isLoaded && entities === this.#entities) return;
        this.#entities = entities;
        this.#isLoaded = true;
        for (const observer of [...this.#observers]) isolate(() => observer.next!(entities));
      });
    this.#follow(report, stop.signal).then(
      () => unlessStopped(() => this.#finish([])),
      (error: unknown) => unlessStopped(() => this.#finish([error])),
    );
  }

  #endIfAborted(): void {
    if (this.#abortSignal?.aborted) this.#end ??= [];
  }

  // A signal may live longer than the last subscriber, and would hold the result.
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
    this.#stop?.abort();
    this.#notifyEnd();
    if (this.#end.length) this.#onError?.(this.#end[0]);
  }

  // Each observer is called at most once.
  #notifyEnd(): void {
    const observers = [...this.#observers];
    this.#observers.clear();
    const [error] = this.#end!;
    for (const observer of observers) {
      isolate(() => {
        if (!this.#end!.length) observer.complete?.();
        else if (observer.error) observer.error(error);
        else if (observer.readsSnapshot) observer.next!(this.#entities);
      });
    }
    if (!this.#end!.length || this.#onError) return;
    // eslint-disable-next-line @typescript-eslint/no-floating-promises -- the host reports it
    if (observers.some((observer) => !observer.error)) void Promise.reject(error);
  }
}

// The host gets the error of one observer, and the others are still called.
function isolate(work: () => void): void {
  try {
    work();
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}
