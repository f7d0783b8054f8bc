// random.mjs - random numbers that are the same on every machine.

/** Returns functions for a random number below n, a random element, and a random boolean. */
export function randomSource(seed) {
  let state = seed >>> 0;
  // Mulberry32.
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (n) => Math.floor(next() * n);
  return {
    below,
    one: (list) => list[below(list.length)],
    chance: (probability) => next() < probability,
  };
}
