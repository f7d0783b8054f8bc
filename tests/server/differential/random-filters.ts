// random-filters.ts - conditions on the properties that random entities have.

import type { Random } from './random-requests.js';

/** A filter, and tags for its unusual parts. */
export interface RandomFilter {
  readonly text: string;
  readonly tags: string[];
}

// Properties, and literals of the same type.
const SAME: Record<string, string[]> = {
  PartitionKey: ["'p'", "'p\u00e9'", "''"],
  RowKey: ["'1'", "'2'", "'O''Neil'", "'a b'"],
  Text: ["'a'", "'b'", "''", "'Z\u00e9'"],
  Whole: ['0', '7', '-7', '2147483647'],
  Long: ['7L', '9223372036854775807L', '-5L'],
  Real: ['0.5', '7.5', '1e100'],
  Flag: ['true', 'false'],
  When: ["datetime'2020-02-03T04:05:06Z'", "datetime'2010-01-01T00:00:00Z'"],
  Id: ["guid'7b0b7a3e-52d7-4a43-9c1b-51e6f3f0c001'"],
  Bytes: ["X'007fff'", "binary'010203'"],
};
const OPERATORS = ['eq', 'ne', 'gt', 'ge', 'lt', 'le'] as const;

const ODD: [tag: string, text: string][] = [
  ['null-literal', 'Text eq null'],
  ['literal-left', '7 eq Whole'],
  ['bare-true', 'true'],
  ['upper-case-operator', "Text EQ 'a'"],
  ['function', "startswith(Text,'a')"],
  ['property-property', 'Whole eq Real'],
  ['bad-syntax', 'Text eq'],
  ['bad-syntax', "Text eq 'a"],
  ['bad-syntax', "(Text eq 'a'"],
  ['wrong-literal', "When ge datetime'yesterday'"],
  ['missing-property', "Missing ne 'a'"],
  ['missing-property', 'not (Missing eq 1)'],
];

/** Draws a filter of up to three conditions. */
export function randomFilter(random: Random): RandomFilter {
  const tags: string[] = [];
  const conditions: string[] = [];
  for (let left = 1 + random.below(3); left > 0; left--) {
    const condition = conditionOf(random, tags);
    if (random.chance(0.15)) {
      tags.push('not');
      conditions.push(`not (${condition})`);
    } else {
      conditions.push(condition);
    }
  }
  if (random.chance(0.08)) {
    const [tag, text] = random.one(ODD);
    tags.push(tag);
    conditions.push(text);
  }
  const text = conditions.reduce((all, one) => `${all} ${random.one(['and', 'or'])} ${one}`);
  return { text, tags };
}

function conditionOf(random: Random, tags: string[]): string {
  const name = random.one(Object.keys(SAME));
  const isMixed = random.chance(0.1);
  const other = random.one(Object.keys(SAME));
  if (isMixed && other !== name) tags.push('mixed-types');
  const literal = random.one(SAME[isMixed ? other : name]!);
  if (literal.includes('e100')) tags.push('exponent');
  const operator = random.one(OPERATORS);
  tags.push(`on-${name}`, operator);
  return `${name} ${operator} ${literal}`;
}
