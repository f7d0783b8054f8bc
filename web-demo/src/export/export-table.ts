/**
 * Writes the entities of a table, or of a query, into a file.
 *
 * @module
 */

import type { TableClient } from 'entitable';

import type { Row } from '../../../js/src/formats/rows.js';
import { orderByOf, type RowQuery } from '../rows/row-query.js';
import type { FileSink } from './file-sink.js';
import type { Format } from './formats.js';

export interface ExportOptions {
  readonly table: TableClient;
  readonly query: RowQuery;
  readonly format: Format;
  readonly signal: AbortSignal;
  /** Called now and then with the number of entities that this pass has read. CSV needs two. */
  onProgress(count: number): void;
}

const PIECE_LENGTH = 262_144;

// How long the work goes on before the page answers.
const SLICE_MS = 8;

/**
 * Writes all of them, and finishes the file. If it fails or is stopped, nothing of the file stays.
 *
 * @returns how many entities were written.
 */
export async function exportTable(sink: FileSink, options: ExportOptions): Promise<number> {
  const { format, signal, onProgress } = options;
  const isStopped = stopOf(signal);
  let count = 0;
  let text = '';
  let until = performance.now() + SLICE_MS;
  try {
    for await (const line of format.lines(() => rowsOf(options, (read) => (count = read)))) {
      text += `${line}\n`;
      if (text.length >= PIECE_LENGTH) {
        await Promise.race([sink.write(text), isStopped]);
        text = '';
      }
      if (performance.now() < until) continue;
      onProgress(count);
      await new Promise((resolve) => setTimeout(resolve));
      signal.throwIfAborted();
      until = performance.now() + SLICE_MS;
    }
    await Promise.race([sink.write(text), isStopped]);
    signal.throwIfAborted();
    await sink.finish();
    return count;
  } catch (error) {
    await sink.discard();
    throw error;
  }
}

// Rejects when the export is stopped, also while a slow disk writes.
function stopOf(signal: AbortSignal): Promise<never> {
  signal.throwIfAborted();
  const stop = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
  stop.catch(() => undefined);
  return stop;
}

async function* rowsOf(
  { table, query: { filter, sort }, signal }: ExportOptions,
  onRow: (read: number) => void,
): AsyncGenerator<Row> {
  // The service has no order, so a remote account refuses the option.
  const order = sort && { orderBy: orderByOf(sort) };
  const list = { typed: true, abortSignal: signal, filter, ...order } as const;
  let read = 0;
  for await (const row of table.listEntities(list)) {
    onRow((read += 1));
    yield row;
  }
}
