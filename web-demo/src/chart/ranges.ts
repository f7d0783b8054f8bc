/**
 * A point for each range of numbers or times.
 *
 * @module
 */

import { max, min, odata, type EdmTypes } from 'entitable';

import { displayNumber, displayTime } from '../display.js';
import { valueOf, type Point, type Points } from './points.js';
import { aggregateOf, type Question } from './question.js';
import { roundWidth } from './round-width.js';

/** From `x` on, up to the next range. */
export interface Range {
  readonly x: number;
  readonly label: string;
  /** The condition for the entities of the range. */
  readonly filter: string;
}

interface Bounds {
  readonly low: number;
  /** Not included. */
  readonly high: number;
  /** The greatest value of all. */
  readonly most: number;
}

/** About so many ranges. */
const RANGES = 24;

const HOUR_MS = 3_600_000;

// The units of time, and how long each is at least.
const UNITS = [
  { name: 'hour', ms: HOUR_MS, digits: 16 },
  { name: 'day', ms: 24 * HOUR_MS, digits: 10 },
  { name: 'month', ms: 28 * 24 * HOUR_MS, digits: 7 },
  { name: 'year', ms: 365 * 24 * HOUR_MS, digits: 4 },
] as const;

type Unit = (typeof UNITS)[number];

// A line with more points than this has no room.
const MAX_TIMES = 100;

/** Asks for each range. An answer takes milliseconds, because it makes no entity. */
export async function rangePoints(question: Question, ranges: readonly Range[]): Promise<Points> {
  const { table, filter, measure, signal } = question;
  const points: Point[] = [];
  for (const { x, label, filter: ofRange } of ranges) {
    const [group] = await table.aggregate({
      filter: filter.trim() ? `(${filter}) and (${ofRange})` : ofRange,
      select: { value: aggregateOf(measure) },
      abortSignal: signal,
    });
    points.push({ x, label, ...valueOf(group!['value']) });
  }
  return { points };
}

/** Ranges of equal width, with round numbers at their ends. */
export async function numberRanges(question: Question): Promise<Range[]> {
  const [low, high] = await endsOf(question);
  if (low === undefined || high === undefined) return [];
  const { by, types } = question;
  const isWhole = types.every((type) => type !== 'Double');
  const width = roundWidth((high - low) / RANGES, isWhole);
  const first = Math.floor(low / width);
  const count = Math.floor(high / width) - first + 1;
  // A multiple, so that no rounding error adds up.
  const edge = (at: number) => Number(((first + at) * width).toPrecision(15));
  return Array.from({ length: count }, (_, at) => {
    const bounds = { low: Math.max(edge(at), low), high: edge(at + 1), most: high };
    return {
      x: edge(at),
      label: `${displayNumber(edge(at))} – ${displayNumber(edge(at + 1))}`,
      filter: conditionOf(by, types, bounds),
    };
  });
}

/** Hours, days, months or years in UTC. */
export async function timeRanges(question: Question): Promise<Range[]> {
  const [low, high] = await endsOf(question);
  if (low === undefined || high === undefined) return [];
  const unit = UNITS.find(({ ms }) => (high - low) / ms < MAX_TIMES) ?? UNITS.at(-1)!;
  const ranges: Range[] = [];
  const { by } = question;
  for (let start = startOf(unit, new Date(low)); start.getTime() <= high;) {
    const next = nextOf(unit, start);
    ranges.push({
      x: start.getTime() / 1000,
      label: displayTime(`${start.toISOString().slice(0, unit.digits)}`),
      filter: `${by} ge ${odata`${start}`} and ${by} lt ${odata`${next}`}`,
    });
    start = next;
  }
  return ranges;
}

// As numbers; of times, milliseconds since 1970. Undefined, if no entity has the property.
async function endsOf({ table, filter, by, signal }: Question): Promise<(number | undefined)[]> {
  const [ends] = await table.aggregate({
    ...{ filter, abortSignal: signal },
    select: { low: min(by), high: max(by) },
  });
  return [ends!.low, ends!.high].map((value) => {
    if (value === null) return undefined;
    const isTime = typeof value === 'object' && 'value' in value;
    return isTime ? Date.parse(value.value as string) : Number(value);
  });
}

// A filter compares a property with a value of its type only, so each type has a condition.
function conditionOf(by: string, types: readonly EdmTypes[], { low, high, most }: Bounds): string {
  return types
    .map((type) => {
      const isDouble = type === 'Double';
      const literal = (value: number) =>
        odata`${{ type, value: type === 'Int64' ? `${value}` : value }}`;
      const from = isDouble ? low : Math.ceil(low);
      const to = isDouble ? high : Math.ceil(high);
      // A literal beyond the greatest value may be beyond the range of the type.
      const end = high > most ? `le ${literal(Math.floor(most))}` : `lt ${literal(to)}`;
      return `${by} ge ${literal(from)} and ${by} ${isDouble ? `lt ${literal(to)}` : end}`;
    })
    .join(' or ');
}

function startOf({ name }: Unit, time: Date): Date {
  const start = new Date(time);
  start.setUTCMinutes(0, 0, 0);
  if (name !== 'hour') start.setUTCHours(0);
  if (name === 'month' || name === 'year') start.setUTCDate(1);
  if (name === 'year') start.setUTCMonth(0);
  return start;
}

function nextOf({ name }: Unit, start: Date): Date {
  const next = new Date(start);
  if (name === 'hour') next.setUTCHours(start.getUTCHours() + 1);
  if (name === 'day') next.setUTCDate(start.getUTCDate() + 1);
  if (name === 'month') next.setUTCMonth(start.getUTCMonth() + 1);
  if (name === 'year') next.setUTCFullYear(start.getUTCFullYear() + 1);
  return next;
}
