/**
 * Issues of forms.
 *
 * @module
 */

import type { EdmTypes } from '../entity/edm.js';
import type { Issue } from '../schema/validate.js';
import type { MessageFunction } from './messages.js';
import type { FormIssue } from './models.js';

/** What the form knows about a property beyond the definition. */
export type Place = Pick<FormIssue, 'hint' | 'kind' | 'timeZone' | 'type'>;

// Another validator may name a member of every object.
type Properties = Readonly<Record<string, { readonly rules?: { readonly type: EdmTypes } }>>;

/** The issue with its message for the user. */
export function inWords(
  issue: Issue,
  { properties }: { readonly properties: Properties },
  row: Readonly<Record<string, unknown>>,
  texts: { readonly messageOf?: MessageFunction | undefined } | undefined,
  place: Place,
): FormIssue {
  const name = nameOf(issue);
  const known = name ?? '';
  const type = properties[known]?.rules?.type;
  const whole: FormIssue = { ...issue, name, type, value: row[known], ...place };
  return { ...whole, message: texts?.messageOf?.(whole) ?? issue.message };
}

/** The property that an issue is about. */
export function nameOf({ path }: Issue): string | undefined {
  const [step] = path ?? [];
  return step === undefined ? undefined : String(typeof step === 'object' ? step.key : step);
}
