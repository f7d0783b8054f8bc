/**
 * A change of the user, which can be undone.
 *
 * @module
 */

import type { EntityKeys } from './rows/row-query.js';

export interface EntityChange {
  readonly kind: 'added' | 'saved' | 'deleted';
  /** The name of the table. */
  readonly table: string;
  /** What was changed: a row key, or `12 entities`. */
  readonly subject: string;
  /** How many entities. */
  readonly count: number;
  /** What the user should know beside it. */
  readonly note?: string;
  /** The entity, if it is one. */
  readonly keys?: EntityKeys;
  /**
   * Brings back what was before, unless somebody has changed it since; undefined if there were too
   * many entities.
   */
  readonly undo?: (() => Promise<void>) | undefined;
}

/** `rex was deleted.` */
export function changeText({ subject, count, kind, note = '' }: EntityChange): string {
  return `${subject} ${count === 1 ? 'was' : 'were'} ${kind}.${note}`;
}
