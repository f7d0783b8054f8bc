/** Another seed each time, unless ENTITABLE_SEED repeats one. The names of tests show it. */
export const testSeed = () =>
  Number(globalThis.process?.env?.['ENTITABLE_SEED'] ?? Date.now() % 2 ** 31);

/** Whole numbers from 0 up to a bound, without that one; the same ones for the same seed. */
export function randomNumbers(seed: number): (below: number) => number {
  let state = Math.imul(seed, 2654435761) | 1;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}
