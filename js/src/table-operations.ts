/**
 * What both clients do with a table.
 *
 * @module
 */

import type { Answer } from './core/frames.js';
import type { Session } from './core/session.js';
import { TableError } from './errors.js';
import type { AbortSignalLike } from './platform.js';

/** Creates a table; to find it there already is as good. */
export async function createTable(
  session: Session,
  table: string,
  signal?: AbortSignalLike,
): Promise<void> {
  const body = JSON.stringify({ TableName: table });
  const request = session.request({ kind: 'createTable', body }, signal);
  await unless(request, ({ code }) => code === 'TableAlreadyExists');
}

/** Deletes a table with all that is in it; to find it gone is as good. */
export async function deleteTable(
  session: Session,
  table: string,
  signal?: AbortSignalLike,
): Promise<void> {
  const request = session.request({ kind: 'deleteTable', table }, signal);
  await unless(request, ({ statusCode }) => statusCode === 404);
}

async function unless(
  request: Promise<Answer>,
  isForgiven: (error: TableError) => boolean,
): Promise<void> {
  try {
    await request;
  } catch (error) {
    if (!(error instanceof TableError && isForgiven(error))) throw error;
  }
}
