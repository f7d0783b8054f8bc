/**
 * The rules of HTML that a control breaks, as those of a definition.
 *
 * @module
 */

import type { Issue, RuleCode } from '../base/issue.js';
import type { PropertyRules } from '../schema/properties.js';
import type { Control, ShownField } from './controls.js';
import { dayLimits } from './hints.js';
import { valueOf } from './text-values.js';
import type { Times } from './times.js';

/**
 * What the browser finds wrong with the controls of a field.
 *
 * @param isFilled - whether the field has a value that its controls may not show.
 */
export function nativeIssue(
  { name, rules, controls }: ShownField,
  isFilled: boolean,
  times: Times | undefined,
): Issue | undefined {
  for (const control of controls) {
    const { willValidate, validity } = control;
    if (!willValidate || validity.valid) continue;
    // No control shows bytes.
    if (isFilled && (validity.valueMissing || isBeforeHint(control, rules, times))) continue;
    return {
      ...{ path: name ? [name] : [], message: control.validationMessage },
      ...brokenRule(control, rules, times),
    };
  }
  return undefined;
}

// A control for days shows the day of a time. That day may begin before the limit, which the time
// itself keeps.
function isBeforeHint(control: Control, rules: PropertyRules, times: Times | undefined): boolean {
  const { type, validity } = control;
  if (type !== 'date' || !validity.rangeUnderflow) return false;
  return (control as HTMLInputElement).min === dayLimits(rules, times).min;
}

const RULES: Readonly<Partial<Record<keyof ValidityState, RuleCode>>> = {
  valueMissing: 'schema-required',
  badInput: 'schema-type',
  typeMismatch: 'schema-type',
  patternMismatch: 'schema-pattern',
  tooShort: 'schema-min-length',
  tooLong: 'schema-max-length',
  rangeUnderflow: 'schema-minimum',
  rangeOverflow: 'schema-maximum',
  stepMismatch: 'schema-multiple-of',
};

// The rule of a definition that is like the one of HTML that a control breaks, if there is one.
function brokenRule(
  control: Control,
  rules: PropertyRules,
  times: Times | undefined,
): Omit<Issue, 'message'> {
  const { validity, value } = control;
  const isBroken = ([flag]: [string, RuleCode]) => validity[flag as keyof ValidityState];
  const rule = Object.entries(RULES).find(isBroken)?.[1];
  // The app has a message of its own.
  if (!rule) return {};
  const { minLength = 0, maxLength = 0, min = '', max = '' } = control as Partial<HTMLInputElement>;
  const limits: Partial<Record<RuleCode, Omit<Issue, 'message'>>> = {
    'schema-min-length': { limit: minLength, actual: value.length },
    'schema-max-length': { limit: maxLength, actual: value.length },
    'schema-minimum': { expected: valueOf(rules, [min], times) },
    'schema-maximum': { expected: valueOf(rules, [max], times) },
  };
  return { rule, ...limits[rule] };
}
