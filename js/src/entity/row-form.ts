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
  /** It is there, if a value may have several parts. */
  readonly parted?: object | undefined;
}

/** The versions of the rows of a table. */
export interface RowVersions {
  /** The newest one. */
  readonly version: number;

  /** The property that holds the version of a row. A row without it has version 1. */
  readonly property: string;

  /** For each older version: makes a row of the next version. */
  readonly upgrade: Readonly<Record<number, (row: Record<string, unknown>) => object>>;
}

/** The form of the rows of one table. */
export interface RowForm {
  /** The rules that the core checks. */
  readonly schema: Uint8Array;

  /**
   * The same for what `stored` returns. If properties that are not declared are dropped, it has
   * none, and a stored row that has one can be merged with it.
   */
  readonly schemaOfStored: Uint8Array;

  /** `schema` and the latest version that it knows, for imports, whose bytes come as they are. */
  readonly schemaOfImport: Uint8Array;

  /** If it is there, reads need all properties of a row, and merges the stored row. */
  readonly versions: RowVersions | undefined;

  /** Whether a merge depends on the row: it has versions, or keys with rules of this language. */
  readonly readsToMerge: boolean;

  /**
   * Returns a text that is the same for definitions with equal properties and versions: they read
   * the same rows. Functions are equal if their texts are.
   */
  identity(): string;

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
