/**
 * Operations and answers, before they are bytes.
 *
 * @module
 */

/** The first byte of an operation frame; `OperationKind` of `request/operation_fields.h`. */
export const OPERATION_KINDS = {
  createTable: 1,
  deleteTable: 2,
  getTable: 3,
  queryTables: 4,
  insertEntity: 5,
  getEntity: 6,
  queryEntities: 7,
  replaceEntity: 8,
  mergeEntity: 9,
  deleteEntity: 10,
  transaction: 11,
  countEntities: 12,
  importEntities: 13,
  awaitChanges: 14,
  getPolicies: 15,
  setPolicies: 16,
  getServiceProperties: 17,
  setServiceProperties: 18,
  getTableSchema: 19,
  setTableSchema: 20,
  queryTypes: 21,
  syncTable: 22,
  queryOrdered: 23,
  queryGroups: 24,
  querySearch: 25,
  setTableIndexes: 26,
  deleteMatching: 27,
  mergeMatching: 28,
  accountTransaction: 29,
} as const;

/** The tags of the members that are texts or bytes. */
export const OPERATION_TAGS: Readonly<Partial<Record<keyof Operation, number>>> = {
  table: 1,
  partitionKey: 2,
  rowKey: 3,
  ifMatch: 4,
  filter: 6,
  select: 7,
  top: 8,
  nextPartitionKey: 9,
  nextRowKey: 10,
  nextTableName: 11,
  body: 12,
  position: 15,
  schema: 16,
  sync: 17,
  orderBy: 18,
  skip: 19,
  most: 20,
  aggregates: 21,
  search: 22,
  property: 23,
  ranges: 24,
};
export const PART_TAG = 13;
export const IMPORT_PART_TAG = 14;

/** `OperationFlag` of `request/frame.cc`. */
export const FLAGS = {
  noEcho: 1,
  fresh: 2,
  keepsDoubles: 16,
  extendedFilter: 32,
  anyWord: 64,
  atOnce: 128,
} as const;

/** How an import treats a key that exists already; `ImportMode` of `entitable/operation.h`. */
export const IMPORT_MODES = { Insert: 0, Replace: 1, Merge: 2 } as const;

/** A part of the input of an import. */
export interface ImportPart {
  /** A number that no other import of the account has. */
  readonly import: number;
  readonly mode: keyof typeof IMPORT_MODES;
  /** The input is an archive; then the mode has no effect. */
  readonly restores?: boolean | undefined;
  /** It is the first part; it is the last part; the import stores nothing more. */
  readonly begins?: boolean | undefined;
  readonly ends?: boolean | undefined;
  readonly abandons?: boolean | undefined;
}

/** One request. Members that its kind does not use are missing. */
export interface Operation {
  readonly kind: keyof typeof OPERATION_KINDS;
  readonly table?: string | undefined;
  readonly partitionKey?: string | undefined;
  readonly rowKey?: string | undefined;
  readonly ifMatch?: string | undefined;
  readonly filter?: string | undefined;
  /** Of the filter. */
  readonly dialect?: 'service' | 'extended' | undefined;
  readonly select?: string | undefined;
  readonly top?: string | undefined;
  readonly nextPartitionKey?: string | undefined;
  readonly nextRowKey?: string | undefined;
  readonly nextTableName?: string | undefined;

  /**
   * Of `queryOrdered` and `queryGroups`: names of properties, each with an optional `asc` or
   * `desc`. Of `setTableIndexes`: such a list for each index, with semicolons between them.
   */
  readonly orderBy?: string | undefined;

  /** Of `queryOrdered`: how many entities to leave out, and how many to return in all; decimal. */
  readonly skip?: string | undefined;
  readonly most?: string | undefined;

  /** Of `queryGroups`: `count`, or a function and the name of a property, separated by commas. */
  readonly aggregates?: string | undefined;

  /**
   * Of `querySearch`: the words, the property with the text, and whether one word is enough. Of a
   * `mergeEntity` without `ifMatch`, `property` names what of the body is merged if there is an
   * entity, with commas between; the rest is for a new entity alone.
   */
  readonly search?: string | undefined;
  readonly property?: string | undefined;
  readonly anyWord?: boolean | undefined;

  /**
   * Of `awaitChanges`: up to where the changes are known, as an earlier answer said. Of a
   * transaction: up to where what it has read is unchanged.
   */
  readonly position?: string | undefined;

  /** Of a transaction and its reads: what it has read, as earlier answers said. */
  readonly ranges?: Uint8Array | undefined;

  /** Of `awaitChanges`: answers at once, even if nothing has changed. */
  readonly atOnce?: boolean | undefined;

  /** Of a read: it refreshes first, and so sees the writes of other accounts. */
  readonly fresh?: boolean | undefined;

  /** Entities are values instead of JSON, in the answer to a read and in the body of an import. */
  readonly asValues?: boolean | undefined;

  /** Of a list: tables or entities are lines of an archive. */
  readonly asLines?: boolean | undefined;

  /** The step of a sync and its arguments, as JSON. */
  readonly sync?: string | undefined;

  /** OData JSON or settings; of an import or a sync, bytes. */
  readonly body?: string | Uint8Array | undefined;

  /**
   * For an update, a `mergeMatching` or a part of an import: a plain number stays a Double if a
   * Double is stored.
   */
  readonly keepsDoubles?: boolean | undefined;

  /**
   * The schema that the entities of a write, a transaction or an import must keep. An import has it
   * in its first part. For `setTableSchema`, the new schema of the table.
   * `docs/internals/file-format.md` has the grammar.
   */
  readonly schema?: Uint8Array | undefined;

  readonly importPart?: ImportPart | undefined;

  /** The actions of a transaction; of a read of it, those that the read is to see. */
  readonly parts?: readonly Operation[] | undefined;
}

/** One success. */
export interface Answer {
  status: number;
  etag?: string;
  nextPartitionKey?: string;
  nextRowKey?: string;
  nextTableName?: string;

  /**
   * Of `awaitChanges`: the position up to which the answer has the changes. Of a read of a
   * transaction: up to where what it has read is unchanged.
   */
  position?: string;

  /** Of a read of a transaction: what it has read. */
  ranges?: Uint8Array;

  /** Of `awaitChanges`: for each entity, `l` or `r`, local or remote; missing if all are local. */
  origins?: string;

  /** Of `querySearch`: the score of each entity, separated by commas. */
  scores?: string;

  /** OData JSON; missing if the service sends none. */
  body?: string;

  /** Values that the service may refuse, as a JSON array: `docs/internals/frames.md`. */
  warnings?: string;

  /** One for each part of the operation, in the order of the parts. */
  parts: Answer[];
}
