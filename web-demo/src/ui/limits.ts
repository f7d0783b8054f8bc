/**
 * Says what the service of a remote account cannot do, and disables it.
 *
 * @module
 */

import type { TableClient } from 'entitable';

import { isLocal, REMOTE_LIMITS } from '../explorer/limits.js';
import { byId } from './dom.js';

// They need sums, or all tables at one moment.
const LOCAL_ONLY = ['toggle-chart', 'toggle-properties', 'download-account'];

/** Shows the limits of a table; nothing, if it has none. */
export function showLimits(table: TableClient): void {
  const isRemote = !isLocal(table);
  const line = byId('limits', HTMLElement);
  line.hidden = !isRemote;
  line.textContent = isRemote ? REMOTE_LIMITS : '';
  for (const id of ['plan', 'toggle-search']) byId(id, HTMLElement).hidden = isRemote;
  for (const id of LOCAL_ONLY) {
    const button = byId(id, HTMLButtonElement);
    button.disabled = isRemote;
    button.title = isRemote ? REMOTE_LIMITS : '';
  }
}
