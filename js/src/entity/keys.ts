/**
 * The two keys of an entity.
 *
 * @module
 */

import { invalidInput, TableError } from '../base/errors.js';
import { shown } from '../base/shown.js';
import { checkEntity } from './json.js';

/** Both keys. */
export interface EntityKeys {
  readonly partitionKey: string;
  readonly rowKey: string;
}

/** The keys of an entity that a caller gives. A result of a `select` may have none. */
export type GivenKeys = Partial<EntityKeys>;

/**
 * Returns the keys of an entity.
 *
 * @throws {@link TableError} `InvalidInput`, if it is no object or a key is no string;
 * `PropertiesNeedValue`, if a key is missing.
 */
export function keysOf(entity: GivenKeys): EntityKeys {
  checkEntity(entity);
  const { partitionKey, rowKey } = entity;
  checkKeys(partitionKey, rowKey);
  return { partitionKey, rowKey } as EntityKeys;
}

/**
 * Refuses a missing key. It must not pass for the empty key, which is legal.
 *
 * @throws {@link TableError} `PropertiesNeedValue`; `InvalidInput`, if a key is no string.
 */
export function checkKeys(partitionKey: unknown, rowKey: unknown): void {
  if (typeof partitionKey === 'string' && typeof rowKey === 'string') return;
  if (!isKeyOrNothing(partitionKey) || !isKeyOrNothing(rowKey)) throw invalidInput();
  throw new TableError(
    'PropertiesNeedValue',
    'The values are not specified for all properties in the entity.',
  );
}

/**
 * Checks keys that a method takes as two arguments. An entity in place of the first key must not
 * look like a missing second key.
 *
 * @throws {@link TableError} `InvalidInput`, if a key is given and is no string.
 */
export function checkKeyArguments(owner: string, partitionKey: unknown, rowKey: unknown): void {
  checkKeyArgument(owner, 'partitionKey', partitionKey);
  checkKeyArgument(owner, 'rowKey', rowKey);
}

function checkKeyArgument(owner: string, name: string, key: unknown): void {
  if (isKeyOrNothing(key)) return;
  throw invalidInput(`The ${name} of ${owner} must be a string, not ${shown(key)}.`);
}

const isKeyOrNothing = (key: unknown) =>
  key === undefined || key === null || typeof key === 'string';

/** The keys that are texts, for messages. Callers of JavaScript may pass any value. */
export function keyTexts({ partitionKey, rowKey }: Partial<Record<keyof EntityKeys, unknown>>): {
  partitionKey: string | undefined;
  rowKey: string | undefined;
} {
  return {
    partitionKey: typeof partitionKey === 'string' ? partitionKey : undefined,
    rowKey: typeof rowKey === 'string' ? rowKey : undefined,
  };
}
