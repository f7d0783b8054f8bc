/**
 * Entities as the page shows them: every property with its type, and its value as text.
 *
 * @module
 */

import type { EdmTypes, TableClient, TableEntityResult } from 'entitable';

/** A property as `disableTypeConversion` returns it. */
export interface TypedValue {
  readonly type: EdmTypes;
  /** As in JSON: Binary as Base64, DateTime as ISO 8601. */
  readonly value: string;
}

/** An entity as it is to be written. */
export interface EntityContent {
  readonly partitionKey: string;
  readonly rowKey: string;
  readonly properties: ReadonlyMap<string, TypedValue>;
}

export interface TypedEntity extends EntityContent {
  readonly etag: string;
  readonly timestamp: string;
}

/** The types, in the order of the form. */
export const EDM_TYPES: readonly EdmTypes[] = [
  'String',
  'Int32',
  'Int64',
  'Double',
  'Boolean',
  'DateTime',
  'Guid',
  'Binary',
];

/** Converts the result of a call with `disableTypeConversion`. */
export function toTypedEntity(result: TableEntityResult<object>): TypedEntity {
  const { partitionKey = '', rowKey = '', etag, timestamp = '', ...properties } = result;
  return {
    partitionKey,
    rowKey,
    etag,
    timestamp,
    properties: new Map(Object.entries(properties as Record<string, TypedValue>)),
  };
}

/** @throws {@link TableError} as `getEntity()`. */
export async function readTypedEntity(
  table: TableClient,
  { partitionKey, rowKey }: Pick<TypedEntity, 'partitionKey' | 'rowKey'>,
): Promise<TypedEntity> {
  const options = { disableTypeConversion: true };
  return toTypedEntity(await table.getEntity(partitionKey, rowKey, options));
}
