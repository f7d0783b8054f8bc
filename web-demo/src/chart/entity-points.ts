/**
 * A point for each entity.
 *
 * @module
 */

import { displayCount, displayNumber } from '../display.js';
import { valueOf, type Point, type Points } from './points.js';
import type { Question } from './question.js';

// More points would cover each other.
const MAX_POINTS = 5000;

/** The first entities that have numbers in both properties. */
export async function entityPoints({
  table,
  filter,
  by,
  measure,
  signal,
}: Question): Promise<Points> {
  const name = 'name' in measure ? measure.name : by;
  const points: Point[] = [];
  let hasMore = false;
  const entities = table.listEntities({ filter, select: [by, name], abortSignal: signal });
  for await (const { [by]: across, [name]: up } of entities as AsyncIterable<Values>) {
    // A selected property that the entity does not have is null.
    if (!isNumber(across) || !isNumber(up)) continue;
    const x = Number(across);
    if (!Number.isFinite(x)) continue;
    hasMore = points.length === MAX_POINTS;
    if (hasMore) break;
    points.push({ x, label: displayNumber(across), ...valueOf(up) });
  }
  // The library draws from left to right.
  points.sort((a, b) => a.x - b.x);
  return hasMore ? { points, note: `The first ${displayCount(MAX_POINTS)} entities.` } : { points };
}

// Other entities may have values of other types in the same properties.
type Values = Readonly<Record<string, unknown>>;

const isNumber = (value: unknown): value is number | bigint =>
  typeof value === 'number' || typeof value === 'bigint';
