/**
 * Writes entities as a stream of OData JSON, one page of results after another. The core makes the
 * text, so a page of results takes little time in this thread, above all if the account is in a
 * worker.
 *
 * @module
 */

import type { OwnBytes } from '../base/platform.js';
import { Slices } from '../base/slices.js';
import { textOfUtf8 } from '../base/utf8.js';
import { positionOf, type PagePosition } from '../core/page-position.js';
import type { AccountSession } from '../core/account-session.js';
import { queryOperation } from '../entity/operations.js';
import type { ExportEntitiesOptions } from './models.js';
import { readableJson } from './readable-json.js';

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
  const query = queryOperation(table, { filter, dialect, select });
  const operation = { ...query, asValues: false, asLines: true };
  const encoder = new TextEncoder();
  let position: PagePosition | undefined = {};
  let isFirst = true;
  const slices = new Slices();

  return async () => {
    let lines: OwnBytes = new Uint8Array();
    // A stream asks again only after something was written.
    while (position && lines.length === 0) {
      await slices.turn();
      const request = { ...operation, ...position };
      const answer = await session.request(request, abortSignal, (body) => (lines = body.slice()));
      position = positionOf(answer);
    }
    lines = readableJson(lines);
    if (isArray) {
      const text = textOfUtf8(lines).trimEnd().replaceAll('\n', ',\n');
      const begin = `${isFirst ? '[' : ''}${isFirst || !text ? '' : ','}${text && '\n'}`;
      lines = encoder.encode(`${begin}${text}${position ? '' : '\n]\n'}`);
    }
    isFirst = false;
    if (lines.length > 0) controller.enqueue(lines);
    if (!position) controller.close();
  };
}
