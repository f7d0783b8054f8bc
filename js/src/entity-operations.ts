/**
 * Calls of the API as operations of the core.
 *
 * @module
 */

import type { Operation } from './core/frames.js';
import { entityToJson, wireName } from './entity.js';
import { bodyTooLarge, invalidInput, remade, TableError } from './errors.js';
import { MAX_BODY_BYTES } from './limits.js';
import type {
  GetTableEntityOptions,
  ListTableEntitiesOptions,
  TableEntity,
  TableEntityCountOptions,
  TableEntityQueryOptions,
  TransactionAction,
  UpdateMode,
  UpdateTableEntityOptions,
} from './models.js';

interface EntityKeys {
  readonly partitionKey: string;
  readonly rowKey: string;
}

/** Any etag: the write asks only that the entity exists. */
export const ANY_ETAG = '*';

export function insertOperation(table: string, entity: object): Operation {
  return { kind: 'insertEntity', table, body: entityToJson(entity) };
}

/** Without `ifMatch` an upsert. */
export function updateOperation(
  table: string,
  entity: EntityKeys,
  mode: UpdateMode,
  ifMatch?: string,
): Operation {
  const kind = { Merge: 'mergeEntity', Replace: 'replaceEntity' } as const;
  if (!Object.hasOwn(kind, mode)) throw invalidInput('The update mode is Merge or Replace.');
  return { kind: kind[mode], table, ...keysOf(entity), ifMatch, body: entityToJson(entity) };
}

export function deleteOperation(table: string, entity: EntityKeys, ifMatch = ANY_ETAG): Operation {
  return { kind: 'deleteEntity', table, ...keysOf(entity), ifMatch };
}

export function getOperation(
  table: string,
  { partitionKey, rowKey }: EntityKeys,
  options: GetTableEntityOptions,
): Operation {
  checkKeys(partitionKey, rowKey);
  const { queryOptions, fresh, disableTypeConversion } = options;
  const select = selectText(queryOptions);
  const asValues = !disableTypeConversion;
  return { kind: 'getEntity', table, partitionKey, rowKey, select, fresh, asValues };
}

export function queryOperation(table: string, options: ListTableEntitiesOptions): Operation {
  const { queryOptions, fresh, disableTypeConversion } = options;
  const select = selectText(queryOptions);
  const asValues = !disableTypeConversion;
  return { kind: 'queryEntities', table, filter: queryOptions?.filter, select, fresh, asValues };
}

export function countOperation(table: string, options?: TableEntityCountOptions): Operation {
  return { kind: 'countEntities', table, filter: options?.filter };
}

export function transactionOperation(
  table: string,
  actions: readonly TransactionAction[],
): Operation {
  let bodyLength = 0;
  const parts = actions.map((action, at) => {
    const operation = part(table, action, at);
    bodyLength += operation.body?.length ?? 0;
    if (bodyLength > MAX_BODY_BYTES) throw bodyTooLarge();
    return operation;
  });
  return { kind: 'transaction', parts };
}

function part(table: string, action: TransactionAction, operationIndex: number): Operation {
  try {
    return actionOperation(table, action);
  } catch (error) {
    if (!(error instanceof TableError)) throw error;
    throw remade(error, { operationIndex });
  }
}

function actionOperation(table: string, action: TransactionAction): Operation {
  const [kind, entity, mode = 'Merge', options] = action as FullAction;
  switch (kind) {
    case 'create':
      return insertOperation(table, entity);
    case 'delete':
      return deleteOperation(table, entity);
    case 'update':
      return updateOperation(table, entity, mode, options?.etag ?? ANY_ETAG);
    case 'upsert':
      return updateOperation(table, entity, mode);
    default:
      throw invalidInput('The actions of a transaction are create, delete, update and upsert.');
  }
}

type FullAction = [
  kind: TransactionAction[0],
  entity: TableEntity,
  mode?: UpdateMode,
  options?: UpdateTableEntityOptions,
];

function keysOf({ partitionKey, rowKey }: EntityKeys): EntityKeys {
  checkKeys(partitionKey, rowKey);
  return { partitionKey, rowKey };
}

// A key that is not given must not pass for the empty key, which is a legal one.
function checkKeys(...keys: unknown[]): void {
  if (!keys.includes(undefined) && !keys.includes(null)) return;
  throw new TableError(
    'PropertiesNeedValue',
    'The values are not specified for all properties in the entity.',
  );
}

// Every answer has the etag: the service does not know it as a property.
function selectText(options?: TableEntityQueryOptions): string | undefined {
  return options?.select
    ?.filter((name) => name !== 'etag' && name !== 'odata.etag')
    .map(wireName)
    .join();
}
