/**
 * The Azure Table service, in the page. Storages are entries of their own
 * (`entitable/storage/indexeddb`, `entitable/storage/memory`), so that a bundle
 * holds only the one it uses; the clients come from {@link openAccount} alone.
 *
 * @module
 */

export { loadValidator, openAccount } from './account.js';
export type { WasmSource } from './core/compile.js';
export type { Edm, EdmTypes } from './edm.js';
export {
  ERROR_CODES,
  TableError,
  type ErrorCode,
  type ErrorDetails,
  type StorageRoom,
} from './errors.js';
export type { LiveEntities, LiveObserver, Unsubscribe } from './live-entities.js';
export type {
  AbortSignalLike,
  AccessPolicy,
  CorsRule,
  CountTableEntitiesOptions,
  CreateDeleteEntityAction,
  DeletedTableEntity,
  DeleteTableEntityOptions,
  DeleteTableEntityResponse,
  ExportEntitiesOptions,
  GetTableEntityOptions,
  GetTableEntityResponse,
  ImportEntitiesOptions,
  ImportMode,
  ImportProgress,
  ImportSource,
  ListTableEntitiesOptions,
  ListTableItemsOptions,
  LiveEntitiesOptions,
  Logging,
  Metrics,
  OperationOptions,
  QueryPlan,
  ReadOptions,
  RetentionPolicy,
  ServiceProperties,
  ServiceStatistics,
  SignedIdentifier,
  SubmitTransactionOptions,
  TableEntity,
  TableEntityChanges,
  TableEntityCountOptions,
  TableEntityQueryOptions,
  TableEntityResult,
  TableEntityResultPage,
  TableEntitySelectOptions,
  TableItem,
  TableItemResultPage,
  TableTransactionEntityResponse,
  TableTransactionResponse,
  TransactionAction,
  UpdateEntityAction,
  UpdateActionOptions,
  UpsertActionOptions,
  UpdateMode,
  UpdateTableEntityOptions,
  WriteEntityResponse,
} from './models.js';
export type { AccountOptions } from './open.js';
export type { PagedAsyncIterableIterator, PageSettings } from './paging.js';
export { deleteAccount, odata, TableTransaction } from './shared.js';
export type {
  Batch,
  CommitOptions,
  CommitOutcome,
  CommitResult,
  Durability,
  PageStorage,
  ReadRequest,
  Snapshot,
  StatusListener,
  StorageKey,
  StoreStatus,
} from './storage/page-storage.js';
export type { TableClient } from './table-client.js';
export type { TableServiceClient } from './table-service-client.js';
export type { ValidatorOptions } from './validate.js';
export type { Profile, ProfileOptions, RuleCode, Validator, Violation } from './validator.js';
