/**
 * The definition that the store holds every writer of a table to.
 *
 * @module
 */

import type { TableServiceClient } from 'entitable';

import { isLocal } from '../explorer/limits.js';
import { byId } from './dom.js';

/**
 * Shows what is enforced, if anything is.
 *
 * @param isShown - whether the table is still on the screen.
 */
export async function showRules(
  account: TableServiceClient,
  table: string,
  isShown: () => boolean,
): Promise<void> {
  const schema = isLocal(account) ? await account.enforcedSchema(table) : undefined;
  if (!isShown()) return;
  const line = byId('enforced', HTMLElement);
  line.hidden = schema === undefined;
  if (!schema) return;
  const count = Object.keys(schema.properties).length;
  const others = schema.unknownProperties === 'reject' ? ', and takes no others' : '';
  line.textContent = `The store holds every writer of this table to ${count} declared properties${others}.`;
}
