/**
 * Entities as a stream of OData JSON, read a page of results at a time.
 *
 * @module
 */

import type { OwnBytes } from '../base/platform.js';
import { positionOf, type PagePosition } from '../core/page-position.js';
import type { Session } from '../core/session.js';
import { queryOperation } from '../entity/operations.js';
import type { ExportEntitiesOptions } from './models.js';

/** What is exported. */
export interface ExportSource {
  readonly session: Session;
  readonly table: string;
}

/**
 * See `TableClient.exportEntities()`; the format is one that there is.
 *
 * @returns what hands the next page of results to the stream, or ends it.
 */
export function exportInto(
  controller: ReadableStreamDefaultController<OwnBytes>,
  { session, table }: ExportSource,
  { queryOptions, format, abortSignal }: ExportEntitiesOptions,
): () => Promise<void> {
  const isArray = format === 'array';
  const names = queryOptions?.select;
  const select = names?.length ? ['partitionKey', 'rowKey', ...names] : undefined;
  const operation = queryOperation(table, {
    queryOptions: { filter: queryOptions?.filter, select },
    disableTypeConversion: true,
  });
  const encoder = new TextEncoder();
  let position: PagePosition | undefined = {};
  let isFirst = true;

  return async () => {
    // Until something is there, or a stream would not ask again.
    let text = isFirst && isArray ? '[' : '';
    while (position && text.length <= 1) {
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
