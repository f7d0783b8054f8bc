/**
 * A table as a file: JSON Lines, which an import takes back.
 *
 * @module
 */

import type { TableClient } from 'entitable';

import { announce } from './announce.js';
import { byId } from './dom.js';

const TYPE = 'application/jsonl';

/** Hands the browser all entities of a table as a file; one table at a time. */
export async function downloadTable(table: TableClient): Promise<void> {
  const button = byId('download-table', HTMLButtonElement);
  // Not disabled: that would take the focus away.
  if (button.ariaBusy === 'true') return;
  button.ariaBusy = 'true';
  announce(`Reading ${table.tableName}…`);
  try {
    const headers = { 'content-type': TYPE };
    save(
      await new Response(table.exportEntities(), { headers }).blob(),
      `${table.tableName}.jsonl`,
    );
    announce(`${table.tableName} was handed to the browser as a file.`);
  } finally {
    button.ariaBusy = null;
  }
}

function save(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  // The download has its own hold on the file by then.
  setTimeout(() => URL.revokeObjectURL(link.href));
}
