/**
 * An entity as the user has typed it.
 *
 * @module
 */

import type { EdmTypes, TableEntity } from 'entitable';

import type { TypedEntity, TypedValue } from './typed-entity.js';

export interface PropertyDraft {
  readonly name: string;
  readonly type: EdmTypes;
  /** As typed. The service checks whether it is a value of the type. */
  readonly value: string;
}

export interface EntityDraft {
  readonly partitionKey: string;
  readonly rowKey: string;
  readonly properties: readonly PropertyDraft[];
}

/** The names of the keys: those of JavaScript, and those of the service. */
const KEY_NAMES = ['partitionKey', 'rowKey', 'PartitionKey', 'RowKey'];

/** The entity as the form shows it before a change. */
export function draftOf({ partitionKey, rowKey, properties }: TypedEntity): EntityDraft {
  return {
    partitionKey,
    rowKey,
    properties: Array.from(properties, ([name, typed]) => ({ name, ...typed })),
  };
}

/** Returns the argument of the request. */
export function toEntity({ partitionKey, rowKey, properties }: EntityDraft): TableEntity {
  const own = properties.map(({ name, type, value }): [string, TypedValue] => [
    name,
    { type, value },
  ]);
  return { ...Object.fromEntries(own), partitionKey, rowKey };
}

/** Returns the indexes of properties with the name of an earlier property, or of a key. */
export function duplicates({ properties }: EntityDraft): number[] {
  const taken = new Set(KEY_NAMES);
  return properties.flatMap(({ name }, index) => {
    const isTaken = taken.has(name);
    taken.add(name);
    return isTaken ? [index] : [];
  });
}
