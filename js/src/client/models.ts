/**
 * Tables, access policies and properties of the service, as in `@azure/data-tables`.
 *
 * @module
 */

import type { ReadOptions } from '../base/call-options.js';

/** A table of the account. */
export interface TableItem {
  name?: string;
}

/** A page of tables. */
export type TableItemResultPage = TableItem[] & {
  /** Names the next page; missing on the last one. */
  continuationToken?: string;
};

/** Options of `listTables`. */
export interface ListTableItemsOptions extends ReadOptions {
  queryOptions?: { filter?: string | undefined } | undefined;
}

/** What a shared access signature that names the policy may do; what is left out, it says itself. */
export interface AccessPolicy {
  start?: Date | undefined;
  expiry?: Date | undefined;
  /** Letters of `raud`: read, add, update, delete. */
  permission?: string | undefined;
}

/** A stored access policy of a table. */
export interface SignedIdentifier {
  /** 1 to 64 characters. */
  id: string;
  accessPolicy?: AccessPolicy | undefined;
}

/** How long logs and metrics would be kept. */
export interface RetentionPolicy {
  enabled: boolean;
  /** 1 to 365; only where it is enabled. */
  days?: number | undefined;
}

/** What would be logged: it is kept, and nothing follows from it. */
export interface Logging {
  /** `1.0`. */
  version: string;
  read: boolean;
  write: boolean;
  delete: boolean;
  retentionPolicy: RetentionPolicy;
}

/** What would be measured: it is kept, and nothing follows from it. */
export interface Metrics {
  /** `1.0`. */
  version: string;
  enabled: boolean;
  /** Only where they are enabled. */
  includeAPIs?: boolean | undefined;
  retentionPolicy: RetentionPolicy;
}

/** What pages of other origins may do by HTTP. Lists have commas between their parts. */
export interface CorsRule {
  /** Up to 64 origins, or `*`. */
  allowedOrigins: string;
  allowedMethods: string;
  /** Up to 64 names, and 2 beginnings of names with a `*` behind; also of the next. */
  allowedHeaders: string;
  exposedHeaders: string;
  maxAgeInSeconds: number;
}

/** What `getProperties` resolves to, and `setProperties` takes. */
export interface ServiceProperties {
  logging?: Logging | undefined;
  hourMetrics?: Metrics | undefined;
  minuteMetrics?: Metrics | undefined;
  /** Up to five rules, of which the first that fits decides. */
  cors?: CorsRule[] | undefined;
}

/** What `getStatistics` resolves to. */
export interface ServiceStatistics {
  geoReplication: { status: 'live'; lastSyncOn: Date };
}
