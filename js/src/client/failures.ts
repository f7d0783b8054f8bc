/**
 * Explains errors: the broken rule with the value at fault, the table and the keys follow the text
 * of the service.
 *
 * @module
 */

import { isTableError, remade, type TableError } from '../base/errors.js';
import type { Issue } from '../base/issue.js';
import { isObject } from '../base/kinds.js';
import { short, shown, shownValue } from '../base/shown.js';
import { keyTexts } from '../entity/keys.js';
import type { TransactionAction } from '../entity/models.js';
import type { AppNames } from '../entity/row-form.js';
import type { Validator } from '../validation/validator.js';

/** The arguments of a call. */
export interface Subject {
  readonly table?: string | undefined;
  /** A copy of the argument, or an object with only the keys. */
  readonly entity?: object | undefined;
  readonly actions?: readonly TransactionAction[] | undefined;
  readonly filter?: string | undefined;
  readonly select?: readonly string[] | undefined;
  readonly orderBy?: readonly string[] | undefined;
  /** The keys in words, if they are made of fields of the rows. */
  readonly inWords?: AppNames['inWords'];
  /** The table is new, so its name may break a rule. */
  readonly isNew?: boolean | undefined;
}

/**
 * Returns the error of a call. It is a new error, so that its stack has the caller of the
 * asynchronous function that throws it. A value that is no {@link TableError} comes back as it is.
 */
export function explained(error: unknown, subject: Subject, validator?: Validator): unknown {
  if (!isTableError(error)) return error;
  const { operationIndex } = error.details;
  const action = operationIndex === undefined ? undefined : subject.actions?.[operationIndex];
  const given: unknown = action?.[1] ?? subject.entity;
  const entity = isObject(given) ? (given as Record<string, unknown>) : undefined;
  const issues = issuesOf(error, { ...subject, entity }, validator);
  const sentence = isExplained(error) ? undefined : sentenceOf(issues, error, subject.filter);
  // An import reports the keys itself.
  const { partitionKey = error.details.partitionKey, rowKey = error.details.rowKey } = keyTexts(
    entity ?? {},
  );
  const { table } = subject;
  // A sentence about the name of a new table has the name.
  const named = subject.isNew && sentence ? undefined : table;
  const where = placeOf({ ...subject, table: named, partitionKey, rowKey }, error, action?.[0]);
  return remade(error, {
    sentence: [sentence, where].filter(Boolean).join(' '),
    issues,
    table: typeof table === 'string' ? table : undefined,
    partitionKey,
    rowKey,
  });
}

function sentenceOf(
  [first]: readonly Issue[],
  error: TableError,
  filter: string | undefined,
): string | undefined {
  if (!first) return sentenceOfFilter(error, filter);
  return first.refusal === undefined ? undefined : first.message;
}

// A sentence follows the text of the service already.
const isExplained = ({ message, details }: TableError) =>
  message !== details.odataError.message.value;

// The status codes of rules about the form of a request, and of an entity that is not there: no
// entity can have some keys, of which the service says only this.
const MAY_BREAK_RULES = [400, 404, 413];
const OF_ADDRESSES = ['InvalidInput', 'ResourceNotFound'];

function issuesOf(
  { statusCode, code, issues: found }: TableError,
  { table, entity, isNew }: Subject,
  validator: Validator | undefined,
): readonly Issue[] {
  // Only the core has the schema of the table, and the result of a merge.
  if (found.length > 0) return found;
  if (!validator || !MAY_BREAK_RULES.includes(statusCode)) return [];
  try {
    if (isNew) return validator.validateTableName(table!);
    // A transaction may fail for a reason that is in no entity.
    const issues = entity ? validator.issuesOf(entity) : [];
    if (issues.some((issue) => issue.code === code)) return issues;
    // Keys of all calls but an insert are in an address.
    const isOfAddress = OF_ADDRESSES.includes(code);
    return isOfAddress ? issues.filter(({ rule }) => rule?.startsWith('key-')) : [];
  } catch {
    // The module has aborted since then. The error stays as it is.
    return [];
  }
}

interface Place extends Subject {
  readonly partitionKey: string | undefined;
  readonly rowKey: string | undefined;
}

function placeOf(
  { table, partitionKey, rowKey, filter, select, orderBy, inWords }: Place,
  { details, statusCode, message }: TableError,
  kind?: unknown,
): string {
  const { operationIndex, entityIndex, line } = details;
  const keys = inWords?.({ partitionKey, rowKey }) ?? [
    partitionKey !== undefined && `PartitionKey ${shownValue(partitionKey)}`,
    rowKey !== undefined && `RowKey ${shownValue(rowKey)}`,
  ];
  const parts = [
    table !== undefined && `Table ${shownValue(table)}`,
    ...keys,
    // A syntax error shows the filter itself.
    filter !== undefined && !message.includes(filter) && `filter ${shownValue(filter)}`,
    select && statusCode === 400 && `select ${shownValue(select.join())}`,
    orderBy && statusCode === 400 && `orderBy ${shownValue(orderBy.join())}`,
    kind !== undefined && `operation ${operationIndex} (${shownKind(kind)})`,
    entityIndex !== undefined && `entity ${entityIndex} of the input`,
    line !== undefined && `line ${line}`,
  ].filter(Boolean);
  const text = parts.join(', ');
  return text && `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

// JavaScript may pass any value.
const shownKind = (kind: unknown) => (typeof kind === 'string' ? short(kind) : shown(kind));

// ------------------------------------------------------------------- filters

const NOT_IN_FILTERS =
  'A comparison has one property and one value, and a text has quotes. Only the ' +
  "dialect 'extended' of a local account has functions. For texts that begin with bee, ask for " +
  "Name ge 'bee' and Name lt 'bef'.";
const NULL_IN_FILTER =
  'No property is null: an entity that has no value has no such property. Entities with a text ' +
  "have Name ge ''.";

/** What to do about a filter that is refused. */
function sentenceOfFilter(
  { code, message }: TableError,
  filter: string | undefined,
): string | undefined {
  if (typeof filter !== 'string') return undefined;
  // In the extended dialect, which has all of this, the core says what is wrong.
  if (code === 'NotImplemented') return /implemented/.test(message) ? NOT_IN_FILTERS : undefined;
  if (code !== 'InvalidInput') return undefined;
  const position = Number(/^Syntax error at position (\d+) in /.exec(message)?.[1] ?? NaN);
  if (position < filter.length) {
    const before = filter.slice(Math.max(0, position - MAX_BEFORE), position);
    const start = before.length < position ? '…' : '';
    return `Position ${position} is behind ${JSON.stringify(start + before)}.`;
  }
  if (position >= filter.length) return `Position ${position} is the end of the filter.`;
  const withoutTexts = filter.replace(/'[^']*'/g, "''");
  return /\bnull\b/.test(withoutTexts) ? NULL_IN_FILTER : undefined;
}

// How much of a filter is shown before the position of an error.
const MAX_BEFORE = 32;
