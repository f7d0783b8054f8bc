/**
 * Writes one entity, if it is still as it was.
 *
 * @module
 */

import type { TableClient } from 'entitable';

import { toEntity } from '../entity-draft.js';
import type { EntityContent } from '../typed-entity.js';
import type { Version } from './change.js';

/** The etag of what was written, or why it was not. */
export type Written = { readonly etag: string | undefined } | { readonly error: unknown };

export interface Write {
  readonly from: Version;
  readonly to: EntityContent | undefined;
}

/** The error is that of the service. */
export async function writeOne(table: TableClient, write: Write): Promise<Written> {
  try {
    return { etag: await etagOf(table, write) };
  } catch (error) {
    return { error };
  }
}

async function etagOf(table: TableClient, { from, to }: Write): Promise<string | undefined> {
  const { entity, etag } = from;
  if (to && entity) return (await table.updateEntity(toEntity(to), 'Replace', { etag })).etag;
  if (to) return (await table.createEntity(toEntity(to))).etag;
  await table.deleteEntity(entity!.partitionKey, entity!.rowKey, { etag });
  return undefined;
}
