/**
 * Broken rules in words. The core has the rules; this file has only the words.
 *
 * @module
 */

import { nameOf, type CoreIssue, type RuleCode } from '../base/issue.js';
import { isBytes, isObject } from '../base/kinds.js';
import { shownValue } from '../base/shown.js';

/** What was checked. */
export type Checked = 'entity' | 'key' | 'property-name' | 'table-name';

// Phrases about a property and its value.
const OF_VALUE: Partial<Record<RuleCode, string>> = {
  json: 'which is not well-formed text',
  'value-type': 'which has none of the types of the service',
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

// Phrases about a text.
const OF_TEXT: Partial<Record<RuleCode, string>> = {
  'key-type': 'it is not a string',
  'table-name-reserved': 'it is reserved',
  'text-encoding': 'it is not well-formed text',
};

const NAMES = { key: 'key', 'property-name': 'property name', 'table-name': 'table name' } as const;

/**
 * Returns a sentence that says which rule is broken, and by what.
 *
 * @param value - the entity or the text that was checked; undefined, if it is not known any more.
 */
export function explanationOf(issue: CoreIssue, checked: Checked, value: unknown): string {
  const { rule } = issue;
  const path = nameOf(issue);
  const measure = measureOf(issue);
  if (checked !== 'entity') {
    const reason = measure || OF_TEXT[rule];
    return `The ${NAMES[checked]} ${shownValue(value)} is not allowed${reason ? `: ${reason}` : ''}.`;
  }
  if (path === undefined) return measure ? `The entity has ${measure}.` : NOT_READ;
  const name = `Property ${shownValue(path)}`;
  const ofName = OF_NAME[rule];
  if (ofName) return `${name} ${ofName}${measure && `: ${measure}`}.`;
  const held = (value as Record<string, unknown> | undefined)?.[path];
  if (measure && (value === undefined || isBytes(held))) return `${name} has ${measure}.`;
  const isTyped = isObject(held) && 'type' in held;
  const ofValue = rule === 'value-type' && isTyped ? NOT_OF_TYPE : OF_VALUE[rule];
  // The result of a merge also has properties that were stored before.
  const holds = held === undefined ? 'has a value,' : `holds ${shownValue(held)},`;
  return `${name} ${holds} ${ofValue ?? `which has ${measure}`}.`;
}

const NOT_READ = 'The entity cannot be read.';
const NOT_OF_TYPE = 'which is not of that type';

function measureOf({ rule, limit, actual, position, character }: CoreIssue): string {
  if (position !== undefined) return `${shownValue(character)} at position ${position}`;
  if (actual === undefined || limit === undefined) return '';
  const units = UNITS[rule] ?? 'UTF-16 units';
  if (actual < limit) return `${actual} of at least ${limit} ${units}`;
  return `${actual} ${units}; the limit is ${limit}`;
}
