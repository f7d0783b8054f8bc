/**
 * Deletes many entities, and brings them back.
 *
 * @module
 */

import { TableError, type TableClient } from 'entitable';

import { draftOf, toEntity } from './entity-draft.js';
import { isLocal } from './explorer/limits.js';
import type { LoadOptions } from './load-progress.js';
import type { EntityKeys } from './rows/row-query.js';
import { readTypedEntity, toTypedEntity, type TypedEntity } from './typed-entity.js';

/** An undo has the deleted entities in memory, so there are not more of them. */
export const MOST_TO_UNDO = 10_000;

/** The selected entities: some, or all that match a filter. */
export type Target = { readonly keys: readonly EntityKeys[] } | { readonly filter: string };

export interface Deletion {
  readonly count: number;
  /** How many were to be deleted, but others have changed or deleted them meanwhile. */
  readonly kept: number;
  /** Undefined, if there were more than {@link MOST_TO_UNDO}. */
  readonly undo: (() => Promise<void>) | undefined;
}

// Requests of one turn share a commit.
const AT_ONCE = 500;

/**
 * Deletes up to {@link MOST_TO_UNDO} entities. Those that somebody changes meanwhile stay.
 *
 * @returns what was deleted until then, if the signal fires.
 */
export async function deleteWithUndo(
  table: TableClient,
  target: Target,
  { signal, onProgress }: LoadOptions,
): Promise<Deletion> {
  const start = performance.now();
  const found = await readAll(table, target);
  const deleted: TypedEntity[] = [];
  for (const some of chunksOf(found)) {
    if (signal.aborted) break;
    const outcomes = await Promise.all(
      some.map((entity) =>
        unlessGone(table.deleteEntity(entity.partitionKey, entity.rowKey, { etag: entity.etag })),
      ),
    );
    deleted.push(...some.filter((_, at) => outcomes[at] !== undefined));
    onProgress({ loaded: deleted.length, milliseconds: performance.now() - start });
  }
  const kept = signal.aborted ? 0 : found.length - deleted.length;
  return { count: deleted.length, kept, undo: () => restore(table, deleted) };
}

/** Deletes any number of entities, as they are in their turn. */
export async function deleteForGood(
  table: TableClient,
  target: Target,
  options: LoadOptions,
): Promise<Deletion> {
  const count =
    'filter' in target && isLocal(table)
      ? await deleteMatching(table, target.filter, options)
      : await deleteKeys(table, await keysOf(table, target), options);
  return { count, kept: 0, undo: undefined };
}

// The service deletes nothing by a filter.
async function keysOf(table: TableClient, target: Target): Promise<readonly EntityKeys[]> {
  return 'keys' in target ? target.keys : readAll(table, target);
}

async function deleteKeys(
  table: TableClient,
  keys: readonly EntityKeys[],
  { signal, onProgress }: LoadOptions,
): Promise<number> {
  const start = performance.now();
  let count = 0;
  for (const some of chunksOf(keys)) {
    if (signal.aborted) break;
    const outcomes = await Promise.all(
      some.map(({ partitionKey, rowKey }) => unlessGone(table.deleteEntity(partitionKey, rowKey))),
    );
    count += outcomes.filter((outcome) => outcome !== undefined).length;
    onProgress({ loaded: count, milliseconds: performance.now() - start });
  }
  return count;
}

async function deleteMatching(
  table: TableClient,
  filter: string,
  { signal, onProgress }: LoadOptions,
): Promise<number> {
  const start = performance.now();
  const count = (deleted: number) =>
    onProgress({ loaded: deleted, milliseconds: performance.now() - start });
  try {
    const { deleted } = await table.deleteEntities({
      filter: filter.trim() || 'true',
      abortSignal: signal,
      onProgress: ({ deleted }) => count(deleted),
    });
    return deleted;
  } catch (error) {
    if (!signal.aborted) throw error;
    return (error as { stored?: number }).stored ?? 0;
  }
}

async function readAll(table: TableClient, target: Target): Promise<TypedEntity[]> {
  const found: TypedEntity[] = [];
  if ('keys' in target) {
    for (const some of chunksOf(target.keys)) {
      const read = some.map((keys) => unlessGone(readTypedEntity(table, keys)));
      for (const entity of await Promise.all(read)) if (entity) found.push(entity);
    }
    return found;
  }
  const { filter } = target;
  for await (const entity of table.listEntities({ filter, disableTypeConversion: true })) {
    found.push(toTypedEntity(entity));
  }
  return found;
}

// Entities that somebody has created again stay as they are.
async function restore(table: TableClient, deleted: readonly TypedEntity[]): Promise<void> {
  let refused = 0;
  for (const some of chunksOf(deleted)) {
    const outcomes = await Promise.all(
      some.map((entity) => unlessThere(table.createEntity(toEntity(draftOf(entity))))),
    );
    refused += outcomes.filter((outcome) => outcome === undefined).length;
  }
  if (refused === 0) return;
  throw new Error(
    `${refused} of ${deleted.length} entities exist again, and stay as they are. The others are back.`,
  );
}

function chunksOf<T>(all: readonly T[]): T[][] {
  const count = Math.ceil(all.length / AT_ONCE);
  return Array.from({ length: count }, (_, at) => all.slice(at * AT_ONCE, (at + 1) * AT_ONCE));
}

const GONE = ['ResourceNotFound', 'UpdateConditionNotSatisfied'];

const unlessGone = <T>(answer: Promise<T>) => unless(GONE, answer);
const unlessThere = <T>(answer: Promise<T>) => unless(['EntityAlreadyExists'], answer);

// Undefined, if it fails with one of these codes.
async function unless<T>(codes: readonly string[], answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof TableError && codes.includes(error.code)) return undefined;
    throw error;
  }
}
