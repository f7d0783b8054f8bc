/**
 * Downloads files, such as a table as JSON Lines, which an import accepts.
 *
 * @module
 */

import type { TableClient } from 'entitable';

import { announce } from './announce.js';
import { byId } from './dom.js';

const TYPE = 'application/jsonl';

/** Downloads all entities of a table; one table at a time. */
export async function downloadTable(table: TableClient): Promise<void> {
  const button = byId('download-table', HTMLButtonElement);
  // A disabled button would lose the focus.
  if (button.ariaBusy === 'true') return;
  button.ariaBusy = 'true';
  announce(`Reading ${table.tableName}…`);
  try {
    const headers = { 'content-type': TYPE };
    save(
      await new Response(table.exportEntities(), { headers }).blob(),
      `${table.tableName}.jsonl`,
    );
    announce(`The browser has ${table.tableName} as a file now.`);
  } finally {
    button.ariaBusy = null;
  }
}

/** Gives a file to the browser, which saves it under the name. */
export function save(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  // By then the download has begun, and holds the file itself.
  setTimeout(() => URL.revokeObjectURL(link.href));
}
