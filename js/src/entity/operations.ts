/**
 * Calls of the API as operations of the core.
 *
 * @module
 */

import { bodyTooLarge, invalidInput, isTableError, remade, TableError } from '../base/errors.js';
import { isObject } from '../base/kinds.js';
import { MAX_BODY_BYTES } from '../base/limits.js';
import { both, checkedOptions, WITHOUT_EFFECT } from '../base/options.js';
import { shown } from '../base/shown.js';
import { wireName } from '../base/system-names.js';
import type { Operation } from '../core/frames.js';
import { ANY_ETAG } from './any-etag.js';
import { entityToJson } from './json.js';
import { checkKeys, keysOf, type EntityKeys, type GivenKeys } from './keys.js';
import type {
  GetTableEntityOptions,
  ListTableEntitiesOptions,
  TableEntityOrderOptions,
  TransactionAction,
  UpdateActionOptions,
  UpdateMode,
  UpsertActionOptions,
  WriteEntityResponse,
} from './models.js';

export function insertOperation(table: string, entity: object): Operation {
  return { kind: 'insertEntity', table, body: entityToJson(entity) };
}

/** What an upsert with `Merge` of a local account inserts, if it is more than the entity given. */
export const wholes = /* @__PURE__ */ new WeakMap<object, object>();

/** Without `ifMatch` it is an upsert. */
export function updateOperation(
  table: string,
  entity: GivenKeys,
  mode: UpdateMode,
  ifMatch?: string,
): Operation {
  const kind = { Merge: 'mergeEntity', Replace: 'replaceEntity' } as const;
  if (!Object.hasOwn(kind, mode)) throw invalidInput('The update mode is Merge or Replace.');
  const whole = wholes.get(entity);
  const body = entityToJson(whole ?? entity);
  const property = whole && Object.keys(entity).map(wireName).join();
  return {
    kind: kind[mode],
    table,
    ...keysOf(entity),
    ifMatch,
    body,
    property,
    keepsDoubles: true,
  };
}

export function deleteOperation(table: string, entity: GivenKeys, ifMatch = ANY_ETAG): Operation {
  return { kind: 'deleteEntity', table, ...keysOf(entity), ifMatch };
}

export function getOperation(
  table: string,
  { partitionKey, rowKey }: EntityKeys,
  options: GetTableEntityOptions,
): Operation {
  checkKeys(partitionKey, rowKey);
  const { fresh } = options;
  const select = selectText(options.select);
  const asValues = returnsPlainValues(options);
  return { kind: 'getEntity', table, partitionKey, rowKey, select, fresh, asValues };
}

export function queryOperation(
  table: string,
  options: ListTableEntitiesOptions & TableEntityOrderOptions,
): Operation {
  const { filter, dialect, fresh, orderBy, top, skip } = options;
  const select = selectText(options.select);
  const asValues = returnsPlainValues(options);
  const read = { table, filter, dialect, select, fresh, asValues };
  const query = { kind: 'queryEntities', ...read } as const;
  if (!orderBy && top === undefined && skip === undefined) return query;
  const order = { orderBy: orderText(orderBy), skip: decimal(skip), most: decimal(top) };
  return { ...query, ...order, kind: 'queryOrdered' };
}

const decimal = (number: number | undefined) => (number === undefined ? undefined : `${number}`);

/** Names and directions, for an operation. */
export function orderText(orderBy: readonly string[] | undefined): string | undefined {
  if (!orderBy?.length) return undefined;
  const terms = orderBy.map((term) => term.trim().replace(/^\S+/, wireName));
  // Blank text is the order of keys. A lone comma is refused, as blank names are.
  return terms.join() || ',';
}

// Other reads get OData JSON, which has the types.
function returnsPlainValues({ typed, disableTypeConversion }: GetTableEntityOptions): boolean {
  if (typed && disableTypeConversion) {
    throw invalidInput(
      'A read takes one of the options typed and disableTypeConversion, not both.',
    );
  }
  return !typed && !disableTypeConversion;
}

/** Actions, or an object that has collected some. */
export type Transaction =
  readonly TransactionAction[] | { readonly actions: readonly TransactionAction[] };

/** An action as an operation, or the error of the action. */
export interface PreparedAction {
  readonly operation?: Operation;
  readonly error?: TableError;
  /** The kind, and a copy of the entity, for messages. */
  readonly action: TransactionAction;
  readonly partitionKey?: unknown;
  readonly rowKey?: unknown;
}

/**
 * Makes operations of all actions at once: the caller may change the actions later.
 *
 * @throws {@link TableError} `InvalidInput`, if it has no array of actions.
 */
