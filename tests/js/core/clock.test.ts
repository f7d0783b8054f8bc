import { describe, expect, it } from 'vitest';

import { FineClock } from '../../../js/src/core/clock.js';

const NOON = Date.UTC(2026, 10, 22, 12);

/** The clocks of a platform, which the test controls. */
class Platform {
  /** The real time that has passed, in milliseconds. */
  elapsed = 0;
  /** How much faster than that the steady clock runs. */
  rate = 1;
  /** How far the user has moved the date, in milliseconds. */
  set = 0;
  /** The steps of the steady clock; 0: none. */
  grain = 0;

  readonly clock = new FineClock(
    () => Math.floor(NOON + this.elapsed + this.set),
    () => {
      const steady = 1234.5678 + this.elapsed * this.rate;
      return this.grain === 0 ? steady : Math.floor(steady / this.grain) * this.grain;
    },
  );

  after(milliseconds: number): number {
    this.elapsed += milliseconds;
    return this.clock.now();
  }
}

const millisecondOf = (time: number) => Math.floor(time) - NOON;

describe('the fine clock', () => {
  it('distinguishes times of the same millisecond', () => {
    const platform = new Platform();
    platform.after(0);
    const times = Array.from({ length: 9 }, () => platform.after(0.1));

    expect(new Set(times).size).toBe(9);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect(new Set(times.map(millisecondOf))).toEqual(new Set([0]));
  });

  it.each([
    ['as fast as the date', 1],
    ['too fast', 1.01],
    ['too slow', 0.99],
    ['not at all', 0],
  ])(
    'is always in the millisecond of the date, where the other clock runs %s',
    (_, rate: number) => {
      const platform = new Platform();
      platform.rate = rate;
      let last = 0;
      for (let i = 0; i < 5000; i++) {
        const time = platform.after(0.37);

        expect(millisecondOf(time)).toBe(millisecondOf(NOON + platform.elapsed));
        expect(time).toBeGreaterThanOrEqual(last);
        last = time;
      }
    },
  );

  it('does not run away within a millisecond that lasts', () => {
    let steady = 0;
    const clock = new FineClock(
      () => NOON,
      () => (steady += 0.3),
    );
    const times = Array.from({ length: 20 }, () => clock.now());

    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect(times.map(millisecondOf)).toEqual(Array(20).fill(0));
  });

  it('follows a date that is set, forwards and back', () => {
    const platform = new Platform();
    platform.after(10);
    for (const set of [3_600_000, -3_600_000, 5, -5, 1, 0]) {
      platform.set = set;

      expect(millisecondOf(platform.after(0.2))).toBe(millisecondOf(NOON + platform.elapsed) + set);
      expect(millisecondOf(platform.after(7))).toBe(millisecondOf(NOON + platform.elapsed) + set);
    }
  });

  it('continues after a sleep in which the other clock did not move', () => {
    const platform = new Platform();
    platform.after(0.5);
    platform.rate = 0;
    expect(millisecondOf(platform.after(60_000))).toBe(60_000);
  });

  it('is as fine as a clock that a browser has made coarse', () => {
    const platform = new Platform();
    platform.grain = 0.1;
    const times = Array.from({ length: 1000 }, () => platform.after(0.01));

    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect(new Set(times).size).toBeGreaterThan(90);
    expect(Math.max(...times)).toBeLessThan(NOON + 11);
  });

  it('has the time of the platform', () => {
    const before = Date.now();
    const time = new FineClock().now();

    expect(time).toBeGreaterThanOrEqual(before);
    expect(time).toBeLessThan(Date.now() + 1);
  });
});
