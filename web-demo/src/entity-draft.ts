/**
 * An entity as a form holds it, on its way to the service.
 *
 * @module
 */

import { TableError, type EdmTypes, type TableEntity } from 'entitable';

import type { TypedValue } from './typed-entity.js';

export interface PropertyDraft {
  readonly name: string;
  readonly type: EdmTypes;
  /** As typed: whether it is a value of the type is for the service to say. */
  readonly value: string;
}

export interface EntityDraft {
  readonly partitionKey: string;
  readonly rowKey: string;
  readonly properties: readonly PropertyDraft[];
}

/** The names under which an entity has its keys in JavaScript. */
const KEY_NAMES = ['partitionKey', 'rowKey'];

/** What the service is given. */
export function toEntity({ partitionKey, rowKey, properties }: EntityDraft): TableEntity {
  const own = properties.map(({ name, type, value }): [string, TypedValue] => [
    name,
    { type, value },
  ]);
  return { ...Object.fromEntries(own), partitionKey, rowKey };
}

/** Which properties have a name that is taken, by a property before them or by a key. */
export function duplicates({ properties }: EntityDraft): number[] {
  const taken = new Set(KEY_NAMES);
  return properties.flatMap(({ name }, index) => {
    const isTaken = taken.has(name);
    taken.add(name);
    return isTaken ? [index] : [];
  });
}

/**
 * The service's answer to a name that is used twice. An object cannot hold two such
 * properties, so the service never gets to see them.
 */
export function duplicateError(): TableError {
  return new TableError(
    'DuplicatePropertiesSpecified',
    'A property is specified more than one time.',
  );
}
