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

const SELECT = { select: 'strings' } as const satisfies KindsOf<TableEntitySelectOptions>;
const FILTER = { filter: 'string' } as const satisfies KindsOf<TableEntityCountOptions>;

/**
 * Returns parts of options, and the options of each method. It is a function for the sake of
 * bundlers: see `both` in `base/options.ts`.
 */
export function entityOptionKinds() {
  const read = { ...OPERATION_OPTIONS, fresh: 'boolean' } as const;
  const selection = { ...FILTER, ...SELECT } as const satisfies KindsOf<TableEntityQueryOptions>;
  const entities = { ...read, typed: 'boolean', disableTypeConversion: 'boolean' } as const;
  const methods = {
    get: { ...SELECT, queryOptions: SELECT, ...entities },
    query: { ...selection, queryOptions: selection, ...entities },
    update: { ...OPERATION_OPTIONS, etag: 'string' },
    transaction: { ...OPERATION_OPTIONS, split: 'boolean' },
  } as const satisfies {
    get: KindsOf<GetTableEntityOptions>;
    query: KindsOf<ListTableEntitiesOptions>;
    update: KindsOf<UpdateTableEntityOptions>;
    transaction: KindsOf<SubmitTransactionOptions>;
  };
  return { filter: FILTER, read, selection, methods };
}
