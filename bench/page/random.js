// random.js - random numbers that are the same in every run.

/** Returns a function for numbers from 0 to below 1: mulberry32. */
export function randomFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** An integer from 0 to below `end`. */
export const below = (end, random) => Math.floor(random() * end);

/** A random element. */
export const oneOf = (list, random) => list[below(list.length, random)];
