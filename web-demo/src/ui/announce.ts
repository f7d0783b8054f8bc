/**
 * Tells screen readers about events outside of the focus.
 *
 * @module
 */

import { byId } from './dom.js';

const SPACE = '\u00a0';

export function announce(text: string): void {
  const announcer = byId('announcer', HTMLElement);
  // Screen readers read only changes, and the same text would be none.
  announcer.textContent = announcer.textContent === text ? text + SPACE : text;
}
