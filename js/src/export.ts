/**
 * Entities as a stream of OData JSON, read a page of results at a time.
 *
 * @module
 */

import type { Session } from './core/session.js';
import { queryOperation } from './entity-operations.js';
import { invalidInput } from './errors.js';
import type { ExportEntitiesOptions } from './models.js';
import { positionOf, type PagePosition } from './paging.js';

/** See `TableClient.exportEntities()`. */
export function exportEntities(
  session: Session,
  table: string,
  { queryOptions, format = 'lines', abortSignal }: ExportEntitiesOptions,
): ReadableStream<Uint8Array> {
  if (format !== 'lines' && format !== 'array') {
    throw invalidInput('The format of an export is array or lines.');
  }
  const isArray = format === 'array';
  const select = queryOptions?.select && ['partitionKey', 'rowKey', ...queryOptions.select];
  const operation = queryOperation(table, {
    queryOptions: { ...queryOptions, select },
    disableTypeConversion: true,
  });
  const encoder = new TextEncoder();
  let position: PagePosition | undefined = {};
  let isFirst = true;

  async function pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
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
  }
  return new ReadableStream({ pull }, { highWaterMark: 0 });
}
