// random.ts - random numbers that a seed repeats.

/** The seed of this run, of 32 bits: `ENTITABLE_SEED`, or a random one. */
export function chosenSeed(): number {
  const given = process.env.ENTITABLE_SEED;
  return given === undefined ? crypto.getRandomValues(new Uint32Array(1))[0]! : Number(given);
}

/** Returns a function for numbers from 0 to below 1: mulberry32. */
export function randomFrom(seed: number): () => number {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
