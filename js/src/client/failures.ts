/**
 * Explains errors: the broken rule with the value at fault, the table and the keys follow the text
 * of the service. The core has the rules; this file has only the words.
 *
 * @module
 */

import { isTableError, remade, type TableError } from '../base/errors.js';
import { isBytes, isObject } from '../base/kinds.js';
import { short, shownValue } from '../base/shown.js';
import type { RuleCode, Violation } from '../base/violation.js';
import { keyTexts } from '../entity/keys.js';
import type { TransactionAction } from '../entity/models.js';
import type { Validator } from '../validation/validator.js';

/** The arguments of a call. */
export interface Subject {
  readonly table?: string | undefined;
  /** A copy of the argument, or an object with only the keys. */
  readonly entity?: object | undefined;
  readonly actions?: readonly TransactionAction[] | undefined;
  readonly filter?: string | undefined;
  readonly select?: readonly string[] | undefined;
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
  const violations = violationsOf(error, { ...subject, entity }, validator);
  const rule = violations[0] && sentenceOf(violations[0], subject.isNew ? subject.table : entity);
  // An import reports the keys itself.
  const { partitionKey = error.details.partitionKey, rowKey = error.details.rowKey } = keyTexts(
    entity ?? {},
  );
  const { table } = subject;
  const where = placeOf({ ...subject, table, partitionKey, rowKey }, error, action?.[0]);
  return remade(error, {
    sentence: [rule, where].filter(Boolean).join(' '),
    violations,
    table: typeof table === 'string' ? table : undefined,
    partitionKey,
    rowKey,
  });
}

// The status codes of rules about the form of a request.
const MAY_BREAK_RULES = [400, 413];

function violationsOf(
  { statusCode, code }: TableError,
  { table, entity, isNew }: Subject,
  validator: Validator | undefined,
): readonly Violation[] {
  if (!validator || !MAY_BREAK_RULES.includes(statusCode)) return [];
  try {
    if (isNew) return validator.validateTableName(table!);
    // A transaction may fail for a reason that is in no entity.
    const violations = entity ? validator.violationsOf(entity) : [];
    return violations.some((violation) => violation.code === code) ? violations : [];
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
  { table, partitionKey, rowKey, filter, select }: Place,
  { details, statusCode }: TableError,
  kind?: string,
): string {
  const { operationIndex, entityIndex } = details;
  const parts = [
    table !== undefined && `Table ${shownValue(table)}`,
    partitionKey !== undefined && `PartitionKey ${shownValue(partitionKey)}`,
    rowKey !== undefined && `RowKey ${shownValue(rowKey)}`,
    filter !== undefined && `filter ${shownValue(filter)}`,
    select && statusCode === 400 && `select ${shownValue(select.join())}`,
    kind && `operation ${operationIndex} (${short(kind)})`,
    entityIndex !== undefined && `entity ${entityIndex} of the input`,
  ].filter(Boolean);
  const text = parts.join(', ');
  return text && `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

// --------------------------------------------------------------------- rules

// Phrases about a property and its value.
const OF_VALUE: Partial<Record<RuleCode, string>> = {
  json: 'which is not well-formed text',
  'value-type': 'which has none of the types of the service, or not the one that is named',
  'type-name': 'whose type is none of the service',
  'key-type': 'which is not a string',
  'int32-format': 'which is not an Int32',
  'int32-range': 'which is beyond Int32',
  'int64-format': 'which is not an Int64',
  'int64-range': 'which is beyond Int64',
  'double-format': 'which is not a Double',
  'double-range': 'which is beyond Double',
  'boolean-format': 'which is not a Boolean',
  'date-time-format': 'which is not a DateTime',
  'date-time-range': 'which is beyond DateTime',
  'guid-format': 'which is not a Guid',
  base64: 'which is not Base64',
  'text-encoding': 'which is not well-formed text',
};

const OF_NAME: Partial<Record<RuleCode, string>> = {
  'property-duplicate': 'is specified more than once',
  'property-name-length': 'has a name that is empty or too long',
  'property-name-character': 'has a name with a character that is not allowed',
  'property-name-reserved': 'has the name of a system property',
  'key-missing': 'is missing',
};

const UNITS: Partial<Record<RuleCode, string>> = {
  'property-count': 'properties',
  'body-size': 'bytes of JSON',
  'binary-length': 'bytes',
  'entity-size': 'bytes',
};

/** The sentence about an entity, or about a name if the rule is about names. */
function sentenceOf(violation: Violation, holder: object | string | undefined): string {
  const { rule, path } = violation;
  const detail = measureOf(violation);
  const ends = detail ? `: ${detail}.` : '.';
  if (typeof holder === 'string')
    return `The table name ${shownValue(holder)} is not allowed${ends}`;
  if (path === undefined) return detail ? `The entity has ${detail}.` : '';
  const name = `Property ${shownValue(path)}`;
  const ofName = OF_NAME[rule];
  if (ofName) return `${name} ${ofName}${ends}`;
  const held = (holder as Record<string, unknown> | undefined)?.[path];
  if (isBytes(held) && detail) return `${name} has ${detail}.`;
  const value = shownValue(held);
  const ofValue = OF_VALUE[rule];
  if (ofValue) return `${name} holds ${value}, ${ofValue}.`;
  return `${name} holds ${value}${detail && `, which has ${detail}`}.`;
}

function measureOf({ rule, limit, actual, position, character }: Violation): string {
  if (position !== undefined) return `${shownValue(character)} at position ${position}`;
  if (actual === undefined) return '';
  return `${actual} ${UNITS[rule] ?? 'UTF-16 units'}; the limit is ${limit}`;
}
