/**
 * Issues with their messages for the user.
 *
 * @module
 */

import { nameOf, type Issue } from '../base/issue.js';
import type { EdmTypes } from '../entity/edm.js';
import type { MessageFunction } from './models.js';
import type { FormIssue } from './models.js';
import { isOfType, limitOfType, timeLimitOf } from './time-limits.js';
import type { Times } from './times.js';

/** What the form knows about a property beyond the definition. */
export interface Place extends Pick<FormIssue, 'hint' | 'kind' | 'timeZone' | 'type'> {
  /** Stated, if the user gives a day without a time. */
  readonly days?: Times | undefined;
}

// Another validator may name a member of every object.
type Properties = Readonly<Record<string, { readonly rules?: { readonly type: EdmTypes } }>>;

/** The issue with its message for the user. */
export function inWords(
  issue: Issue,
  { properties }: { readonly properties: Properties },
  row: Readonly<Record<string, unknown>>,
  texts: { readonly messageOf?: MessageFunction | undefined } | undefined,
  { days, ...place }: Place,
): FormIssue {
  const name = nameOf(issue);
  const known = name ?? '';
  const type = properties[known]?.rules?.type;
  const value = row[known];
  const ofType = isOfType(issue.rule) && { expected: limitOfType(value) };
  const whole: FormIssue = { ...issue, ...ofType, name, type, value, ...place };
  const limit = days && timeLimitOf(whole);
  const shown = limit ? { ...whole, day: days.dayWithin(limit) } : whole;
  return { ...shown, message: texts?.messageOf?.(shown) ?? issue.message };
}
