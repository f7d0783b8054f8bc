/**
 * The rules of a definition as attributes of HTML: keyboards, pickers, styles and readers of
 * screens know them. And the rules of HTML that a control breaks, as those of a definition.
 *
 * @module
 */

import { isDate } from '../base/kinds.js';
import type { RuleCode } from '../base/violation.js';
import type { PropertyRules } from '../schema/properties.js';
import type { Issue } from '../schema/validate.js';
import { addAttributes } from './added.js';
import type { Control } from './controls.js';
import { textOf } from './filling.js';
import { valueOf } from './text-values.js';
import type { Times } from './times.js';

const NUMBERS = /^(number|range)$/;
const TIMES = /^(date|datetime-local)$/;
const TEXTS = /^(text|textarea|search|url|tel|email|password)$/;

/** Gives a control the attributes that it does not have. Returns a function that removes them. */
export function addHints(
  control: Control,
  rules: PropertyRules,
  times: Times | undefined,
): () => void {
  return addAttributes(control, attributesOf(control.type, rules, times));
}

/** The attributes of a control for a property with these rules. */
function attributesOf(
  kind: string,
  rules: PropertyRules,
  times: Times | undefined,
): Record<string, string | undefined> {
  const { type, presence, constraints } = rules;
  // An unchecked box is a value.
  const isRequired = presence === 'required' && kind !== 'checkbox' && kind !== 'hidden';
  const required = isRequired ? { required: '' } : {};
  if (NUMBERS.test(kind) && /^(Int|Double)/.test(type)) return { ...required, ...ofNumber(rules) };
  if (TIMES.test(kind) && type === 'DateTime') {
    const limit = (name: string) =>
      constraints[name] === undefined ? undefined : textOf(constraints[name], kind, times);
    const step = kind === 'date' ? undefined : 'any';
    return { ...required, min: limit('minimum'), max: limit('maximum'), step };
  }
  if (!TEXTS.test(kind) || type !== 'String') return required;
  return {
    ...required,
    minlength: shown(constraints['minLength']),
    maxlength: shown(constraints['maxLength']),
    pattern: patternOf(constraints['pattern'] as RegExp | undefined),
  };
}

function ofNumber({ type, constraints }: PropertyRules): Record<string, string | undefined> {
  const isWhole = type !== 'Double';
  const next = (name: string, step: 1 | -1) => {
    const limit = constraints[name];
    if (!isWhole || limit === undefined) return undefined;
    return typeof limit === 'bigint' ? limit + BigInt(step) : (limit as number) + step;
  };
  return {
    min: shown(constraints['minimum'] ?? next('exclusiveMinimum', 1)),
    max: shown(constraints['maximum'] ?? next('exclusiveMaximum', -1)),
    // A step counts from the minimum, and a multiple from 0.
    step: isWhole ? '1' : 'any',
  };
}

const shown = (value: unknown) =>
  value === undefined || isDate(value) ? undefined : String(value as number);

// The attribute is for the whole text, and has no flags but v.
function patternOf(pattern: RegExp | undefined): string | undefined {
  if (!pattern || /[^u]/.test(pattern.flags)) return undefined;
  const whole = `[^]*(?:${pattern.source})[^]*`;
  try {
    return new RegExp(whole, 'v') && whole;
  } catch {
    // It means something else, or nothing, with that flag.
    return undefined;
  }
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

/** The rule of a definition that is like the one of HTML that a control breaks, if there is one. */
export function brokenRule(
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
