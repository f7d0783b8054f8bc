/**
 * Downloads files, such as an archive of all tables.
 *
 * @module
 */

import type { TableServiceClient } from 'entitable';

import { announce } from './announce.js';
import { byId } from './dom.js';

const TYPE = 'application/jsonl';

// How long the address of a file stays valid.
const KEPT_MS = 60_000;

/** Downloads an archive of all tables, which this page imports. */
export async function downloadAccount(account: TableServiceClient): Promise<void> {
  const { exportAll } = await import('entitable/archive');
  return download('download-account', 'tables.jsonl', () => exportAll(account));
}

async function download(id: string, name: string, read: () => BodyInit): Promise<void> {
  const button = byId(id, HTMLButtonElement);
  // A disabled button would lose the focus.
  if (button.ariaBusy === 'true') return;
  button.ariaBusy = 'true';
  announce(`Reading ${name}…`);
  try {
    await saveLines(read(), name);
    announce(`The browser has ${name} now.`);
  } finally {
    button.ariaBusy = null;
  }
}

/** Gives JSON Lines to the browser, which saves them as a file of that name. */
export async function saveLines(lines: BodyInit, name: string): Promise<void> {
  const headers = { 'content-type': TYPE };
  save(await new Response(lines, { headers }).blob(), name);
}

/** Gives a file to the browser, which saves it under the name. */
export function save(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  // By then the download has begun, also on a busy machine, and holds the file itself.
  setTimeout(() => URL.revokeObjectURL(link.href), KEPT_MS);
}
