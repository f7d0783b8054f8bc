/**
 * The options of the clients, by the names and kinds of `models.ts`.
 *
 * @module
 */

import type {
  CountTableEntitiesOptions,
  ExportEntitiesOptions,
  ImportEntitiesOptions,
  ListTableEntitiesOptions,
  LiveEntitiesOptions,
  OperationOptions,
  SubmitTransactionOptions,
  TableEntityQueryOptions,
  UpdateTableEntityOptions,
} from './models.js';
import { OPERATION_OPTIONS, type OptionKind } from './options.js';
import type { PageSettings } from './paging.js';
import type { ProfileOptions } from './validator.js';

/** The very names of a type: who adds an option adds it here. */
type KindsOf<T> = { readonly [Name in keyof Required<T>]: OptionKind };

const READ = { ...OPERATION_OPTIONS, fresh: 'boolean' } as const;
const SELECTION = {
  filter: 'string',
  select: 'strings',
} as const satisfies KindsOf<TableEntityQueryOptions>;
const FILTER = { filter: 'string' } as const;

/** How keys are judged. */
export const PROFILE_OPTIONS = {
  profile: ['default', 'service'],
  onWarning: 'function',
} as const satisfies KindsOf<ProfileOptions>;

/** What each method takes. */
export const OPTIONS = {
  operation: OPERATION_OPTIONS,
  query: { queryOptions: SELECTION, ...READ, disableTypeConversion: 'boolean' },
  count: { queryOptions: FILTER, ...READ },
  update: { ...OPERATION_OPTIONS, etag: 'string' },
  transaction: { ...OPERATION_OPTIONS, split: 'boolean' },
  import: { mode: ['Insert', 'Replace', 'Merge'], onProgress: 'function', abortSignal: 'signal' },
  export: { queryOptions: SELECTION, format: ['lines', 'array'], ...OPERATION_OPTIONS },
  live: { filter: 'string', abortSignal: 'signal', onError: 'function' },
  page: { continuationToken: 'string', maxPageSize: 'any' },
} as const satisfies {
  operation: KindsOf<OperationOptions>;
  query: KindsOf<ListTableEntitiesOptions>;
  count: KindsOf<CountTableEntitiesOptions>;
  update: KindsOf<UpdateTableEntityOptions>;
  transaction: KindsOf<SubmitTransactionOptions>;
  import: KindsOf<ImportEntitiesOptions>;
  export: KindsOf<ExportEntitiesOptions>;
  live: KindsOf<LiveEntitiesOptions>;
  page: KindsOf<PageSettings>;
};
