/**
 * What happens out of sight or out of focus, told to those who listen.
 *
 * @module
 */

import { byId } from './dom.js';

const SPACE = '\u00a0';

export function announce(text: string): void {
  const announcer = byId('announcer', HTMLElement);
  // The same text twice would be no change, and is not read.
  announcer.textContent = announcer.textContent === text ? text + SPACE : text;
}
