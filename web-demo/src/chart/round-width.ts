/**
 * The round numbers that ranges and axes are made of.
 *
 * @module
 */

/** 1, 2 or 5 times a power of ten: the least that is as wide; 1, if `least` is not positive. */
export function roundWidth(least: number, isWhole: boolean): number {
  if (least <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(least));
  const width = power * [1, 2, 5, 10].find((factor) => power * factor >= least * (1 - 1e-9))!;
  return isWhole ? Math.max(1, width) : width;
}
