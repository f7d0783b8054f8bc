/**
 * The time, as finely as the platform tells it.
 *
 * `Date.now()` is what the user sees and may set, but has milliseconds. `performance.now()` has
 * fractions of them, but no date: it drifts away from it, and may stand still while the machine
 * sleeps. So the former says which millisecond it is, always, and the latter only how much of it
 * has passed:
 *
 * - the time told lies within the millisecond of `Date.now()`, whatever the other clock does;
 * - while `Date.now()` does not go back, no time told is before an earlier one;
 * - a clock that is set is followed at once, forwards and back.
 *
 * A number that counts today's milliseconds has steps of 2^-12 of one, which is 0.24 microseconds.
 *
 * @module
 */

/** Milliseconds, with what fractions there are. */
export type ReadClock = () => number;

// The greatest part of a millisecond that such a number has today.
const END = 1 - 2 ** -12;

/** Tells milliseconds since 1970, with fractions. */
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
    // Not a number is neither; nor is the time before the first, or of a clock that was set.
    const isWithin = time >= millisecond && time <= millisecond + END;
    if (isWithin) return time;
    // A little ahead: it waits for the date, which has not come to the next millisecond yet.
    const isAhead = time > millisecond && time < millisecond + 2;
    const told = isAhead ? millisecond + END : millisecond;
    this.#offset = told - steady;
    return told;
  }
}

/** That of this thread: one for all, so that they agree on what came first. */
export const clock: FineClock = /* @__PURE__ */ new FineClock();
