/**
 * Disables what an account does not permit, and says why.
 *
 * @module
 */

import type { WhyNot, Write } from '../explorer/home.js';
import { byId, disable } from './dom.js';

const BUTTONS: Partial<Record<Write, readonly string[]>> = {
  createTable: ['new-table', 'welcome-table'],
  deleteTable: ['delete-table'],
  insert: ['add-entity', 'import-file', 'paste-rows', 'welcome-import'],
  update: ['change-selected'],
  delete: ['delete-selected'],
};

/** Enables what another account has disabled. */
export function showNoLimits(): void {
  for (const id of Object.values(BUTTONS).flat()) disable(byId(id, HTMLButtonElement), false);
}

/** Whoever enables these buttons calls it afterwards. */
export function showAccess(whyNot: WhyNot): void {
  for (const [write, ids] of Object.entries(BUTTONS)) {
    const why = whyNot(write as Write);
    if (why === undefined) continue;
    for (const id of ids) disable(byId(id, HTMLButtonElement), true, why);
  }
}
