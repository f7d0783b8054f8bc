/**
 * Everything that is wrong with a row: the core checks the rules of the service and most of the
 * definition; patterns and checks run here.
 *
 * @module
 */

import type { ErrorCode } from '../base/errors.js';
import { hasMethod, isObject } from '../base/kinds.js';
import { loaded } from '../base/loaded.js';
import { own } from '../base/own.js';
import { shown, shownValue } from '../base/shown.js';
import type { RuleCode, Violation } from '../base/violation.js';
import { latestValidator } from '../validation/latest.js';
import type { Validator } from '../validation/validator.js';
import { isPrecise } from './constraints.js';
import type { KeyDefinition } from './keys.js';
import type { PropertyRules } from './properties.js';
import type { StandardIssue, StandardResult, StandardSchema } from './standard.js';
import { checkedValue, copied, copyOf, entityOf, fillDefaults, rulesOf } from './stored-rows.js';
import type { TableProperties } from './rows.js';
import { fitsType, typeText } from './values.js';
import type { Versions } from './versions.js';

/** What is wrong with a row: an issue of Standard Schema, with the rule in words for programs. */
export interface Issue extends StandardIssue {
  /** Missing, if another validator found it. */
  readonly rule?: RuleCode | undefined;
  /** The code with which a write is refused. */
  readonly code?: ErrorCode;
  /** The constraint of the definition that is broken. */
  readonly expected?: unknown;
  /** See {@link Violation}. */
  readonly limit?: number;
  readonly actual?: number;
  readonly position?: number;
  readonly character?: string;
}

/** A table as its rows are checked. */
export interface CheckedTable {
  readonly properties: TableProperties;
  readonly options: Versions & {
    readonly unknownProperties?: 'keep' | 'reject' | 'drop';
    readonly refine?: StandardSchema;
  };
  readonly bytes: Uint8Array;
}

type Row = Record<string, unknown>;
type Result = StandardResult<Row, Issue>;
/** Now, or later if a check of the app is asynchronous. */
type Soon<T> = T | Promise<T>;

/** Checks a row, and fills in defaults. */
export function validate(table: CheckedTable, value: unknown): Soon<Result> {
  const row = isObject(value) ? rowToWrite(table, value) : value;
  const validator = latestValidator();
  if (validator) return checked(table, row, validator);
  return (
    loaded(import('../index.js'))
      .then(({ loadValidator }) => loadValidator())
      // eslint-disable-next-line entitable/arguments-before-await -- a definition never changes
      .then((first) => checked(table, row, first))
  );
}

/** The row that a write stores: with defaults, and without properties that are dropped. */
export function rowToWrite({ properties, options }: CheckedTable, row: object): Row {
  const copy = copyOf(properties, row, options.unknownProperties === 'drop');
  fillDefaults(properties, copy);
  return copy;
}

function checked(table: CheckedTable, row: unknown, validator: Validator): Soon<Result> {
  if (!isObject(row)) {
    return { issues: validator.violationsOf(row as object).map((one) => issueOf(table, one)) };
  }
  const violations = validator.violationsOf(entityOf(table, row), table.bytes);
  const issues = violations.map((one) => issueOf(table, one));
  const all = (others: readonly Issue[]): Result =>
    issues.length + others.length ? { issues: [...issues, ...others] } : { value: row as Row };
  const ofTable = ownIssues(table, row as Row, false, new Set(violations.map(({ path }) => path)));
  return whenKnown(ofTable, all);
}

/**
 * What the core finds in an entity that a write would store, or in the part of one that a merge
 * writes. A part may lack what is required.
 */
export function coreViolations(
  { bytes }: CheckedTable,
  entity: object,
  isPart: boolean,
): readonly Violation[] {
  // An account has loaded it. A remote account has none: then only its own rules are reported.
  const violations = latestValidator()?.violationsOf(entity, bytes) ?? [];
  return isPart ? violations.filter(({ rule }) => rule !== 'schema-required') : violations;
}

/**
 * What patterns and checks find in a row, or in the part of a row that a merge writes. Another
 * validator needs the whole row.
 *
 * @param broken - the properties to leave out, because another rule is broken.
 */
