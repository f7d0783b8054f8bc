/**
 * Development warnings, as an app gets them.
 *
 * @module
 */

import type { TableIndex } from '../entity/indexes.js';

/** What a {@link DevelopmentWarning} is about. */
export type DevelopmentWarningCode =
  | 'unknown-property'
  | 'comparison-never-true'
  | 'comparison-always-true'
  | 'table-scan'
  | 'lost-condition'
  | 'long-list'
  | 'mixed-types';

/** A warning of a call that probably does not do what its author wants. */
export interface DevelopmentWarning {
  readonly code: DevelopmentWarningCode;

  /** What was found, and what to do, in a few English sentences. */
  readonly message: string;

  /** The name of the table. */
  readonly table: string;

  /**
   * The filter; not of `mixed-types`, `long-list`, `lost-condition`, nor of an unknown name in an
   * order.
   */
  readonly filter?: string;

  /** The property, as a filter names it; not of `table-scan`, `long-list`, `lost-condition`. */
  readonly property?: string;

  /** The name that was probably meant; of `unknown-property`, if there is one. */
  readonly nearest?: string;

  /** The types of the property, as `Edm.Int32`; not of `unknown-property`. */
  readonly types?: readonly string[];
}

/** A definition of a table. */
export interface Definition {
  readonly tableName: string;
  /** By their names in the API. */
  readonly properties: Readonly<
    Record<string, { readonly rules: { readonly parted?: { readonly kind: string } | undefined } }>
  >;
  /** The properties as rows are stored: with the version and further parts. */
  readonly stored: object;
  readonly indexes: readonly TableIndex[];
  /** The fields of its key; missing, if it declares partitionKey and rowKey. */
  readonly rowKeys?: { readonly names: readonly string[] } | undefined;
}

/** The core's answer to the operation `queryTypes`: `docs/internals/frames.md`. */
export interface TypesAnswer {
  readonly access: string;
  /** How many entities the core has read. */
  readonly count: number;
  readonly properties: readonly TypesOfProperty[];
}

/** A property of a table. */
export interface TypesOfProperty {
  readonly name: string;
  readonly types: readonly string[];
  readonly comparisons: readonly TypedComparison[];
}

/** A form of comparison of a filter. */
export interface TypedComparison {
  readonly operator: string;
  readonly type: string;
  readonly holds: 'sometimes' | 'never' | 'always';
}
