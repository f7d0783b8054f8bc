/**
 * Reads the entities that the user has selected, as they are now.
 *
 * @module
 */

import { TableError, type TableClient } from 'entitable';

import { displayCount } from '../display.js';
import type { EntityKeys } from '../rows/row-query.js';
import { readTypedEntity, toTypedEntity, type TypedEntity } from '../typed-entity.js';
import { MOST_TO_UNDO } from './change.js';
import { AT_ONCE } from './write-steps.js';

/** The selected entities: some, or all that match a filter. */
export type Target = { readonly keys: readonly EntityKeys[] } | { readonly filter: string };

/** In characters of their values: what is read stays in memory, to be brought back. */
const MOST_CHARACTERS = 64_000_000;

/** More was selected than an undo can keep. */
export class TooLarge extends Error {
  constructor() {
    super(
      `An undo keeps at most ${displayCount(MOST_TO_UNDO)} entities, of 64 MB together. ` +
        'Select fewer.',
    );
  }
}

/**
 * Those that are gone are missing.
 *
 * @throws {@link TooLarge}
 */
export async function readEntities(table: TableClient, target: Target): Promise<TypedEntity[]> {
  const found: TypedEntity[] = [];
  let characters = 0;
  for await (const entity of allOf(table, target)) {
    found.push(entity);
    for (const { value } of entity.properties.values()) characters += value.length;
    if (found.length > MOST_TO_UNDO || characters > MOST_CHARACTERS) throw new TooLarge();
  }
  return found;
}

async function* allOf(table: TableClient, target: Target): AsyncGenerator<TypedEntity> {
  if ('filter' in target) {
    const list = table.listEntities({ filter: target.filter, disableTypeConversion: true });
    for await (const entity of list) yield toTypedEntity(entity);
    return;
  }
  const { keys } = target;
  for (let at = 0; at < keys.length; at += AT_ONCE) {
    const some = keys.slice(at, at + AT_ONCE).map((one) => ifThere(readTypedEntity(table, one)));
    for (const entity of await Promise.all(some)) if (entity) yield entity;
  }
}

/** The result of work with an entity; undefined, if the entity is gone. */
export async function ifThere<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof TableError && error.code === 'ResourceNotFound') return undefined;
    throw error;
  }
}
