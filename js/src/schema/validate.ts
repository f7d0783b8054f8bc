/**
 * Everything that is wrong with a row: the core checks the rules of the service and most of the
 * definition; patterns and checks run here.
 *
 * @module
 */

import { nameOf, type Issue, type RuleCode } from '../base/issue.js';
import { hasMethod, isObject } from '../base/kinds.js';
import { loaded } from '../base/loaded.js';
import { own } from '../base/own.js';
import { shown, shownValue } from '../base/shown.js';
import { latestValidator, loadOfAccount } from '../validation/latest.js';
import type { Validator } from '../validation/validator.js';
import { isPrecise } from './constraints.js';
import { fieldIssues, inFields, isNamedByKeys } from './key-issues.js';
import { copiedValue } from './parted-values.js';
import { partIssues, sizeIssues } from './part-issues.js';
import type { PropertyRules } from './properties.js';
import type {
  StandardIssue,
  StandardResult,
  StandardSchema,
  StandardSchemaResult,
} from './standard.js';
import {
  checkedValue,
  copyOf,
  entityOf,
  failed,
  fillDefaults,
  rulesOf,
  type KeyedTable,
} from './stored-rows.js';
import type { TableProperties } from './rows.js';
import type { TableCheck } from './table-options.js';
import { fitsType, typeText } from './values.js';
import type { Versions } from './versions.js';

/** A table as its rows are checked. */
export interface CheckedTable extends KeyedTable {
  readonly options: Versions & {
    readonly unknownProperties?: 'keep' | 'reject' | 'drop';
    readonly refine?: StandardSchema | TableCheck;
  };
  readonly bytes: Uint8Array;
  /** See {@link StoredTable}. */
  readonly parts?: ReadonlyMap<string, string> | undefined;
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
    // As an app does: a definition needs the rest of the package only here.
    loaded(import('entitable'))
      // By now, the app may be opening an account.
      .then(({ loadValidator }) => latestValidator() ?? loadOfAccount() ?? loadValidator())
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
  if (!isObject(row)) return { issues: validator.issuesOf(row as object) };
  const entity = entityOf(table, row);
  const issues = coreIssues(table, validator, entity, false);
  const all = (others: readonly Issue[]): Result =>
    issues.length + others.length ? { issues: [...issues, ...others] } : { value: row as Row };
  const broken = new Set(issues.map(nameOf));
  const rest = { entity, broken, isRight: () => !issues.length };
  return whenKnown(ownIssues(table, row as Row, rest), all);
}

/**
 * What the core finds in an entity that a write would store, or in the part of one that a merge
 * writes. A part may lack what is required.
 *
 * @param table - with the rules of what is stored.
 * @param validator - that of the account. A remote account may have none: then it finds nothing.
 */
export function coreIssues(
  table: CheckedTable,
  validator: Validator | undefined,
  entity: object,
  isPart: boolean,
): readonly Issue[] {
  const { properties, bytes, rowKeys } = table;
  const found = validator?.issuesOf(entity, bytes) ?? [];
  return (rowKeys ? inFields(rowKeys, found, entity) : found).flatMap((issue) => {
    const { rule = '' } = issue;
    if (isPart && rule === 'schema-required') return [];
    const name = nameOf(issue) ?? '';
    const rules = rulesOf(properties, name);
    if (!rules || !rule.startsWith('schema-')) return issue;
    const value = own(entity as Row, name);
    const isNumber = rule === 'schema-type' && typeof value === 'number';
    return {
      ...issue,
      ...(isNumber ? numberProblem(name, rules, value) : expectedBy(rule, rules)),
    };
  });
}

