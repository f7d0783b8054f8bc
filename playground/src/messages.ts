/**
 * What the playground and the frame of a program tell each other.
 *
 * The frame has an origin of its own (`sandbox`), because a link may bring anybody's program: it
 * must not see what the demo keeps in this browser for the site's origin.
 *
 * @module
 */

/** The package, as the frame gets it: it cannot fetch from the site's origin. */
export interface Library {
  /** A script that exports a namespace for each entry. */
  readonly script: string;
  /** The entries by the names that programs import. */
  readonly entries: Readonly<Record<string, Entry>>;
}

export interface Entry {
  /** The name under which the script exports the namespace. */
  readonly namespace: string;
  readonly exports: readonly string[];
}

/** From the playground: run this JavaScript. */
export interface Start {
  readonly library: Library;
  readonly program: string;
}

/** A value of a property, as stored. */
export interface StoredValue {
  readonly type: string;
  /** As in JSON: Binary as Base64, DateTime as ISO 8601. */
  readonly value: string;
}

export interface StoredTable {
  readonly name: string;
  /** The first entities, in the order of their keys. */
  readonly entities: readonly Readonly<Record<string, StoredValue>>[];
  readonly hasMore: boolean;
}

export type FrameMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'log'; readonly level: Level; readonly text: string }
  /** `line` is that of the program, from 1; undefined if the error came from elsewhere. */
  | { readonly kind: 'error'; readonly text: string; readonly line: number | undefined }
  /** The tables of all accounts that the program has opened, so far. */
  | { readonly kind: 'tables'; readonly tables: readonly StoredTable[] }
  /** The module has run to its end. It may still have timers and live views. */
  | { readonly kind: 'end'; readonly hasPage: boolean };

export type Level = 'error' | 'info' | 'log' | 'warn';
