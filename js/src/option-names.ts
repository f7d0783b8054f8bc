/**
 * The options of the clients, by the names and kinds of `models.ts`.
 *
 * @module
 */

import type {
  CountTableEntitiesOptions,
  ExportEntitiesOptions,
  GetTableEntityOptions,
  ImportEntitiesOptions,
  ListTableEntitiesOptions,
  LiveEntitiesOptions,
  OperationOptions,
  SubmitTransactionOptions,
  TableEntityCountOptions,
  TableEntityQueryOptions,
  TableEntitySelectOptions,
  UpdateActionOptions,
  UpdateTableEntityOptions,
} from './models.js';
import { OPERATION_OPTIONS, WITHOUT_EFFECT, type KindsOf } from './options.js';
import type { PageSettings } from './paging.js';
import type { ProfileOptions } from './validator.js';

const READ = { ...OPERATION_OPTIONS, fresh: 'boolean' } as const;
const SELECT = { select: 'strings' } as const satisfies KindsOf<TableEntitySelectOptions>;
const FILTER = { filter: 'string' } as const satisfies KindsOf<TableEntityCountOptions>;
const SELECTION = { ...FILTER, ...SELECT } as const satisfies KindsOf<TableEntityQueryOptions>;
const ENTITIES = { ...READ, disableTypeConversion: 'boolean' } as const;

/** How keys are judged. */
export const PROFILE_OPTIONS = {
  profile: ['default', 'service'],
  onWarning: 'function',
} as const satisfies KindsOf<ProfileOptions>;

/** What each method takes. */
export const OPTIONS = {
  operation: OPERATION_OPTIONS,
  get: { queryOptions: SELECT, ...ENTITIES },
  query: { queryOptions: SELECTION, ...ENTITIES },
  count: { queryOptions: FILTER, ...READ },
  update: { ...OPERATION_OPTIONS, etag: 'string' },
  action: { ...WITHOUT_EFFECT, etag: 'string' },
  transaction: { ...OPERATION_OPTIONS, split: 'boolean' },
  import: { mode: ['Insert', 'Replace', 'Merge'], onProgress: 'function', abortSignal: 'signal' },
  export: { queryOptions: SELECTION, format: ['lines', 'array'], ...OPERATION_OPTIONS },
  live: { filter: 'string', abortSignal: 'signal', onError: 'function' },
  page: { continuationToken: 'string', maxPageSize: 'any' },
} as const satisfies {
  operation: KindsOf<OperationOptions>;
  get: KindsOf<GetTableEntityOptions>;
  query: KindsOf<ListTableEntitiesOptions>;
  count: KindsOf<CountTableEntitiesOptions>;
  update: KindsOf<UpdateTableEntityOptions>;
  action: KindsOf<UpdateActionOptions>;
  transaction: KindsOf<SubmitTransactionOptions>;
  import: KindsOf<ImportEntitiesOptions>;
  export: KindsOf<ExportEntitiesOptions>;
  live: KindsOf<LiveEntitiesOptions>;
  page: KindsOf<PageSettings>;
};
