/**
 * Names of properties for the columns of files, which may have any names.
 *
 * @module
 */

import { MAX_PROPERTY_NAME_LENGTH } from '../base/limits.js';
import { apiName } from '../base/system-names.js';
import { define } from '../entity/json.js';

/** Whether the service takes a name for a property. */
export type IsName = (name: string) => boolean;

// Names of the service itself. They differ from `partitionKey` and `timestamp`, which are free.
const SYSTEM = ['PartitionKey', 'RowKey', 'Timestamp'];

/** The rule of the core, so that there is no second one here. */
export function nameRule(validator: {
  validateEntity(entity: object): readonly unknown[];
}): IsName {
  return (name) => {
    const entity = { partitionKey: '', rowKey: '' };
    define(entity, apiName(name), '');
    return !SYSTEM.includes(name) && validator.validateEntity(entity).length === 0;
  };
}

/**
 * A property for each column, each another. A name that the service takes stays as it is, and
 * `Unit price (€)` becomes `Unit_price`.
 */
export function propertyNames(columns: readonly string[], isName: IsName): string[] {
  const kept = new Set(columns.filter(isName));
  const taken = new Set([...SYSTEM, ...kept]);
  return columns.map((column) => {
    if (kept.has(column)) return column;
    const base = cleaned(column, isName);
    let name = base;
    for (let number = 2; taken.has(name); number++) {
      const end = `_${number}`;
      name = base.slice(0, MAX_PROPERTY_NAME_LENGTH - end.length) + end;
    }
    taken.add(name);
    return name;
  });
}

function cleaned(column: string, isName: IsName): string {
  const name = withoutAccents(column)
    .replace(/[^\p{L}\p{Nd}_]+/gu, '_')
    .replace(/^_+|_+$/g, '');
  const begun = (/^\p{L}/u.test(name) ? name : `_${name}`).slice(0, MAX_PROPERTY_NAME_LENGTH);
  // The service has the letters of an older Unicode, and none beyond the basic plane.
  return isName(begun) || SYSTEM.includes(begun) ? begun : begun.replace(/[^\w]/g, '_');
}

/** `é` becomes `e`. */
export function withoutAccents(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '');
}