export function preparedActions(table: string, transaction: Transaction): PreparedAction[] {
  const actions = actionsOf(transaction);
  let bodyLength = 0;
  // A hole in the array is an action, too.
  return Array.from(actions, (action) => {
    const { partitionKey, rowKey } = (action?.[1] ?? {}) as GivenKeys;
    const sent = [action?.[0], sentOf(action?.[1])] as TransactionAction;
    try {
      const operation = actionOperation(table, action);
      bodyLength += operation.body?.length ?? 0;
      if (bodyLength > MAX_BODY_BYTES) throw bodyTooLarge();
      return { action: sent, operation, partitionKey, rowKey };
    } catch (error) {
      if (!isTableError(error)) throw error;
      return { action: sent, error, partitionKey, rowKey };
    }
  });
}

/**
 * Returns the actions of a transaction.
 *
 * @throws {@link TableError} `InvalidInput`, if it has no array of actions.
 */
export function actionsOf(transaction: Transaction): readonly TransactionAction[] {
  const isArray = Array.isArray as (value: unknown) => value is readonly TransactionAction[];
  const actions = isArray(transaction) ? transaction : transaction?.actions;
  if (isArray(actions)) return actions;
  const kinds = 'a TableTransaction or an array of actions';
  throw invalidInput(`A transaction is ${kinds}, not ${shown(transaction)}.`);
}

/** @throws {@link TableError} for the first action that has an error. */
export function transactionOperation(actions: readonly PreparedAction[]): Operation {
  const parts = actions.map(({ operation, error }, operationIndex) => {
    if (error) throw remade(error, { operationIndex });
    return operation!;
  });
  return { kind: 'transaction', parts };
}

/** A copy of an entity, for later messages. */
export function sentOf(entity: object): object {
  return isObject(entity) ? { ...entity } : entity;
}

const ETAG = { etag: 'string' } as const;
const UPDATE_OPTIONS = /* @__PURE__ */ both(WITHOUT_EFFECT, ETAG);

function actionOperation(table: string, action: TransactionAction): Operation {
  if (!Array.isArray(action)) throw invalidInput(`An action is an array, not ${shown(action)}.`);
  const [kind, entity, mode = 'Merge', options] = action as FullAction;
  switch (kind) {
    case 'create':
      checkLength(action, 2, NO_OPTIONS);
      return insertOperation(table, entity);
    case 'delete':
      checkLength(action, 2, NO_OPTIONS);
      return deleteOperation(table, entity);
    case 'update': {
      checkLength(action, 4, OPTIONS_LAST);
      const { etag = ANY_ETAG } = checkedOptions('The action update', options, UPDATE_OPTIONS);
      return updateOperation(table, entity, mode, etag);
    }
    case 'upsert':
      checkLength(action, 4, OPTIONS_LAST);
      // An etag would be taken for a condition.
      checkedOptions('The action upsert', options as UpsertActionOptions, WITHOUT_EFFECT);
      return updateOperation(table, entity, mode);
    default:
      throw invalidInput('The actions of a transaction are create, delete, update and upsert.');
  }
}

const NO_OPTIONS = 'an entity, and no options';
const OPTIONS_LAST = 'an entity, a mode and options';

// An element beyond the last one must not look like a condition that holds.
function checkLength(action: readonly unknown[], length: number, takes: string): void {
  const surplus = action.slice(length).find((element) => element !== undefined);
  if (surplus === undefined) return;
  throw invalidInput(`The action ${shown(action[0])} takes ${takes}: not also ${shown(surplus)}.`);
}

type FullAction = [
  kind: TransactionAction[0],
  entity: GivenKeys,
  mode?: UpdateMode,
  options?: UpdateActionOptions,
];

/** The selected names; undefined, if all properties are selected. */
export const selectedNames = <S extends readonly string[]>(select: S | undefined): S | undefined =>
  select?.length && select.join().trim() !== '*' ? select : undefined;

/** Whether only the etag is selected, which every answer has. */
export function selectsEtagAlone(select: readonly string[] | undefined): boolean {
  return select !== undefined && select.length > 0 && select.every(isEtag);
}

const isEtag = (name: string) => name === 'etag' || name === 'odata.etag';

// Every answer has the etag. The service does not know it as a property.
/** The names of a selection, for an operation. */
export function selectText(select: readonly string[] | undefined): string | undefined {
  if (!select?.length) return undefined;
  // With nothing selected, the service would return all properties.
  if (selectsEtagAlone(select)) return 'RowKey';
  const text = select
    .filter((name) => !isEtag(name))
    .map(wireName)
    .join();
  // Blank text selects all properties. A lone comma is refused, as blank names are.
  return text.trim() ? text : ',';
}

/** The result of a write. */
export function etagOf({ etag }: { readonly etag?: string | undefined }): WriteEntityResponse {
  return etag === undefined ? {} : { etag };
}
