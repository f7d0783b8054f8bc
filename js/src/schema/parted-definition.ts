/**
 * Checks definitions of values that are stored in parts.
 *
 * @module
 */

import { shown, shownValue } from '../base/shown.js';
import { checkRules, isFinite, wrong } from './constraints.js';
import { wrongIn } from './parted-values.js';
import { furtherNames } from './parts.js';
import type { PropertyDefinition, PropertyRules } from './properties.js';

const ITEM_TYPES = ['String', 'Int32', 'Int64', 'Double', 'DateTime', 'Guid'];

/** @throws TypeError, if the items, the default or the names of parts are invalid. */
export function checkParted(
  table: string,
  name: string,
  rules: PropertyRules,
  properties: Readonly<Record<string, PropertyDefinition>>,
  isName: (name: string) => boolean,
): void {
  const fail = (what: string) => {
    throw wrong(table, name, what);
  };
  const { kind, item } = rules.parted!;
  if (kind === 'array') {
    if (!item || !ITEM_TYPES.includes(item.type) || item.parted || item.presence !== 'required') {
      return fail(`has items that are not of one of the types ${ITEM_TYPES.join(', ')}`);
    }
    checkRules(table, `${name}[]`, item);
    if (item.checks.length) fail('has items with a check: give it to the array');
    if (item.type === 'Double' && !isFinite(item) && !item.constraints['enum']) {
      fail('has items that need not be finite, which JSON does not have');
    }
  }
  for (const part of furtherNames(name, rules)) {
    if (!isName(part)) fail(`has the part ${shown(part)}, a name that no property can have`);
    if (Object.hasOwn(properties, part)) {
      throw wrong(table, part, `has the name of a part of ${shown(name)}`);
    }
  }
  const { default: given, presence } = rules;
  if (presence !== 'default' || given === null || typeof given === 'function') return;
  const what = wrongIn(rules, given)?.what;
  if (what) fail(`has the default ${shownValue(given)}, which ${what}`);
}
