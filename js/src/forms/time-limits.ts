/**
 * Limits of times: those of a definition, and those of the type.
 *
 * @module
 */

import { isDate } from '../base/kinds.js';
import { MAX_DATE_TIME_MS, MIN_DATE_TIME_MS } from '../base/limits.js';
import type { FormIssue } from './models.js';

/** A limit of times. */
export interface TimeLimit {
  readonly time: Date | string;
  /** Later times break it; otherwise earlier ones. */
  readonly isLatest: boolean;
  /** The time itself breaks it. */
  readonly isExclusive: boolean;
}

/** Whether a rule is one of the type. A year that has not four digits breaks that of the format. */
export const isOfType = (rule: string | undefined) => /^date-time-(range|format)$/.test(rule ?? '');

/** The limit that an issue is about; undefined, if it is about none of times. */
export function timeLimitOf({
  rule,
  type,
  expected,
}: Pick<FormIssue, 'expected' | 'rule' | 'type'>): TimeLimit | undefined {
  const isTime = isDate(expected) || typeof expected === 'string';
  if (type !== 'DateTime' || !isTime) return undefined;
  if (isOfType(rule)) {
    const isLatest = Number(expected) === MAX_DATE_TIME_MS;
    return { time: expected, isLatest, isExclusive: false };
  }
  const [, exclusive, end] = /^schema-(exclusive-)?(minimum|maximum)$/.exec(rule ?? '') ?? [];
  if (!end) return undefined;
  return { time: expected, isLatest: end === 'maximum', isExclusive: exclusive !== undefined };
}

/** The limit of the type that a time is beyond; undefined, if it is beyond none. */
export function limitOfType(time: unknown): Date | undefined {
  const ms = isDate(time) ? time.getTime() : Date.parse(String(time));
  if (ms < MIN_DATE_TIME_MS) return new Date(MIN_DATE_TIME_MS);
  return ms > MAX_DATE_TIME_MS ? new Date(MAX_DATE_TIME_MS) : undefined;
}
