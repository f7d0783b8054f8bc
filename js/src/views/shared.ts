/**
 * Live results that components share: equal queries have one, which stays for a moment after the
 * last component has left.
 *
 * @module
 */

import type { Live, LiveState } from '../live/live.js';

/** A live result, and its state when it was last shown. */
export interface Shown<R> {
  readonly live: Live<R>;
  readonly state: LiveState<R>;
}

/** What a component shows while there is no live result. */
export const PENDING: LiveState<undefined> = { value: undefined, isLoaded: false, isStale: false };

// How long a result without subscribers is kept, in milliseconds. React may discard a first render
// and repeat it, and a component may leave the page and come back. Both need the old result.
const KEPT_MS = 1000;

// Those of an account or a sync, by their keys.
const livesOf = /* @__PURE__ */ new WeakMap<object, Map<string, Live<unknown>>>();

/**
 * Returns the live result of an owner with a key.
 *
 * @param family - see `LivePlace`.
 * @param open - makes the live result, with the `onError` that it gets.
 */
export function shared<R>(
  owner: object,
  key: string,
  family: string,
  open: (onError: () => void) => Live<R>,
): Live<R> {
  let lives = livesOf.get(owner);
  if (!lives) livesOf.set(owner, (lives = new Map<string, Live<unknown>>()));
  return (lives.get(key) as Live<R> | undefined) ?? opened(owner, lives, key, family, open);
}

function opened<R>(
  owner: object,
  lives: Map<string, Live<unknown>>,
  key: string,
  family: string,
  open: (onError: () => void) => Live<R>,
): Live<R> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const leave = () => lives.get(key) === live && lives.delete(key);
  const leaveLater = () => {
    clearTimeout(timer);
    timer = setTimeout(leave, KEPT_MS);
    // Node would not end while the timer runs.
    (timer as { unref?: () => void }).unref?.();
  };
  const enter = () => {
    clearTimeout(timer);
    if (!lives.has(key)) lives.set(key, live);
  };
  // A component that is shown again after a failure tries again.
  const onUse = (isUsed: boolean) => {
    if (isUsed) enter();
    else if (live.error) leave();
    else leaveLater();
  };
  const live: Live<unknown> = open(leaveLater);
  live.place = { owner, family, onUse };
  lives.set(key, live);
  leaveLater();
  return live as Live<R>;
}

/**
 * The state to show for a live result in `state`. Before its first result, it is the `last` shown
 * state, if that is of the same family.
 */
export function stateToShow<R>(
  live: Live<R> | undefined,
  state: LiveState<R | undefined>,
  last: Shown<R> | undefined,
): LiveState<R | undefined> {
  const [mine, other] = [live?.place, last?.live.place];
  if (!mine?.family || state.isLoaded || state.error) return state;
  const isRelated = mine.owner === other?.owner && mine.family === other.family;
  return isRelated ? { ...last!.state, isStale: true } : state;
}

/**
 * Returns a function that shows a live result, and returns a function that stops showing it. Until
 * the next one has its first result, the old result is shown, if both are of one family.
 */
export function livesInto<R>(
  show: (state: LiveState<R | undefined>) => void,
): (live: Live<R> | undefined) => () => void {
  let last: Shown<R> | undefined;
  return (live) => {
    if (!live) {
      show(PENDING);
      return () => undefined;
    }
    // Called at once, too.
    return live.subscribe(() => {
      const { state } = live;
      show(stateToShow(live, state, last));
      if (state.isLoaded) last = { live, state };
    });
  };
}
