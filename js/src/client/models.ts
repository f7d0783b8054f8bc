/**
 * Tables, access policies and properties of the service, as in `@azure/data-tables`.
 *
 * @module
 */

import type { ReadOptions } from '../base/call-options.js';
import type { Issue } from '../base/issue.js';

/** A table of the account. */
export interface TableItem {
  name?: string;
}

/** A page of tables. */
export type TableItemResultPage = TableItem[] & {
  /** Where the next page begins; missing on the last page. */
  continuationToken?: string;
};

/** Options of `listTables`. */
export interface ListTableItemsOptions extends ReadOptions {
  /** An OData expression on `TableName`: write it with the `odata` tag. */
  filter?: string | undefined;

  /** The same option, in the form of the official client. */
  queryOptions?: { filter?: string | undefined } | undefined;
}

/** A stored entity that breaks the definition of a table. */
export interface InvalidEntity {
  readonly partitionKey: string;
  readonly rowKey: string;
  readonly etag: string;
  /** Everything that is wrong with it. */
  readonly issues: readonly Issue[];
}

/**
 * What a shared access signature with this policy allows. The signature itself says what is missing
 * here.
 */
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
  /** 1 to 365; only if it is enabled. */
  days?: number | undefined;
}

/** What the service would log. The setting is stored without effect. */
export interface Logging {
  /** `1.0`. */
  version: string;
  read: boolean;
  write: boolean;
  delete: boolean;
  retentionPolicy: RetentionPolicy;
}

/** What the service would measure. The setting is stored without effect. */
export interface Metrics {
  /** `1.0`. */
  version: string;
  enabled: boolean;
  /** Only if metrics are enabled. */
  includeAPIs?: boolean | undefined;
  retentionPolicy: RetentionPolicy;
}

/** What pages of other origins may do by HTTP. Commas separate the parts of a list. */
export interface CorsRule {
  /** Up to 64 origins, or `*`. */
  allowedOrigins: string;
  allowedMethods: string;
  /** Up to 64 names, and 2 prefixes that end with `*`; the same holds for `exposedHeaders`. */
  allowedHeaders: string;
  exposedHeaders: string;
  maxAgeInSeconds: number;
}

/** The result of `getProperties`, and the argument of `setProperties`. */
export interface ServiceProperties {
  logging?: Logging | undefined;
  hourMetrics?: Metrics | undefined;
  minuteMetrics?: Metrics | undefined;
  /** Up to five rules. The first rule that fits decides. */
  cors?: CorsRule[] | undefined;
}

/** The result of `getStatistics`. */
export interface ServiceStatistics {
  geoReplication: { status: 'live'; lastSyncOn: Date };
}
