/**
 * The Azure Table service in a web page. Storages have entries of their own
 * (`entitable/storage/indexeddb`, `entitable/storage/memory`), so that a bundle holds only the
 * storage that it uses. Only {@link openAccount} makes clients. The types of declared tables are in
 * `entitable/schema`, and those of a storage of your own in `entitable/storage/contract`.
 *
 * @module
 */

import type { DeclaredTables } from './tables/table.js';
import type { AccountOptions, WorkerAccountOptions } from './client/open-account.js';
import { loadValidatorWith, loadWarnings, MODULE, openWith } from './client/shared.js';
import type { TableServiceClient } from './client/table-service-client.js';
import type { EntryModule } from './core/load-module.js';
import { RestOfModule } from './core/rest-of-module.js';
import type { Validator, ValidatorOptions } from './validation/validator.js';

export type { OperationOptions, ReadOptions } from './base/call-options.js';
export { ERROR_CODES, type ErrorCode } from './base/error-codes.js';
export { TableError, type ErrorDetails } from './base/errors.js';
export type { Issue, RuleCode } from './base/issue.js';
export type { AbortSignalLike, WorkerLike } from './base/platform.js';
export type {
  AccessPolicy,
  CorsRule,
  InvalidEntity,
  ListTableItemsOptions,
  Logging,
  Metrics,
  RetentionPolicy,
  ServiceProperties,
  ServiceStatistics,
  SignedIdentifier,
  TableItem,
  TableItemResultPage,
} from './client/models.js';
export type { AccountOptions, WorkerAccountOptions } from './client/open-account.js';
export type { AccountTables, OpenedAccount } from './client/opened-account.js';
export type { PagedAsyncIterableIterator, PageSettings } from './client/paging.js';
export { deleteAccount } from './client/shared.js';
export { TableTransaction } from './client/transaction.js';
export {
  avg,
  count,
  countDistinct,
  histogram,
  max,
  min,
  quantile,
  sum,
  type Aggregate,
  type AggregateFunction,
  type AggregateOptions,
  type AggregateResult,
  type Aggregates,
  type DatePart,
  type GroupBy,
  type GroupName,
  type Histogram,
  type HistogramBin,
  type HistogramOptions,
} from './entity/aggregates.js';
export type { SearchOptions, SearchResult, TextName } from './entity/search.js';
export { odata } from './entity/odata.js';
export type { TableClient } from './client/table-client.js';
export type { TableServiceClient } from './client/table-service-client.js';
export type { WasmSource } from './core/compile.js';
export type { TableReader } from './client/table-reader.js';
export type {
  DeleteEntitiesOptions,
  DeleteEntitiesProgress,
  UpdateEntitiesOptions,
  UpdateEntitiesProgress,
} from './entity/bulk-changes.js';
export type { Edm, EdmTypes, TypedValue } from './entity/edm.js';
export type { EnforcedProperty, EnforcedSchema, EnforcedValue } from './entity/enforced-schema.js';
export type {
  CoveringIndex,
  TableIndex,
  TableIndexes,
  UpdateIndexesOptions,
  UpdateIndexesProgress,
} from './entity/indexes.js';
export type {
  ChangedProperties,
  DeclaredEntity,
  EntityToMerge,
  EntityToWrite,
  PropertiesToMerge,
  PropertyValue,
  SelectableName,
  SelectedEntity,
  SelectedProperties,
  Selection,
  SystemProperties,
  TableEntity,
  TableEntityResult,
} from './entity/entities.js';
export type {
  CountTableEntitiesOptions,
  CreateDeleteEntityAction,
  DeletedTableEntity,
  DeleteTableEntityOptions,
  DeleteTableEntityResponse,
  FilterDialectOptions,
  GetTableEntityOptions,
  GetTableEntityResponse,
  ListTableEntitiesOptions,
  OrderableName,
  OrderTerm,
  QueryPlan,
  SubmitTransactionOptions,
  TableEntityCountOptions,
  TableEntityOrderOptions,
  TableEntityQueryOptions,
  TableEntityResultPage,
  TableEntitySelectOptions,
  TableTransactionEntityResponse,
  TableTransactionResponse,
  TransactionAction,
  UpdateEntityAction,
  UpdateActionOptions,
  UpsertActionOptions,
  UpdateMode,
  UpdateTableEntityOptions,
  WriteEntityResponse,
} from './entity/models.js';
export type { Live, LiveAggregate, LiveCount, LiveEntities } from './live/live.js';
export type { LiveQuery } from './live/live-making.js';
export type {
  LiveAggregateOptions,
  LiveCountOptions,
  LiveEntitiesOptions,
  LiveObserver,
  SubscribeOptions,
  TableEntityChanges,
  Unsubscribe,
} from './live/models.js';
export type {
  AggregateOf,
  CallOptions,
  DeleteManyOptions,
  ExportOptions,
  FirstOptions,
  FollowOptions,
  FoundRow,
  GetOptions,
  ImportOptions,
  KeyFieldsOf,
  KeyOf,
  ListOptions,
  LiveCountOf,
  LiveOptions,
  LiveRowsQuery,
  ManyOptions,
  OrderOf,
  PartOfRow,
  PlainRow,
  RowChanges,
  RowsChanged,
  RowToWrite,
  SearchOf,
  SelectNames,
  SelectOf,
  SelectOptions,
  StoredRow,
  TableTypes,
  UpdateManyOptions,
  WhereOptions,
  WriteOptions,
} from './tables/models.js';
export type { CommonTable } from './tables/common-table.js';
export type { DeclaredTables, RowOf, Table, TableOf } from './tables/table.js';
export type { PageStorage, StoreStatus } from './storage/page-storage.js';
export type {
  ExportEntitiesOptions,
  ImportEntitiesOptions,
  ImportMode,
  ImportProgress,
  ImportSource,
} from './transfer/models.js';
export type {
  Profile,
  ProfileOptions,
  Validator,
  ValidatorOptions,
} from './validation/validator.js';
export type { DevelopmentWarning, DevelopmentWarningCode } from './warnings/models.js';

