/**
 * The options of the clients, with the names and kinds of their models.
 *
 * @module
 */

import type { OperationOptions } from '../base/call-options.js';
import { OPERATION_OPTIONS, type KindsOf } from '../base/options.js';
import type { AggregateOptions } from '../entity/aggregates.js';
import type { DeleteEntitiesOptions, UpdateEntitiesOptions } from '../entity/bulk-changes.js';
import type { UpdateIndexesOptions } from '../entity/indexes.js';
import type {
  CountTableEntitiesOptions,
  FilterDialectOptions,
  ListTableEntitiesOptions,
  TableEntityOrderOptions,
} from '../entity/models.js';
import type {
  LiveAggregateOptions,
  LiveCountOptions,
  LiveEntitiesOptions,
  SubscribeOptions,
} from '../live/models.js';
import type { SearchOptions } from '../entity/search.js';
import type { ExportEntitiesOptions, ImportEntitiesOptions } from '../transfer/models.js';
import { entityOptionKinds } from './entity-option-kinds.js';
import type {
  AccessPolicy,
  CorsRule,
  ListTableItemsOptions,
  Logging,
  Metrics,
  RetentionPolicy,
  ServiceProperties,
  SignedIdentifier,
} from './models.js';

const DIALECT = {
  dialect: ['service', 'extended'],
} as const satisfies KindsOf<FilterDialectOptions>;

const POLICY = {
  id: 'string',
  accessPolicy: {
    start: 'date',
    expiry: 'date',
    permission: 'string',
  } satisfies KindsOf<AccessPolicy>,
} as const satisfies KindsOf<SignedIdentifier>;
const RETENTION = {
  enabled: 'boolean',
  days: 'number',
} as const satisfies KindsOf<RetentionPolicy>;
const LOGGING = {
  version: 'string',
  read: 'boolean',
  write: 'boolean',
  delete: 'boolean',
  retentionPolicy: RETENTION,
} as const satisfies KindsOf<Logging>;
const METRICS = {
  version: 'string',
  enabled: 'boolean',
  includeAPIs: 'boolean',
  retentionPolicy: RETENTION,
} as const satisfies KindsOf<Metrics>;
const CORS_RULE = {
  allowedOrigins: 'string',
  allowedMethods: 'string',
  allowedHeaders: 'string',
  exposedHeaders: 'string',
  maxAgeInSeconds: 'number',
} as const satisfies KindsOf<CorsRule>;

/** The options of each method. */
export const OPTIONS = /* @__PURE__ */ optionKinds();

// It is a function for the sake of bundlers: see `both`.
// eslint-disable-next-line max-lines-per-function -- one table
function optionKinds() {
  const { filter, read, selection, methods } = entityOptionKinds();
  const order = {
    ...DIALECT,
    orderBy: 'strings',
    top: 'number',
    skip: 'number',
  } as const satisfies KindsOf<TableEntityOrderOptions>;
  const bulk = { ...filter, ...DIALECT, onProgress: 'function', abortSignal: 'signal' } as const;
  const live = { ...DIALECT, abortSignal: 'signal', onError: 'function' } as const;
  return {
    operation: OPERATION_OPTIONS,
    ...methods,
    list: { ...methods.query, ...order },
    tables: { ...filter, queryOptions: filter, ...read },
    count: { ...filter, queryOptions: filter, ...DIALECT, ...read },
    aggregate: {
      ...filter,
      queryOptions: filter,
      ...DIALECT,
      groupBy: 'any',
      select: 'any',
      ...read,
    },
    search: {
      ...selection,
      ...DIALECT,
      top: 'pageSize',
      match: ['all', 'any'],
      typed: 'boolean',
      ...read,
    },
    import: { mode: ['Insert', 'Replace', 'Merge'], onProgress: 'function', abortSignal: 'signal' },
    indexes: { onProgress: 'function', abortSignal: 'signal' },
    deleteAll: bulk,
    updateAll: { ...bulk, set: 'any', onRefused: 'function' },
    export: {
      ...selection,
      queryOptions: selection,
      ...DIALECT,
      format: ['lines', 'array'],
      ...OPERATION_OPTIONS,
    },
    subscribe: { ...selection, queryOptions: selection, ...live },
    live: { ...selection, queryOptions: selection, top: 'count', orderBy: 'strings', ...live },
    liveCount: { ...filter, queryOptions: filter, ...live },
    liveAggregate: { ...filter, queryOptions: filter, groupBy: 'any', select: 'any', ...live },
    policies: { tableAcl: [POLICY] },
    properties: {
      logging: LOGGING,
      hourMetrics: METRICS,
      minuteMetrics: METRICS,
      cors: [CORS_RULE],
    },
  } as const satisfies {
    operation: KindsOf<OperationOptions>;
    list: KindsOf<ListTableEntitiesOptions & TableEntityOrderOptions>;
    tables: KindsOf<ListTableItemsOptions>;
    count: KindsOf<CountTableEntitiesOptions>;
    aggregate: KindsOf<AggregateOptions>;
    search: KindsOf<SearchOptions>;
    import: KindsOf<ImportEntitiesOptions>;
    indexes: KindsOf<UpdateIndexesOptions>;
    deleteAll: KindsOf<DeleteEntitiesOptions>;
    updateAll: KindsOf<UpdateEntitiesOptions<unknown>>;
    export: KindsOf<ExportEntitiesOptions>;
    subscribe: KindsOf<SubscribeOptions>;
    live: KindsOf<LiveEntitiesOptions>;
    liveCount: KindsOf<LiveCountOptions>;
    liveAggregate: KindsOf<LiveAggregateOptions>;
    policies: KindsOf<{ tableAcl: SignedIdentifier[] }>;
    properties: KindsOf<ServiceProperties>;
  };
}
