/**
 * How the rows of a declared table are stored. `entitable/schema` makes it, so that an app without
 * declared tables does not have its code.
 *
 * @module
 */

import type { EdmTypes } from './edm.js';

/** What is declared of a property. */
export interface DeclaredProperty {
  readonly type: EdmTypes;
  readonly presence: 'required' | 'optional' | 'default';
}

/** The form of the rows of one table. */
export interface RowForm {
  /** The rules that the core checks. */
  readonly schema: Uint8Array;

  /** Rows may be of an older version, so reads need all properties, and merges the stored row. */
  readonly hasVersions: boolean;

  /** Returns what is declared of a property, if it is declared. */
  rulesOf(name: string): DeclaredProperty | undefined;

  /**
   * Returns the entity that a write stores for a row, or for a part of a row. It is a copy, which
   * is made at once. A promise, if a check of the app is one.
   *
   * @throws {@link TableError} `SchemaViolation`, if a pattern or a check does not hold.
   */
  stored<T extends object>(row: T, isPart: boolean): T | Promise<T>;
}
