/**
 * Stores the rows of a file so that an undo removes those that it has added, and puts back those
 * that it has replaced. It is loaded with the first import that is small enough for that.
 *
 * @module
 */

import type { ImportMode, TableClient, TableEntity } from 'entitable';

import { changeText, MOST_TO_UNDO } from '../changes/change.js';
import type { Changes } from '../changes/changes.js';
import { readEntities } from '../changes/read-entities.js';
import { counted } from '../display.js';
import type { LoadOptions, LoadProgress } from '../load-progress.js';
import { idOf, type EntityKeys } from '../rows/row-query.js';
import type { EntityContent, TypedEntity, TypedValue } from '../typed-entity.js';

/** In bytes: what an undo keeps is in memory. */
const MOST_BYTES = 32_000_000;

export interface ImportTarget {
  readonly table: TableClient;
  readonly mode: ImportMode;
  /** Whether the import has created the table. */
  readonly isNew: boolean;
  readonly changes: Changes;
}

/** Whether an import of so many rows of a file can be undone. */
export function canUndo(rows: number, fileSize: number): boolean {
  return rows <= MOST_TO_UNDO && fileSize <= MOST_BYTES;
}

/** @returns how many were stored, even if the signal stopped it. */
export async function storeWithUndo(
  { table, mode, isNew, changes }: ImportTarget,
  entities: AsyncIterable<TableEntity>,
  how: LoadOptions,
): Promise<LoadProgress> {
  const start = performance.now();
  const rows: EntityContent[] = [];
  for await (const entity of entities) rows.push(contentOf(entity));
  const found = isNew ? [] : await readEntities(table, { keys: rows });
  const existing = new Map(found.map((entity) => [idOf(entity), entity]));
  const loaded = await changes.make({
    ...{ table, how },
    text: (count) => changeText(counted(count, 'rows'), count, 'imported'),
    edits: rows.map((row) => editOf(row, mode, existing.get(idOf(row)))),
    isStrict: mode === 'Insert',
    ofTable: isNew ? 'created' : undefined,
  });
  return { loaded, milliseconds: performance.now() - start };
}

// An entity that must not exist is created, which fails if it does.
function editOf(row: EntityContent, mode: ImportMode, existing: TypedEntity | undefined) {
  const before = mode === 'Insert' ? undefined : existing;
  if (!before || mode !== 'Merge') return { before, after: row };
  const properties = new Map([...before.properties, ...row.properties]);
  return { before, after: { ...row, properties } };
}

function contentOf({ partitionKey, rowKey, ...properties }: TableEntity): EntityContent {
  const values = Object.entries(properties).map(([name, value]) => [name, typed(value)] as const);
  return { ...({ partitionKey, rowKey } as EntityKeys), properties: new Map(values) };
}

const typed = (value: unknown): TypedValue =>
  typeof value === 'string' ? { type: 'String', value } : (value as TypedValue);
