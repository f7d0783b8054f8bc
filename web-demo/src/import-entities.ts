/**
 * Imports entities, shows the progress, and can be stopped.
 *
 * @module
 */

import type { ImportMode, ImportProgress, ImportSource, TableClient, TableEntity } from 'entitable';

import { isLocal } from './explorer/limits.js';
import type { LoadOptions, LoadProgress } from './load-progress.js';

/**
 * @returns how many entities were stored, also if the signal stopped it.
 * @throws the error of the import.
 */
export async function importInto(
  table: TableClient,
  source: ImportSource,
  mode: ImportMode,
  { signal, onProgress }: LoadOptions,
): Promise<LoadProgress> {
  if (!isLocal(table)) {
    const { sendTo } = await import('./remote/send.js');
    return sendTo(table, source as AsyncIterable<TableEntity>, mode, { signal, onProgress });
  }
  const start = performance.now();
  const progressOf = ({ stored }: ImportProgress): LoadProgress => ({
    loaded: stored,
    milliseconds: performance.now() - start,
  });
  try {
    const all = await table.importEntities(source, {
      mode,
      abortSignal: signal,
      onProgress: (progress) => onProgress(progressOf(progress)),
    });
    return progressOf(all);
  } catch (error) {
    // The error of an import that was stopped has its progress.
    if (signal.aborted) return progressOf(error as ImportProgress);
    throw error;
  }
}
