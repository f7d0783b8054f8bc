/**
 * Stores entities in a table behind the REST API, which has no imports: in transactions.
 *
 * @module
 */

import type { ImportMode, TableClient, TableEntity, TransactionAction } from 'entitable';

import type { LoadOptions, LoadProgress } from '../load-progress.js';

// Of several partitions. The client makes a transaction of at most 100 for each partition.
const STEP = 400;

/**
 * @returns how many entities were stored, also if the signal stopped it.
 * @throws {@link TableError} the error of the service. Earlier entities stay stored.
 */
export async function sendTo(
  table: TableClient,
  source: AsyncIterable<TableEntity>,
  mode: ImportMode,
  { signal, onProgress }: LoadOptions,
): Promise<LoadProgress> {
  const start = performance.now();
  let loaded = 0;
  let waiting: TransactionAction[] = [];
  const progress = () => ({ loaded, milliseconds: performance.now() - start });
  const send = async () => {
    if (waiting.length === 0) return;
    await table.submitTransaction(waiting, { split: true, abortSignal: signal });
    loaded += waiting.length;
    waiting = [];
    onProgress(progress());
  };
  try {
    for await (const entity of source) {
      waiting.push(actionOf(entity, mode));
      if (waiting.length === STEP) await send();
    }
    await send();
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  return progress();
}

function actionOf(entity: TableEntity, mode: ImportMode): TransactionAction {
  return mode === 'Insert' ? ['create', entity] : ['upsert', entity, mode];
}
