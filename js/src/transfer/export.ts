/**
 * Writes entities as a stream of OData JSON, one page of results after another. The core writes the
 * lines. This thread only replaces escapes, and adds the commas of an array.
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
import { unescapeInPlace } from './unescape-in-place.js';

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
  const query = queryOperation(table, { filter, dialect, select, disableTypeConversion: true });
  const encoder = new TextEncoder();
  let position: PagePosition | undefined = {};
  let isFirst = true;
  const slices = new Slices();

  return async () => {
    let lines: OwnBytes = new Uint8Array();
    // A stream asks again only after something was written.
    while (position && lines.length === 0) {
      await slices.turn();
      const request = { ...query, ...position, asLines: true };
      const answer = await session.request(request, abortSignal, (body) => (lines = body.slice()));
      position = positionOf(answer);
    }
    lines = unescapeInPlace(lines);
    if (isArray) lines = encoder.encode(arrayPart(lines, isFirst, !position));
    isFirst = false;
    if (lines.length > 0) controller.enqueue(lines);
    if (!position) controller.close();
  };
}

// The lines of a page as elements of an array that spans all pages.
function arrayPart(lines: OwnBytes, isFirst: boolean, isLast: boolean): string {
  const elements = textOfUtf8(lines).trimEnd().replaceAll('\n', ',\n');
  const begin = isFirst ? '[' : elements && ',';
  return `${begin}${elements && '\n'}${elements}${isLast ? '\n]\n' : ''}`;
}
