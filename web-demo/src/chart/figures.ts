/**
 * The figures of a chart, and of the table beside it.
 *
 * @module
 */

import { groupPoints } from './groups.js';
import { entityPoints } from './entity-points.js';
import type { Point, Points } from './points.js';
import { measureText, type Question } from './question.js';
import { numberRanges, rangePoints, timeRanges } from './ranges.js';

export interface Figures {
  readonly kind: Question['kind'];
  readonly title: string;
  readonly xTitle: string;
  readonly yTitle: string;
  readonly points: readonly Point[];
  /** What is left out; empty, if nothing is. */
  readonly note: string;
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
