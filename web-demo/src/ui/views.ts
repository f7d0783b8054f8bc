/**
 * The views of the explorer. One is shown at a time.
 *
 * @module
 */

import { TableError } from 'entitable';

import { byId } from './dom.js';
import { errorContent } from './errors.js';

const VIEWS = ['opening', 'trouble', 'welcome', 'workspace'] as const;

export type View = (typeof VIEWS)[number];

export function showView(view: View): void {
  for (const id of VIEWS) byId(id, HTMLElement).hidden = id !== view;
}

/**
 * Shows why the account cannot be opened.
 *
 * @param remedy - by default, what helps if a browser stores nothing.
 */
export function showTrouble(error: unknown, remedy?: string): void {
  const isDenied = error instanceof TableError && error.code === 'StorageUnavailable';
  const line = byId('trouble-remedy', HTMLElement);
  line.hidden = remedy === undefined && !isDenied;
  if (remedy !== undefined) line.textContent = remedy;
  showView('trouble');
  byId('trouble-error', HTMLElement).replaceChildren(...errorContent(error));
}
