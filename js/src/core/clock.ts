/**
 * The time, as finely as the platform reports it.
 *
 * `Date.now()` has the date that the user sees and may set, but only whole milliseconds.
 * `performance.now()` has fractions of milliseconds, but no date: it drifts, and may stop while the
 * machine sleeps. So `Date.now()` always decides which millisecond it is, and `performance.now()`
 * only which part of it has passed:
 *
 * - the time lies within the millisecond of `Date.now()`, whatever the other clock does;
 * - while `Date.now()` does not go back, the time does not go back;
 * - after the clock is set, the time follows at once, forwards and back.
 *
 * Today's number of milliseconds has steps of 2^-12 milliseconds, which is 0.24 microseconds.
 *
 * @module
 */

/** Milliseconds, with fractions if there are any. */
export type ReadClock = () => number;

// The greatest fraction of a millisecond that such a number has today.
const END = 1 - 2 ** -12;

/** Returns milliseconds since 1970, with fractions. */
export class FineClock {
  readonly #date: ReadClock;
  readonly #steady: ReadClock;
  /** The time less the steady clock. */
  #offset = NaN;

  constructor(date: ReadClock = () => Date.now(), steady: ReadClock = () => performance.now()) {
    this.#date = date;
    this.#steady = steady;
  }

  now(): number {
    const millisecond = this.#date();
    const steady = this.#steady();
    const time = steady + this.#offset;
    // False for NaN, for the first call, and after a clock was set.
    const isWithin = time >= millisecond && time <= millisecond + END;
    if (isWithin) return time;
    // A little ahead: the time waits until the date comes to the next millisecond.
    const isAhead = time > millisecond && time < millisecond + 2;
    const shown = isAhead ? millisecond + END : millisecond;
    this.#offset = shown - steady;
    return shown;
  }
}

/** One clock for the whole thread, so that all accounts agree on the order of writes. */
export const clock: FineClock = /* @__PURE__ */ new FineClock();