const MODULE_BESIDE: EntryModule = {
  kind: MODULE,
  // Bundlers find the files by exactly these expressions.
  source: () => new URL('./entitable-first.wasm', import.meta.url),
  rest: () => new RestOfModule(() => new URL('./entitable-rest.wasm', import.meta.url)),
  inlineEntry: 'entitable/inline',
  startWorker: () =>
    new Worker(new URL('./account-worker.js', import.meta.url), { type: 'module' }),
};

/**
 * Opens an account, and creates it if the storage is empty.
 *
 * @example
 * ```ts
 * const account = await openAccount({ storage: indexedDbStorage('my-app') });
 * await account.createTable('Pets');
 * ```
 * @throws {@link TableError} `InvalidInput`, if an option is unknown or has a value of another
 * kind; `StorageUnavailable`, if the storage cannot be used here; `ModuleAborted`, if the
 * WebAssembly module cannot be loaded; `ScriptNotLoaded`, if the script of the worker cannot be
 * loaded; each with its cause.
 */
export function openAccount<const Tables extends DeclaredTables = Record<never, never>>(
  options: AccountOptions<Tables> | WorkerAccountOptions<Tables>,
): Promise<TableServiceClient<Tables>> {
  return openWith(MODULE_BESIDE, options, loadWarnings);
}

/**
 * Loads the module. After that, every check is a plain call.
 *
 * @example
 * ```ts
 * const validator = await loadValidator();
 * const [first] = validator.validateEntity({ partitionKey: 'p', rowKey: 'a/b' });
 * console.log(first?.rule, first?.path, first?.position); // key-character rowKey 1
 * ```
 * @throws {@link TableError} `InvalidInput`, if an option is unknown; `ModuleAborted`, with the
 * cause, if the module cannot be loaded.
 */
export function loadValidator(options?: ValidatorOptions): Promise<Validator> {
  return loadValidatorWith(MODULE_BESIDE, options);
}
