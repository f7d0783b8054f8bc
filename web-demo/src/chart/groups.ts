/**
 * A point for each value of a property.
 *
 * @module
 */

import type { EdmTypes } from 'entitable';

import { displayCount, displayTime } from '../display.js';
import { valueOf, type Point, type Points } from './points.js';
import { aggregateOf, type Question } from './question.js';

// As many as have room beside each other.
const MAX_BARS = 40;

/** The largest groups first. */
export async function groupPoints(question: Question): Promise<Points> {
  const { table, filter, by, measure, signal } = question;
  const groups = await table.aggregate({
    ...{ filter, groupBy: [by], abortSignal: signal },
    select: { 'the value': aggregateOf(measure) },
  });
  const points = groups
    .map((group): Omit<Point, 'x'> => ({
      label: valueLabel(group[by]),
      ...valueOf(group['the value']),
    }))
    .sort((a, b) => (b.y ?? -Infinity) - (a.y ?? -Infinity));
  const shown = points.slice(0, MAX_BARS).map((point, x) => ({ x, ...point }));
  if (shown.length === points.length) return { points: shown };
  return { points: shown, note: `The first ${MAX_BARS} of ${displayCount(points.length)} groups.` };
}

/** A value of a property, for people. */
export function valueLabel(value: unknown): string {
  if (value === null) return '(none)';
  if (value === '') return '(empty)';
  if (value instanceof Date) return displayTime(value.toISOString());
  if (value instanceof Uint8Array) return `${value.length} bytes`;
  // A Guid, or a time with more digits than a Date has.
  if (typeof value === 'object') return (value as { type: EdmTypes; value: string }).value;
  return String(value as string | number | bigint | boolean);
}
