/**
 * What is wrong with values that are stored in parts: the core sees only their texts and bytes.
 *
 * @module
 */

import type { Issue, RuleCode } from '../base/issue.js';
import { MAX_ENTITY_BYTES } from '../base/limits.js';
import { own } from '../base/own.js';
import { shown } from '../base/shown.js';
import { allBrokenBy } from './constraints.js';
import { wrongIn, type Wrong } from './parted-values.js';
import { hasTooManyParts } from './parts.js';
import type { PropertyRules } from './properties.js';
import type { StoredTable } from './stored-rows.js';

/** What is wrong with a value: each rule that it or an item of it breaks. */
export const partIssues = (name: string, rules: PropertyRules, value: unknown): Issue[] =>
  wrongsIn(rules, value).map((wrong) => issueOf(name, rules, value, wrong));

function wrongsIn(rules: PropertyRules, value: unknown): readonly Wrong[] {
  const first = wrongIn(rules, value);
  if (!first) return [];
  const { kind, item } = rules.parted!;
  const { path, constraint } = first;
  // Of a value of another type, no rule can be checked.
  if (kind === 'json' || (!path.length && constraint === undefined)) return [first];
  const ofItem = (one: unknown, at: number) => {
    const wrong = wrongIn({ ...rules, constraints: {} }, [one]);
    if (wrong && wrong.constraint === undefined) return { ...wrong, path: [at] };
    return brokenIn(item!, one, [at]);
  };
  return [...(item ? (value as unknown[]).flatMap(ofItem) : []), ...brokenIn(rules, value, [])];
}

const brokenIn = (rules: PropertyRules, value: unknown, path: readonly number[]): Wrong[] =>
  allBrokenBy(rules, value).map((constraint) => ({
    path,
    constraint,
    what: `breaks its ${constraint}`,
  }));

function issueOf(
  name: string,
  rules: PropertyRules,
  value: unknown,
  { path, what, constraint }: Wrong,
): Issue {
  const place = path.map((step) => `[${typeof step === 'number' ? step : shown(step)}]`).join('');
  const within = place && ` at ${place}`;
  const kind = rules.parted!.kind;
  const [step] = path;
  const owner = step === undefined ? rules : rules.parted!.item;
  const expected = constraint === undefined ? kind : owner?.constraints[constraint];
  const held = step === undefined ? value : (value as Record<PropertyKey, unknown>)[step];
  return {
    rule: constraint === undefined ? 'schema-type' : ruleOf(constraint),
    code: 'SchemaViolation',
    message: `Property ${shown(name)} ${what}${within}${sizesOf(constraint, expected, held)}.`,
    path: [name, ...path],
    expected,
    ...(/(Length|Bytes)$/.test(constraint ?? '') && {
      limit: expected as number,
      actual: lengthOf(held),
    }),
  };
}

const UNITS: Readonly<Record<string, string>> = {
  Length: 'UTF-16 units',
  Bytes: 'bytes',
  Items: 'items',
};

function sizesOf(constraint: string | undefined, limit: unknown, held: unknown): string {
  const [, kind] = /^m..(Length|Bytes|Items)$/.exec(constraint ?? '') ?? [];
  return kind ? `: it has ${lengthOf(held)} ${UNITS[kind]}, and the limit is ${String(limit)}` : '';
}

// The rules of an array, and that its numbers are finite, have no code of their own.
function ruleOf(constraint: string): RuleCode {
  if (/Items$/.test(constraint)) return 'schema-refine';
  if (constraint === 'finite') return 'schema-type';
  return `schema-${constraint.replace(/[A-Z]/, (letter) => `-${letter.toLowerCase()}`)}` as RuleCode;
}

// Of a text, an array or bytes; the size of a Blob.
function lengthOf(value: unknown): number {
  const { size, length = size } = value as { size?: number; length?: number };
  return length!;
}

function sizeOf({ type, parted }: PropertyRules, value: unknown): string {
  if (type === 'Binary') return `${lengthOf(value)} bytes`;
  return parted!.kind === 'text' ? `${lengthOf(value)} UTF-16 units` : 'more JSON than that';
}

const REMEDY =
  'Keep a value of this size elsewhere, for example in a file or a blob container, and its name ' +
  'in the row.';

/** Values that no entity has room for, and members that have the name of a part. */
export function sizeIssues(
  { properties, parts }: StoredTable,
  row: Readonly<Record<string, unknown>>,
  entity: Record<string, unknown>,
): Issue[] {
  const issues: Issue[] = [];
  for (const name of Object.keys(row)) {
    const owner = parts!.get(name);
    if (owner !== undefined) {
      const message = `Property ${shown(name)} has the name of a part of ${shown(owner)}.`;
      issues.push({ rule: 'schema-unknown', code: 'SchemaViolation', message, path: [name] });
    }
  }
  for (const name of Object.keys(properties)) {
    if (!hasTooManyParts(entity, name)) continue;
    const { rules } = properties[name]!;
    // A limit of its own says more than the room of an entity.
    if (allBrokenBy(rules, own(row, name)).length > 0) continue;
    const message =
      `Property ${shown(name)} has ${sizeOf(rules, own(row, name))}; an entity ` +
      `has room for ${MAX_ENTITY_BYTES} bytes in all, and a UTF-16 unit takes 2. ${REMEDY}`;
    const limit = MAX_ENTITY_BYTES;
    issues.push({ rule: 'entity-size', code: 'EntityTooLarge', message, path: [name], limit });
  }
  return issues;
}
