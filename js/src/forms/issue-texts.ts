/**
 * The texts about issues, in a language.
 *
 * @module
 */

import { isDate } from '../base/kinds.js';
import type { EdmTypes } from '../entity/edm.js';
import type { IssueTexts } from './messages.js';
import type { FormIssue } from './models.js';
import { DECIMAL } from './text-values.js';
import type { PluralText, Texts } from './texts.js';
import { timeLimitOf, type TimeLimit } from './time-limits.js';

/** The texts about issues, in a language. */
export function issueTexts(texts: Texts): IssueTexts {
  // The message and a length say what the text depends on.
  const last = new Map<string | undefined, readonly [string, string | undefined]>();
  return {
    messageOf(issue) {
      const basis = `${issue.rule} ${nameOf(issue)} ${issue.message} ${issue.actual}`;
      const [known, lastText] = last.get(issue.name) ?? [];
      if (known === basis) return lastText;
      const text = textFor(texts, issue);
      last.set(issue.name, [basis, text]);
      return text;
    },
    headingOf: (count) => filled(plural(texts, texts.summary, count), { count: String(count) }),
  };
}

/**
 * Returns the text of one issue in a language: of `validate()`, say. An issue of another validator,
 * and of a check of the app, has the message that it has.
 *
 * @example
 * ```ts
 * const { issues } = await tasks.validate(row);
 * const texts = issues?.map((issue) => localize(issue, messages));
 * ```
 */
export function localize(issue: FormIssue, texts: Texts): string {
  const { rule, expected } = issue;
  // A form knows the types of its values.
  const type = rule === 'schema-type' ? expected : isDate(expected) ? 'DateTime' : undefined;
  return textFor(texts, { type: type as EdmTypes, ...issue }) ?? issue.message;
}

type Name = keyof Texts;

// By the rule without `schema-`, or by the code of a refused submit.
const NAMES: Readonly<Record<string, Name>> = {
  'min-length': 'tooShort',
  'max-length': 'tooLong',
  'string-length': 'tooLong',
  'key-length': 'tooLong',
  'min-bytes': 'fileTooSmall',
  'max-bytes': 'fileTooLarge',
  'binary-length': 'fileTooLarge',
  minimum: 'minimum',
  maximum: 'maximum',
  'exclusive-minimum': 'above',
  'exclusive-maximum': 'below',
  'multiple-of': 'multipleOf',
  'int32-range': 'outOfRange',
  'int64-range': 'outOfRange',
  'double-range': 'outOfRange',
  enum: 'choice',
  pattern: 'pattern',
  'key-character': 'character',
  'entity-size': 'tooMuch',
  'body-size': 'tooMuch',
  EntityAlreadyExists: 'exists',
  UpdateConditionNotSatisfied: 'changed',
  ResourceNotFound: 'gone',
  StorageQuotaExceeded: 'noRoom',
};

const OF_TYPES: Partial<Record<string, Name>> = {
  ...{ Int32: 'wholeNumber', Int64: 'wholeNumber', Double: 'number', DateTime: 'date' },
  ...{ Guid: 'id', Boolean: 'yesOrNo', Binary: 'requiredFile' },
};

// A local time, which no clock shows if it cannot be read.
const LOCAL_TIME = /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d{1,3})?)?)?$/;

const REQUIRED: Partial<Record<string, Name>> = {
  ...{ choice: 'requiredChoice', box: 'requiredBox', file: 'requiredFile' },
};

function nameOf(issue: FormIssue): Name {
  const { rule, code, type, kind, value, isUnchecked } = issue;
  if (isUnchecked) return 'unchecked';
  if (rule === undefined) return NAMES[code ?? ''] ?? 'failed';
  const plain = rule.replace('schema-', '');
  if (plain === 'required' || plain === 'key-missing')
    return REQUIRED[kind ?? (type === 'Binary' ? 'file' : '')] ?? 'required';
  const limit = timeLimitOf(issue);
  const name = limit ? nameOfLimit(limit, issue) : NAMES[plain];
  if (name) return name;
  if (type === 'Int32' && Number.isInteger(value)) return 'outOfRange';
  const size =
    type === 'Double' && DECIMAL.test(String(value).trim()) ? Math.abs(Number(value)) : 0;
  // A text of such a number is refused only because its digits would change.
  if (size > Number.MAX_SAFE_INTEGER) return size === Infinity ? 'outOfRange' : 'tooManyDigits';
  // Any text fits a String, so the browser has found it.
  if (type === 'String' && (kind === 'email' || kind === 'url')) return kind;
  if (type === 'DateTime' && LOCAL_TIME.test(String(value))) return 'noSuchTime';
  return OF_TYPES[type ?? ''] ?? 'invalid';
}

function nameOfLimit({ isLatest, isExclusive }: TimeLimit, { day }: FormIssue): Name {
  // A day is one that is allowed.
  if (isExclusive && day === undefined) return isLatest ? 'before' : 'after';
  return isLatest ? 'latest' : 'earliest';
}

// Undefined for an issue that has a text of the app: of a check, or of another validator.
function textFor(texts: Texts, issue: FormIssue): string | undefined {
  const { rule, code, limit, actual, character, hint = '' } = issue;
  const isOfApp = rule === undefined && code === undefined && !issue.isUnchecked;
  if (rule === 'schema-refine' || isOfApp) return undefined;
  const name = nameOf(issue);
  const given = texts[name];
  const text = typeof given === 'string' ? given : plural(texts, given, limit ?? 0);
  const shown = /^file/.test(name) ? sizeText(texts, limit ?? 0) : shownLimit(texts, issue);
  // A store does not say what it expects.
  if (!shown && text.includes('{limit}')) return texts.invalid;
  const values = { limit: shown, actual: String(actual), character: character ?? '' };
  const message = filled(text, values);
  return rule === 'schema-pattern' && hint ? `${message} ${hint}` : message;
}

const filled = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => values[name]!);

const plural = ({ language }: Texts, forms: PluralText, count: number): string =>
  forms[new Intl.PluralRules(language).select(count)] ?? forms['other']!;

// Empty, if the limit is not known.
function shownLimit(texts: Texts, { limit, expected, type, day, timeZone }: FormIssue): string {
  const value = limit ?? expected;
  if (day !== undefined) return dateText(texts, day, 'UTC');
  if (type === 'DateTime') return dateText(texts, value, timeZone);
  const isNumber = typeof value === 'number' || typeof value === 'bigint';
  if (!isNumber) return '';
  // As it may be typed: a form takes no separators between thousands, and a year has none.
  const format = { maximumFractionDigits: 20, useGrouping: false };
  return new Intl.NumberFormat(texts.language, format).format(value);
}

function dateText({ language }: Texts, value: unknown, timeZone: string | undefined): string {
  const date = isDate(value) ? value : new Date(String(value));
  if (Number.isNaN(date.getTime())) return '';
  const day = { dateStyle: 'medium', timeZone } as const;
  const time = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium', timeZone });
  const isDay = time.format(date) === '00:00:00';
  const format = new Intl.DateTimeFormat(language, isDay ? day : { ...day, timeStyle: 'short' });
  return format.format(date);
}

function sizeText({ language }: Texts, bytes: number): string {
  const isLarge = bytes >= 1000;
  return new Intl.NumberFormat(language, {
    ...{ style: 'unit', unit: isLarge ? 'kilobyte' : 'byte', maximumFractionDigits: 1 },
    // The short form of bytes has no plural.
    unitDisplay: isLarge ? 'short' : 'long',
  }).format(isLarge ? bytes / 1000 : bytes);
}
