/**
 * Groups the faults of rows, so that many rows with the same fault are one line.
 *
 * @module
 */

import type { Issue } from '../base/issue.js';

/** Rows about which the same is said. */
export interface FaultGroup<Scope extends string = string> {
  /** What they share beside the text, such as their file. */
  readonly scope: Scope;
  /** About the first row. */
  readonly text: string;
  /** The first of them. */
  readonly rows: readonly number[];
  readonly count: number;
}

// Of the rows of a group that are named.
const MOST_ROWS = 5;
const MOST_GROUPS = 100;

// Values and numbers in a text differ, although the fault is the same.
const VALUES = /"(?:[^"\\]|\\.)*"|\d+/g;

/** A rule that is broken, and the property that breaks it. */
type BrokenRule = Pick<Issue, 'rule' | 'path'>;

/** Collects faults in bounded memory. */
export class FaultGroups<Scope extends string = string> {
  readonly #groups = new Map<
    string,
    { scope: Scope; text: string; rows: number[]; count: number }
  >();

  /**
   * Takes a fault. Returns false, and does nothing, if there are too many groups for another.
   *
   * @param broken - what tells the fault from others. Without it, the words of the text do.
   */
  add(scope: Scope, text: string, row: number, broken?: BrokenRule): boolean {
    const kind = broken ? [broken.rule, broken.path] : text.replace(VALUES, '');
    const key = JSON.stringify([scope, kind]);
    let group = this.#groups.get(key);
    if (!group) {
      if (this.#groups.size === MOST_GROUPS) return false;
      this.#groups.set(key, (group = { scope, text, rows: [], count: 0 }));
    }
    group.count++;
    if (group.rows.length < MOST_ROWS) group.rows.push(row);
    return true;
  }

  /** Returns the groups in the order of their first rows, and begins anew. */
  take(): FaultGroup<Scope>[] {
    const groups = [...this.#groups.values()];
    this.#groups.clear();
    return groups;
  }
}

/** `2, 3, 4, 5, 1234 and 45 more`: without commas in a number, so that the list is one. */
export function rowsText({ rows, count }: FaultGroup): string {
  const more = count - rows.length;
  const first = rows.join(', ');
  return more > 0 ? `${first} and ${more.toLocaleString('en')} more` : first;
}