export function ownIssues(
  { properties, options }: CheckedTable,
  row: Row,
  isPart = false,
  broken: ReadonlySet<unknown> = new Set(),
): Soon<Issue[]> {
  const found: Soon<Issue | readonly Issue[] | undefined>[] = [];
  for (const [name, { rules }] of Object.entries(properties)) {
    const value = checkedValue(rules, own(row, name));
    if (broken.has(name) || value === undefined) continue;
    // The core takes more forms than checks do.
    if (!fitsType(rules.type, isPrecise(rules), value)) {
      const message = `${held(name, value)}, which is not ${typeText(rules)}.`;
      found.push({ ...brokenRule('schema-type', name, message), expected: rules.type });
      continue;
    }
    found.push(patternIssue(name, rules, value), keyIssue(properties, name, row));
    for (const { check, message } of rules.checks) {
      const issue = brokenRule('schema-refine', name, message);
      found.push(whenKnown(check(copied(value) as never), (holds) => (holds ? undefined : issue)));
    }
  }
  const refine = isPart ? undefined : options.refine?.['~standard'];
  if (refine) {
    // It may change what it gets.
    const checked = refine.validate(copyOf(properties, row, false));
    found.push(whenKnown(checked, ({ issues }) => issues?.map(foreign)));
  }
  const flat = (all: readonly (Issue | readonly Issue[] | undefined)[]) =>
    all.flatMap((one) => one ?? []);
  return found.some(isPromise)
    ? Promise.all(found.map((one) => Promise.resolve(one))).then(flat)
    : flat(found as Issue[]);
}

// Another validator may have codes of its own, which are none of ours.
const foreign = ({ message, path }: StandardIssue): Issue => ({ message, ...(path && { path }) });

function patternIssue(
  name: string,
  { constraints }: PropertyRules,
  value: unknown,
): Issue | undefined {
  const pattern = constraints['pattern'] as RegExp | undefined;
  if (!pattern || pattern.test(value as string)) return undefined;
  const message = `${held(name, value)}, which does not fit ${String(pattern)}.`;
  return { ...brokenRule('schema-pattern', name, message), expected: pattern };
}

// A key that is made of values says the same as the properties with their names.
function keyIssue(properties: TableProperties, name: string, row: Row): Issue | undefined {
  const property = properties[name]!;
  // A class of this package: no other realm makes it.
  if (!('contradiction' in property)) return undefined;
  const what = (property as KeyDefinition).contradiction(row[name] as string, (field) =>
    rulesOf(properties, field) ? own(row, field) : undefined,
  );
  return what === undefined
    ? undefined
    : brokenRule('schema-refine', name, `${held(name, row[name])}, ${what}.`);
}

const held = (name: string, value: unknown) => `Property ${shown(name)} holds ${shownValue(value)}`;

const brokenRule = (rule: RuleCode, name: string, message: string) =>
  ({ rule, code: 'SchemaViolation', message, path: [name] }) as const;

const isPromise = (value: unknown): value is Promise<unknown> => hasMethod(value, 'then');

/** What follows from a value, now or later. A module that exports `then` cannot be imported. */
export function whenKnown<T, Then>(value: Soon<T>, next: (value: T) => Then): Soon<Then> {
  return isPromise(value) ? value.then(next) : next(value);
}

function issueOf({ properties }: CheckedTable, violation: Violation): Issue {
  const { explanation, message: _, path, ...rest } = violation;
  const rules = path === undefined ? undefined : rulesOf(properties, path);
  const expected = expectedBy(rest.rule, rules);
  return {
    message: explanation,
    ...(path === undefined ? {} : { path: [path] }),
    ...rest,
    ...(expected === undefined ? {} : { expected }),
  };
}

// `schema-min-length` is broken by `minLength`.
function expectedBy(rule: RuleCode, rules: PropertyRules | undefined): unknown {
  if (!rules || !rule.startsWith('schema-')) return undefined;
  if (rule === 'schema-type') return rules.type;
  const name = rule
    .slice('schema-'.length)
    .replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
  return rules.constraints[name];
}
