/**
 * The definition that the store holds every writer of a table to.
 *
 * @module
 */

import type { EnforcedSchema } from 'entitable';

import { byId } from './dom.js';

/** Shows what is enforced; nothing, if it is undefined. */
export function showRules(schema: EnforcedSchema | undefined): void {
  const line = byId('enforced', HTMLElement);
  line.hidden = schema === undefined;
  if (!schema) return;
  const count = Object.keys(schema.properties).length;
  const others = schema.unknownProperties === 'reject' ? ', and takes no others' : '';
  line.textContent = `The store holds every writer of this table to ${count} declared properties${others}.`;
}
