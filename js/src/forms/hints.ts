/**
 * The rules of a definition as attributes of HTML: keyboards, pickers, styles and screen readers
 * know them.
 *
 * @module
 */

import { isDate } from '../base/kinds.js';
import type { PropertyRules } from '../schema/properties.js';
import { addAttributes } from './added.js';
import type { Control } from './controls.js';
import { textOf } from './text-values.js';
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
    if (kind === 'date') return { ...required, ...dayLimits(rules, times) };
    const limit = (name: string) =>
      constraints[name] === undefined ? undefined : textOf(constraints[name], kind, times);
    return { ...required, min: limit('minimum'), max: limit('maximum'), step: 'any' };
  }
  if (!TEXTS.test(kind) || type !== 'String') return required;
  return {
    ...required,
    minlength: shown(constraints['minLength']),
    maxlength: shown(constraints['maxLength']),
    pattern: patternOf(constraints['pattern'] as RegExp | undefined),
  };
}

/** The first and the last day that a definition allows, as attributes. */
export function dayLimits(
  { constraints }: PropertyRules,
  times: Times | undefined,
): { readonly min: string | undefined; readonly max: string | undefined } {
  const dayOf = (inclusive: unknown, exclusive: unknown, isLatest: boolean) => {
    const time = (inclusive ?? exclusive) as Date | string | undefined;
    const isExclusive = inclusive === undefined;
    return time === undefined ? undefined : times?.dayWithin({ time, isLatest, isExclusive });
  };
  const { minimum, exclusiveMinimum, maximum, exclusiveMaximum } = constraints;
  return {
    min: dayOf(minimum, exclusiveMinimum, false),
    max: dayOf(maximum, exclusiveMaximum, true),
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
