/**
 * Times as the core counts them.
 *
 * @module
 */

import { MS_BEFORE_1970, TICKS_PER_MS } from '../base/limits.js';

/**
 * The time of ticks of 100 ns since the year 1: a text with seven digits of a second, if it is
 * precise.
 */
export function timeOf(ticks: bigint, isPrecise: boolean): Date | string {
  const perMs = BigInt(TICKS_PER_MS);
  const date = new Date(Number(ticks / perMs) - MS_BEFORE_1970);
  if (!isPrecise) return date;
  return date.toISOString().replace('Z', `${ticks % perMs}`.padStart(4, '0') + 'Z');
}
