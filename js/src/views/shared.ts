/**
 * Live results that components share: equal queries have one, which stays for a moment after the
 * last component has left.
 *
 * @module
 */

import type { LiveState } from '../live/live-making.js';
import type { Live } from '../live/live.js';

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

// Those of an account, of rows or of a sync, by their keys.
const livesOf = /* @__PURE__ */ new WeakMap<object, Map<string, Live<unknown>>>();

/**
 * Returns the live result to show in place of one that may have been made just now: the first one
 * that shows the same.
 */
export function shared<R>(made: Live<R>): Live<R> {
  const { key } = made;
  const { owner } = made.place;
  let lives = livesOf.get(owner);
  if (!lives) livesOf.set(owner, (lives = new Map<string, Live<unknown>>()));
  const known = lives.get(key) as Live<R> | undefined;
  // An app may have given it another query since.
  if (known?.key === key) return known;
  keep(lives, made);
  return made;
}

function keep<R>(lives: Map<string, Live<unknown>>, live: Live<R>): void {
  const { key } = live;
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
  live.onUse = (isUsed) => {
    if (isUsed) enter();
    else if (live.error) leave();
    else leaveLater();
  };
  // Components show its error.
  live.onError ??= leaveLater;
  lives.set(key, live);
  leaveLater();
}

/**
 * The state to show for a live result in `state`. Before its first result, it is the `last` shown
 * state, if that is of the same place.
 */
export function stateToShow<R>(
  live: Live<R> | undefined,
  state: LiveState<R | undefined>,
  last: Shown<R> | undefined,
): LiveState<R | undefined> {
  if (!live || !last || state.isLoaded || state.error) return state;
  const [mine, other] = [live.place, last.live.place];
  const isRelated = mine.owner === other.owner && mine.family === other.family;
  return isRelated ? { ...last.state, isStale: true } : state;
}

/**
 * Returns a function that shows a live result, and returns a function that stops showing it. Until
 * the next one has its first result, the old result is shown, if both are of one place.
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
