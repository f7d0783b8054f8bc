/**
 * The figures of a chart, and of the table beside it.
 *
 * @module
 */

import { displayNumber } from '../display.js';
import { groupPoints } from './groups.js';
import { entityPoints } from './entity-points.js';
import { measureText, type Question } from './question.js';
import { numberRanges, rangePoints, timeRanges } from './ranges.js';

export interface Point {
  /** The group, or the beginning of the range; of a time, seconds since 1970. */
  readonly x: number;
  readonly label: string;
  /** Null, if there is nothing to calculate it from. */
  readonly y: number | null;
  /** With all its digits. */
  readonly text: string;
}

export interface Figures {
  readonly kind: Question['kind'];
  readonly title: string;
  readonly xTitle: string;
  readonly yTitle: string;
  readonly points: readonly Point[];
  /** What is left out; empty, if nothing is. */
  readonly note: string;
}

/** Points, and what is left out. */
export interface Points {
  readonly points: readonly Point[];
  readonly note?: string;
}

/** Reads the figures of a chart. */
export async function readFigures(question: Question): Promise<Figures> {
  const { kind, by, measure, filter } = question;
  const yTitle = kind === 'points' && 'name' in measure ? measure.name : measureText(measure);
  const where = filter.trim() ? `, where ${filter.trim()}` : '';
  const { points, note = '' } = await readPoints(question);
  const title = `${yTitle} by ${by}${where}`;
  return { kind, title, xTitle: by, yTitle, points, note };
}

async function readPoints(question: Question): Promise<Points> {
  switch (question.kind) {
    case 'bars':
      return groupPoints(question);
    case 'histogram':
      return rangePoints(question, await numberRanges(question));
    case 'times':
      return rangePoints(question, await timeRanges(question));
    case 'points':
      return entityPoints(question);
  }
}

/** A value of an aggregate as a point shows it. */
export function valueOf(value: unknown): Pick<Point, 'y' | 'text'> {
  if (value === null || value === undefined) return { y: null, text: '–' };
  const number = Number(value);
  return { y: Number.isFinite(number) ? number : null, text: displayNumber(value as number) };
}
