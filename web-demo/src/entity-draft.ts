/**
 * An entity as the user has typed it.
 *
 * @module
 */

import type { EdmTypes, TableEntity } from 'entitable';

import type { EntityContent, TypedValue } from './typed-entity.js';

export interface PropertyDraft {
  readonly name: string;
  readonly type: EdmTypes;
  /** As typed. The service checks whether it is a value of the type. */
  readonly value: string;
  /** Whether it is left out if it is empty. */
  readonly isOptional?: boolean;
}

export interface EntityDraft {
  readonly partitionKey: string;
  readonly rowKey: string;
  readonly properties: readonly PropertyDraft[];
}

/** The names of the keys: those of JavaScript, and those of the service. */
const KEY_NAMES = ['partitionKey', 'rowKey', 'PartitionKey', 'RowKey'];

/** The entity as the form shows it before a change. */
export function draftOf({ partitionKey, rowKey, properties }: EntityContent): EntityDraft {
  return {
    partitionKey,
    rowKey,
    properties: Array.from(properties, ([name, typed]) => ({ name, ...typed })),
  };
}

/** What was typed, once no name is there twice. */
export function contentOf({ partitionKey, rowKey, properties }: EntityDraft): EntityContent {
  const own = properties.map(({ name, type, value }) => [name, { type, value }] as const);
  return { partitionKey, rowKey, properties: new Map<string, TypedValue>(own) };
}

/** Returns the argument of the request. */
export function toEntity({ partitionKey, rowKey, properties }: EntityContent): TableEntity {
  return { ...Object.fromEntries(properties), partitionKey, rowKey };
}

/** The same entity with another value, or without one. */
export function withValue(
  { partitionKey, rowKey, properties }: EntityContent,
  name: string,
  value: TypedValue | undefined,
): EntityContent {
  const changed = new Map(properties);
  if (value) changed.set(name, value);
  else changed.delete(name);
  return { partitionKey, rowKey, properties: changed };
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
