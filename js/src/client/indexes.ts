/**
 * Declares the indexes of a table, and builds them step by step. It is loaded at its first use.
 *
 * @module
 */

import { wireName } from '../base/system-names.js';
import type { AccountSession } from '../core/account-session.js';
import {
  isCovering,
  type TableIndex,
  type TableIndexes,
  type UpdateIndexesOptions,
  type UpdateIndexesProgress,
} from '../entity/indexes.js';
import { orderText } from '../entity/operations.js';
import { aboutTable } from './table-arguments.js';

/** See `TableServiceClient.updateIndexes()`; the options are checked. */
export function updateIndexes(
  session: AccountSession,
  { tableName: table, indexes }: TableIndexes,
  { abortSignal, onProgress }: UpdateIndexesOptions,
): Promise<UpdateIndexesProgress> {
  const orderBy = indexes.map(textOf).join(';');
  const operation = { kind: 'setTableIndexes', table, orderBy } as const;
  const progress = { entities: 0 };
  return aboutTable(table, async () => {
    // If another account declares other indexes meanwhile, `*` makes this call fail. Otherwise each
    // of the two calls would undo the steps of the other.
    for (let ifMatch: '*' | undefined; ; ifMatch = '*') {
      const { body } = await session.request({ ...operation, ifMatch }, abortSignal);
      const { entities, complete } = JSON.parse(body!) as { entities: number; complete: boolean };
      progress.entities += entities;
      onProgress?.({ ...progress });
      if (complete) return progress;
    }
  });
}

function textOf(index: TableIndex): string {
  if (isCovering(index)) {
    const { by, include } = index;
    return `${orderText(by)}|${include === 'all' ? '*' : include.map(wireName).join()}`;
  }
  const name = /^words\((.*)\)$/.exec(index[0]!)?.[1];
  const isWords = name !== undefined && index.length === 1;
  return isWords ? `words(${wireName(name)})` : orderText(index)!;
}
