/**
 * A result that stays up to date. All components that show it share it.
 *
 * @module
 */

/** What a view shows at one moment. It never changes: a view replaces it. */
export interface ViewState<R> {
  /** Missing until the first result is there. */
  readonly value: R | undefined;

  readonly isLoaded: boolean;

  /** The value is that of an earlier query, and the new one is not there yet. */
  readonly isStale: boolean;

  /** Missing, unless the view has failed. Then its value is the last one. */
  readonly error?: unknown;
}

/** A view and its newest result. */
export interface Shown<R> {
  readonly view: View<R>;
  readonly state: ViewState<R>;
}

/** Starts to report values, and returns a function that ends the reports. May be called again. */
export type Follow<R> = (report: (value: R) => void, fail: (error: unknown) => void) => () => void;

/** The views of one account. */
export type Views = Map<string, View<unknown>>;

/** Where components find a shared view. */
export interface Place {
  readonly views: Views;
  readonly key: string;

  /** Names the queries that may show each other's result for a moment; empty if none may. */
  readonly family: string;
}

/** The state of every view before its first result. */
export const PENDING: ViewState<never> = { value: undefined, isLoaded: false, isStale: false };

// How long a view without subscribers stays in its place, in milliseconds. React may discard a
// first render and repeat it, and a component may leave the page and come back. Both need the old
// result.
const KEPT_MS = 1000;

/**
 * Follows its source while it has subscribers. It leaves its place some time after the last
 * subscriber has left.
 */
export class View<R> {
  readonly place: Place | undefined;
  readonly #follow: Follow<R>;
  readonly #listeners = new Set<() => void>();
  #state: ViewState<R>;
  #stop: (() => void) | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #ready: Promise<void> | undefined;

  /** A view without a place is not shared: its one owner keeps it. */
  constructor(follow: Follow<R>, place?: Place, state: ViewState<R> = PENDING) {
    this.#follow = follow;
    this.place = place;
    this.#state = state;
    this.#enter();
    this.#leaveLater();
  }

  readonly getState = (): ViewState<R> => this.#state;

  /** Calls a listener after each change, until the returned function is called. */
  readonly subscribe = (listener: () => void): (() => void) => this.#join(listener, true);

  /** Resolves when there is a first result, or an error. */
  ready(): Promise<void> {
    let leave!: () => void;
    this.#ready ??= new Promise<void>((resolve) => {
      leave = this.#join(() => resolve(), false);
    }).then(() => leave());
    return this.#ready;
  }

  #join(notify: () => void, isShown: boolean): () => void {
    // A new function, because `notify` may subscribe twice.
    const listener = () => notify();
    this.#listeners.add(listener);
    if (this.#listeners.size === 1) this.#begin();
    return () => {
      if (!this.#listeners.delete(listener) || this.#listeners.size > 0) return;
      this.#stop?.();
      // A component that is shown again after a failure tries again.
      if (isShown && this.#state.error) this.#leave();
      else this.#leaveLater();
    };
  }

  #begin(): void {
    clearTimeout(this.#timer);
    this.#enter();
    if (this.#state.error) return;
    this.#stop = this.#follow(
      (value) => {
        if (this.#state.isLoaded && value === this.#state.value) return;
        this.#change({ value, isLoaded: true, isStale: false });
      },
      (error) => this.#change({ ...this.#state, error }),
    );
  }

  #change(state: ViewState<R>): void {
    this.#state = state;
    for (const listener of [...this.#listeners]) listener();
  }

  #enter(): void {
    const { views, key } = this.place ?? {};
    if (views && !views.has(key!)) views.set(key!, this as View<unknown>);
  }

  #leaveLater(): void {
    if (!this.place) return;
    this.#timer = setTimeout(() => this.#leave(), KEPT_MS);
    // Node would not end while the timer runs.
    (this.#timer as { unref?: () => void }).unref?.();
  }

  #leave(): void {
    const { views, key } = this.place ?? {};
    if (views?.get(key!) === (this as View<unknown>)) views.delete(key!);
  }
}

/**
 * The state to show for a view in `state`. Before the first result of the view, it is the `last`
 * shown state, if that is of the same family.
 */
export function stateToShow<R>(
  view: View<R> | undefined,
  state: ViewState<R>,
  last: Shown<R> | undefined,
): ViewState<R> {
  const [mine, other] = [view?.place, last?.view.place];
  if (!mine?.family || state.isLoaded || state.error) return state;
  const isRelated = mine.views === other?.views && mine.family === other.family;
  return isRelated ? { ...last!.state, isStale: true } : state;
}

/**
 * Returns a function that shows a view, and returns a function that stops showing it. Until the
 * next view has its first result, the old result is shown, if both views are of one family.
 */
export function viewsInto<R>(
  show: (state: ViewState<R>) => void,
): (view: View<R> | undefined) => () => void {
  let last: Shown<R> | undefined;
  return (view) => {
    const update = () => {
      const state = view?.getState() ?? PENDING;
      show(stateToShow(view, state, last));
      if (view && state.isLoaded) last = { view, state };
    };
    const leave = view?.subscribe(update);
    update();
    return leave ?? (() => undefined);
  };
}
