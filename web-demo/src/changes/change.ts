/**
 * What a change has done to entities, so that it can be undone and done again.
 *
 * @module
 */

import type { EntityContent } from '../typed-entity.js';

/** An undo has the entities of a change in memory, so a change that has more is for good. */
export const MOST_TO_UNDO = 10_000;

/**
 * An entity at one time. The etag is that of the last write which has made it so: an undo gives the
 * entity of earlier another one. Two changes that follow one another share the version between
 * them, so the earlier one learns of this etag.
 */
export interface Version {
  /** Undefined: there was none. */
  readonly entity: EntityContent | undefined;
  etag: string | undefined;
}

/** What a change has done to one entity. */
export interface Step {
  readonly before: Version;
  readonly after: Version;
}

export interface Change {
  /** The name of the table. */
  readonly table: string;
  /** For people: `rex was deleted`. */
  readonly text: string;
  /** By the keys of the entity. */
  readonly steps: ReadonlyMap<string, Step>;
  /** What happened to the table itself. */
  readonly ofTable?: 'created' | 'deleted' | undefined;
}

/** `rex was saved`, or `12 entities were saved`. */
export function changeText(subject: string, count: number, verb: string): string {
  return `${subject} ${count === 1 ? 'was' : 'were'} ${verb}`;
}

/** How many entities more the table has after some steps. */
export function addedBy(steps: Iterable<Step>, side: 'before' | 'after'): number {
  let added = 0;
  for (const { before, after } of steps) added += Number(!!after.entity) - Number(!!before.entity);
  return side === 'after' ? added : -added;
}
