/**
 * The text of a filter, with the names that an app uses for keys.
 *
 * @module
 */

import { invalidInput } from '../base/errors.js';
import { shown } from '../base/shown.js';
import { wireName } from '../base/system-names.js';
import { fits } from './key-fields.js';
import { turned } from './key-ranges.js';
import type { PropertyRules } from './properties.js';
import type { RowKeys } from './row-keys.js';
import { typeText } from './values.js';

const LITERAL = String.raw`(?:datetime|guid)?'(?:[^']|'')*'|-?\d+L?|true|false`;

/**
 * The text of a filter with conditions on the stored keys. A comparison of a field with a value
 * becomes one of its key. Elsewhere, a text that is a key on its own has the name of this key.
 */
export function filterWith(keys: RowKeys, filter: string): string {
  const name = String.raw`(?<![\p{L}\p{N}_./])(?:${keys.names.join('|')})(?![\p{L}\p{N}_])(?!\s*\()`;
  const pattern = new RegExp(
    [
      String.raw`(?<name>${name})\s+(?<operator>[gln][et]|eq)\s+(?<value>${LITERAL})`,
      String.raw`(?<first>${LITERAL})\s+(?<turned>[gln][et]|eq)\s+(?<last>${name})`,
      `'(?:[^']|'')*'`,
      `(?<alone>${name})`,
    ].join('|'),
    'gu',
  );
  return filter.replace(pattern, (found: string, ...rest: unknown[]) => {
    const groups = rest.at(-1) as Record<string, string | undefined>;
    const { alone, name = groups['last'] } = groups;
    if (alone) return storedAlone(keys, alone);
    if (!name) return found;
    const operator = groups['operator'] ?? turned(groups['turned']!);
    const { rules } = keys.fieldOf(name);
    const literal = (groups['value'] ?? groups['first'])!;
    const value = valueOf(rules, literal);
    if (!fits(rules, value)) {
      throw invalidInput(
        `Property ${shown(name)} is ${typeText(rules)}; a filter cannot compare it with ${literal}.`,
      );
    }
    const conditions = keys.conditionsOf([{ keys, name, operator, value }]);
    return conditions.length > 1 || / and /.test(conditions[0]!)
      ? `(${conditions.join(' and ')})`
      : conditions[0]!;
  });
}

/** The stored name of a field that is a key on its own. */
export function storedAlone(keys: RowKeys, name: string): string {
  const { stored, isText } = keys.partOf(name);
  if (isText) return wireName(stored);
  throw invalidInput(`In a filter, ${shown(name)} is compared with a value, and has no other use.`);
}

function valueOf({ type, constraints }: PropertyRules, literal: string): unknown {
  const quoted = /^\w*'([^]*)'$/.exec(literal)?.[1]?.replaceAll("''", "'");
  switch (type) {
    case 'Boolean':
      return literal === 'true' || (literal === 'false' ? false : literal);
    case 'Int32':
      return quoted === undefined ? Number(literal) : literal;
    case 'Int64':
      return /^-?\d+L?$/.test(literal) ? BigInt(literal.replace('L', '')) : literal;
    case 'DateTime':
      return constraints['precise'] ? quoted : new Date(quoted ?? NaN);
    default:
      return quoted ?? Number(literal);
  }
}
