/**
 * The options of requests about entities, with the names and kinds of their models.
 *
 * @module
 */

import { OPERATION_OPTIONS, type KindsOf } from '../base/options.js';
import type {
  GetTableEntityOptions,
  ListTableEntitiesOptions,
  SubmitTransactionOptions,
  TableEntityCountOptions,
  TableEntityQueryOptions,
  TableEntitySelectOptions,
  UpdateTableEntityOptions,
} from '../entity/models.js';

export const READ = { ...OPERATION_OPTIONS, fresh: 'boolean' } as const;
const SELECT = { select: 'strings' } as const satisfies KindsOf<TableEntitySelectOptions>;
export const FILTER = { filter: 'string' } as const satisfies KindsOf<TableEntityCountOptions>;
export const SELECTION = {
  ...FILTER,
  ...SELECT,
} as const satisfies KindsOf<TableEntityQueryOptions>;
const ENTITIES = { ...READ, typed: 'boolean', disableTypeConversion: 'boolean' } as const;

/** The options of each method. */
export const ENTITY_OPTIONS = {
  get: { ...SELECT, queryOptions: SELECT, ...ENTITIES },
  query: { ...SELECTION, queryOptions: SELECTION, ...ENTITIES },
  update: { ...OPERATION_OPTIONS, etag: 'string' },
  transaction: { ...OPERATION_OPTIONS, split: 'boolean' },
} as const satisfies {
  get: KindsOf<GetTableEntityOptions>;
  query: KindsOf<ListTableEntitiesOptions>;
  update: KindsOf<UpdateTableEntityOptions>;
  transaction: KindsOf<SubmitTransactionOptions>;
};
