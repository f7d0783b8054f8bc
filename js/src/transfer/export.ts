/**
 * Writes entities as a stream of OData JSON, one page of results after another.
 *
 * @module
 */

import type { OwnBytes } from '../base/platform.js';
import { Slices } from '../base/slices.js';
import { positionOf, type PagePosition } from '../core/page-position.js';
import type { AccountSession } from '../core/account-session.js';
import { queryOperation } from '../entity/operations.js';
import type { ExportEntitiesOptions } from './models.js';

/** The table to export. */
export interface ExportSource {
  readonly session: AccountSession;
  readonly table: string;
}

/**
 * See `TableClient.exportEntities()`; the options are checked.
 *
 * @returns a function that writes the next page to the stream, or ends it.
 */
export function exportInto(
  controller: ReadableStreamDefaultController<OwnBytes>,
  { session, table }: ExportSource,
  { filter, dialect, select: names, format, abortSignal }: ExportEntitiesOptions,
): () => Promise<void> {
  const isArray = format === 'array';
  const select = names?.length ? ['partitionKey', 'rowKey', ...names] : undefined;
  const query = { filter, dialect, select, disableTypeConversion: true };
  const operation = queryOperation(table, query);
  const encoder = new TextEncoder();
  let position: PagePosition | undefined = {};
  let isFirst = true;
  const slices = new Slices();

  return async () => {
    // A stream asks again only after something was written.
    let text = isFirst && isArray ? '[' : '';
    while (position && text.length <= 1) {
      await slices.turn();
      const answer = await session.request({ ...operation, ...position }, abortSignal);
      position = positionOf(answer);
      for (const entity of (JSON.parse(answer.body!) as { value: object[] }).value) {
        const { 'odata.etag': _, ...members } = entity as Record<string, unknown>;
        text += isArray ? `${isFirst ? '' : ','}\n` : '';
        text += JSON.stringify(members);
        text += isArray ? '' : '\n';
        isFirst = false;
      }
    }
    if (!position && isArray) text += '\n]\n';
    if (text) controller.enqueue(encoder.encode(text));
    if (!position) controller.close();
  };
}
