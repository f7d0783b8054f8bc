/**
 * How the rows of a declared table are stored. `entitable/schema` makes it, so that an app without
 * declared tables does not have its code.
 *
 * @module
 */

import type { EdmTypes } from './edm.js';
import type { EntityKeys } from './keys.js';

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

/**
 * What an app says of the rows of a table, as the core takes it. A key may be made of fields of the
 * rows, which stand nowhere else.
 */
export interface AppNames {
  /** The names of the fields of the key, from the first. */
  readonly keys: readonly string[];

  /**
   * Returns the stored keys of a row, of an object with the fields of its key, or of the value of
   * the only field.
   *
   * @throws {@link TableError} `InvalidInput`, if a field is missing or has another type.
   */
  keysOf(given: unknown): EntityKeys;

  /** Returns the fields of stored keys. */
  fieldsOf(keys: EntityKeys): Record<string, unknown>;

  /**
   * Returns the text of a filter: of a function of the properties, or of a text. The function is
   * given operands of values in parts for the extended dialect alone.
   */
  filterOf(where: unknown, dialect?: 'extended'): string | undefined;

  /** Returns the terms of an order. */
  orderOf(terms: readonly string[]): readonly string[];

  /** Returns the name under which a property is stored. */
  storedName(name: string): string;

  /** Returns the value of a property, if this is its stored value. */
  valueOf(name: string, stored: unknown): unknown;

  /** Returns the names to select for some properties, which include the keys. */
  selectOf(select: readonly string[]): string[];

  /** Returns the keys in words, for messages; missing, if an app gives them as they are stored. */
  readonly inWords: ((keys: Partial<EntityKeys>) => string[]) | undefined;

  /** Returns a text with the names of fields in place of those of stored keys. */
  inNames(text: string): string;
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

  readonly names: AppNames;

  /** If it is there, reads need all properties of a row, and merges the stored row. */
  readonly versions: RowVersions | undefined;

  /** Whether a merge depends on the row: it has versions, or keys with rules of this language. */
  readonly readsToMerge: boolean;

  /** Returns what is declared of a property, if it is declared. */
  rulesOf(name: string): DeclaredProperty | undefined;

  /** Returns the row of an entity that was just written. */
  rowOf(entity: object): object;

  /** Selects properties of a row that was read; missing, if the keys are properties. */
  readonly pick: ((row: object, select: readonly string[]) => object) | undefined;

  /**
   * Returns the entity that a write stores for a row, or for a part of a row. It is a copy, which
   * is made at once. A promise, if a check of the app is one.
   *
   * @throws {@link TableError} `SchemaViolation`, if a pattern or a check does not hold.
   */
  stored<T extends object>(row: T, isPart: boolean): T | Promise<T>;
}