// The core sees a number that is no Int32 as a Double.
function numberProblem(name: string, rules: PropertyRules, value: number): Partial<Issue> {
  const isOutside = rules.type === 'Int32' && Number.isInteger(value);
  const what = isOutside
    ? 'beyond Int32: -2147483648 to 2147483647'
    : /Int/.test(rules.type) && !Number.isInteger(value)
      ? 'not a whole number'
      : `not ${typeText(rules)}`;
  const message = `${held(name, value)}, which is ${what}.`;
  return { message, ...(isOutside ? { rule: 'int32-range' } : { expected: rules.type }) };
}

type Found = Soon<Issue | readonly Issue[] | undefined>;

/** What is known of a row before its patterns and checks run. */
interface Known {
  /** Whether it is the part of a row that a merge writes. */
  readonly isPart?: boolean;
  /** The properties to leave out, because another rule is broken. */
  readonly broken?: ReadonlySet<unknown>;
  /** What the row is stored as; missing, if it is stored already. */
  readonly entity?: Row;
  /** Whether the core finds nothing wrong. It is asked only if the table has a `refine`. */
  readonly isRight: () => boolean;
}

/**
 * What patterns and checks find in a row, or in the part of a row that a merge writes. The `refine`
 * of the table is written for whole rows of the declared types, so it runs last, and only on a row
 * in which nothing else is wrong.
 *
 * @throws {@link TableError} `SchemaViolation`, if a check fails; or the promise is so rejected.
 */
export function ownIssues(table: CheckedTable, row: Row, known: Known): Soon<readonly Issue[]> {
  return whenKnown(propertyIssues(table, row, known), (found) => {
    const { refine } = table.options;
    const isRefined = refine && !known.isPart && !found.length && known.isRight();
    return isRefined ? tableIssues(refine, table.properties, row) : found;
  });
}

function propertyIssues(
  table: CheckedTable,
  row: Row,
  { isPart = false, broken, entity }: Known,
): Soon<readonly Issue[]> {
  const found: Found[] = table.parts && entity ? [sizeIssues(table, row, entity)] : [];
  try {
    const { rowKeys } = table;
    if (rowKeys && !isNamedByKeys(rowKeys, row, isPart))
      found.push(fieldIssues(table.properties, rowKeys, row));
    for (const name of Object.keys(table.properties)) {
      if (!broken?.has(name)) addIssues(found, table.properties, name, row);
    }
  } catch (error) {
    // Nobody waits for the checks that have begun.
    for (const one of found) if (isPromise(one)) one.catch(() => undefined);
    throw error;
  }
  const flat = (all: readonly (Issue | readonly Issue[] | undefined)[]) =>
    all.flatMap((one) => one ?? []);
  return found.some(isPromise)
    ? Promise.all(found.map((one) => Promise.resolve(one))).then(flat)
    : flat(found as Issue[]);
}

function addIssues(found: Found[], properties: TableProperties, name: string, row: Row): void {
  const { rules } = properties[name]!;
  const value = checkedValue(rules, own(row, name));
  if (value === undefined || value === null) return;
  const issues = rules.parted ? partIssues(name, rules, value) : typeIssues(name, rules, value);
  found.push(issues);
  if (issues.length) return;
  found.push(patternIssue(name, rules, value));
  if (rules.parted?.validate) found.push(schemaIssues(name, rules, row, value));
  for (const { check, message } of rules.checks) {
    const failure = brokenRule('schema-refine', name, message);
    const run = () => check(copiedValue(rules, value) as never);
    const what = `A check of property ${shown(name)} has failed.`;
    found.push(guarded(what, row, run, (holds) => (holds ? undefined : failure)));
  }
}

// The core takes more forms than checks do.
function typeIssues(name: string, rules: PropertyRules, value: unknown): Issue[] {
  if (fitsType(rules.type, isPrecise(rules), value)) return [];
  const message = `${held(name, value)}, which is not ${typeText(rules)}.`;
  return [{ ...brokenRule('schema-type', name, message), expected: rules.type }];
}

