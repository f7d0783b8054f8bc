// random.js - the same numbers in every run.

/** Returns a function that gives numbers from 0, included, to 1: mulberry32. */
export function randomFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A whole number from 0 to `end`, not included. */
export const below = (end, random) => Math.floor(random() * end);

/** One of them. */
export const oneOf = (list, random) => list[below(list.length, random)];
