/**
 * What is wrong with fields of keys, which the core sees only as keys.
 *
 * @module
 */

import { nameOf, type Issue, type RuleCode } from '../base/issue.js';
import { own } from '../base/own.js';
import { shown, shownValue } from '../base/shown.js';
import { brokenBy, isPrecise } from './constraints.js';
import type { RowKeys } from './row-keys.js';
import type { TableProperties } from './rows.js';
import { fitsType } from './values.js';

type Row = Record<string, unknown>;

/**
 * What the core finds in stored keys, under the name of their first field. A key that could not be
 * made has issues of its fields instead.
 */
export function inFields(
  rowKeys: RowKeys,
  found: readonly Issue[],
  entity: object,
): readonly Issue[] {
  return found.flatMap((issue) => {
    const name = nameOf(issue);
    const fields = rowKeys.fields.find(([stored]) => stored === name);
    if (!fields) return issue;
    const [stored, [first = ALL_ROWS]] = fields;
    if (own(entity, stored) === undefined) return [];
    const message = issue.message.replace(/\b(partition|row)Key\b/gi, first);
    return { ...issue, path: [first], message };
  });
}

const ALL_ROWS = 'key';

/** Whether a row comes from within, with its stored keys; or is a change of many rows. */
export const isNamedByKeys = (rowKeys: RowKeys, row: Row, isPart: boolean): boolean =>
  (isPart || own(row, 'rowKey') !== undefined) && !rowKeys.isNamedIn(row);

/** What is wrong with fields of keys, as far as the core checks it of other properties. */
export function fieldIssues(properties: TableProperties, rowKeys: RowKeys, row: Row): Issue[] {
  const issues: Issue[] = [];
  for (const { name, rule, what } of rowKeys.problems(row)) {
    // Of another type: all properties are checked for it.
    if (rule === 'schema-type') continue;
    const code = rule === 'key-character' ? 'OutOfRangeInput' : 'SchemaViolation';
    issues.push({ rule, code, path: [name], message: `Property ${shown(name)} ${what}.` });
  }
  for (const name of rowKeys.names) {
    const { rules } = properties[name]!;
    const value = own(row, name);
    if (value === undefined || !fitsType(rules.type, isPrecise(rules), value)) continue;
    const broken = brokenBy(rules, value);
    if (broken === undefined || broken === 'pattern') continue;
    const message = `Property ${shown(name)} holds ${shownValue(value)}, which breaks its ${broken}.`;
    const expected = rules.constraints[broken];
    issues.push({ rule: ruleOf(broken), code: 'SchemaViolation', path: [name], message, expected });
  }
  return issues;
}

const ruleOf = (constraint: string) =>
  `schema-${constraint.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}` as RuleCode;