// Another validator looks at a value of JSON.
function schemaIssues(
  name: string,
  rules: PropertyRules,
  row: Row,
  value: unknown,
): Soon<readonly Issue[]> {
  const what = `The schema of property ${shown(name)} has failed.`;
  const run = () => rules.parted!.validate!(copiedValue(rules, value));
  const within = (issue: Issue) => ({ ...issue, path: [name, ...(issue.path ?? [])] });
  return guarded(what, row, run, (result) => issuesOfResult(result).map(within));
}

function tableIssues(
  refine: StandardSchema | TableCheck,
  properties: TableProperties,
  row: Row,
): Soon<readonly Issue[]> {
  // It may change what it gets.
  const copy = copyOf(properties, row, false, true);
  const what = 'The refine of the table has failed.';
  // A validator may be a function, too.
  if ('~standard' in refine) {
    return guarded(what, row, () => refine['~standard'].validate(copy), issuesOfResult);
  }
  return guarded(what, row, () => refine(copy as never), issuesOfCheck);
}

function issuesOfResult(result: StandardSchemaResult<unknown>): readonly Issue[] {
  if (!isObject(result)) {
    throw new TypeError(`It returned ${shown(result)}, which is no result of a Standard Schema.`);
  }
  if (result.issues === undefined) return [];
  const issues = issuesOfCheck(result.issues);
  // The standard: a result with issues is a failure.
  return issues.length ? issues : [NO_ISSUE];
}

const NO_ISSUE: Issue = {
  rule: 'schema-refine',
  code: 'SchemaViolation',
  message: 'The refine of the table refused the row, and gave no issue.',
};

function issuesOfCheck(issues: readonly StandardIssue[]): readonly Issue[] {
  if (Array.isArray(issues)) return issues.map(foreign);
  throw new TypeError(`It returned ${shown(issues)}, which is no list of issues.`);
}

/** Runs a function of the app, and goes on with its result, now or later. */
function guarded<T, Then>(
  what: string,
  row: Row,
  run: () => Soon<T>,
  next: (value: T) => Then,
): Soon<Then> {
  try {
    const value = run();
    if (!isPromise(value)) return next(value);
    return Promise.resolve(value)
      .then(next)
      .catch((cause: unknown) => {
        throw failed(what, row, cause);
      });
  } catch (cause) {
    throw failed(what, row, cause);
  }
}

// Another validator may have codes of its own, which are none of ours.
const foreign = ({ message, path }: StandardIssue): Issue => ({ message, ...(path && { path }) });

function patternIssue(
  name: string,
  { constraints, format }: PropertyRules,
  value: unknown,
): Issue | undefined {
  const pattern = constraints['pattern'] as RegExp | undefined;
  if (!pattern || pattern.test(value as string)) return undefined;
  // Only `t.id()` has it.
  const isId = format === 'uuid';
  const fault = isId ? 'is no id: a UUID in lower case' : `does not fit ${String(pattern)}`;
  const message = `${held(name, value)}, which ${fault}.`;
  return { ...brokenRule('schema-pattern', name, message), expected: pattern };
}

const held = (name: string, value: unknown) => `Property ${shown(name)} holds ${shownValue(value)}`;

const brokenRule = (rule: RuleCode, name: string, message: string) =>
  ({ rule, code: 'SchemaViolation', message, path: [name] }) as const;

const isPromise = (value: unknown): value is Promise<unknown> => hasMethod(value, 'then');

/** What follows from a value, now or later. A module that exports `then` cannot be imported. */
export function whenKnown<T, Then>(value: Soon<T>, next: (value: T) => Soon<Then>): Soon<Then> {
  return isPromise(value) ? Promise.resolve(value).then(next) : next(value);
}

// `schema-min-length` is broken by `minLength`.
function expectedBy(rule: string, { type, constraints }: PropertyRules): Partial<Issue> {
  const name = rule
    .slice('schema-'.length)
    .replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
  const expected = rule === 'schema-type' ? type : constraints[name];
  return expected === undefined ? {} : { expected };
}
