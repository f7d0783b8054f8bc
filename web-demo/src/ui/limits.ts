/**
 * Says what cannot be done with the table on the screen, and disables it: the service has no order
 * and no sums, and a copy in the memory of the page is only read.
 *
 * @module
 */

import type { TableClient } from 'entitable';

import { COPY_LIMITS, COPY_REMEDY, copyOf, type TableCopy } from '../copy/table-copy.js';
import { counted } from '../display.js';
import { isLocal } from '../explorer/limits.js';
import { REMOTE_LIMITS, WHOLE_LIMITS } from '../explorer/remote-limits.js';
import { byId, disable, make } from './dom.js';

const NO_ARCHIVE = 'The service of this account cannot give all tables as they are at one moment.';

/**
 * Shows the limits of a table; nothing, if it has none.
 *
 * @param isBusy - whether a load is running.
 */
export function showLimits(table: TableClient, isBusy: boolean): void {
  const copy = copyOf(table);
  const isRemote = !isLocal(table);
  byId('limits', HTMLElement).hidden = !isRemote && !copy;
  byId('limits-text', HTMLElement).replaceChildren(...(copy ? about(copy) : [REMOTE_LIMITS]));
  byId('copy-table', HTMLElement).hidden = !isRemote;
  for (const id of ['copy-again', 'copy-back']) byId(id, HTMLElement).hidden = !copy;
  for (const id of ['copy-table', 'copy-again', 'copy-back']) disable(button(id), isBusy);
  for (const id of ['toggle-plan', 'toggle-search']) byId(id, HTMLElement).hidden = isRemote;
  for (const id of ['toggle-chart', 'toggle-properties'])
    disable(button(id), isRemote, WHOLE_LIMITS);
  disable(button('download-account'), isRemote || copy !== undefined, NO_ARCHIVE);
  disable(button('add-entity'), copy !== undefined, COPY_LIMITS);
  disable(button('delete-table'), isBusy || copy !== undefined, copy && COPY_LIMITS);
}

const button = (id: string) => byId(id, HTMLButtonElement);

const CLOCK = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });

function about({ filter, count, readAt }: TableCopy): (Node | string)[] {
  const verb = count === 1 ? 'matches' : 'match';
  const matching = filter.trim() ? [` that ${verb} `, make('code', {}, filter)] : [];
  return [
    `A copy in the memory of this page: ${counted(count, 'entities')}`,
    ...matching,
    `, read at ${CLOCK.format(readAt)}. It can be sorted, searched and charted. ${COPY_REMEDY}`,
  ];
}
