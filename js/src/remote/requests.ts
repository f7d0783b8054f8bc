/**
 * The requests of one table of a remote account. The class has the members of `TableRequests` that
 * declared tables need; `docs/internals/remote.md` says why it is not that class.
 *
 * @module
 */

import { isTableError, remade, TableError } from '../base/errors.js';
import { isObject } from '../base/kinds.js';
import type { AbortSignalLike } from '../base/platform.js';
import { shown } from '../base/shown.js';
import { submitSplit } from '../client/split-transaction.js';
import { submitOnce } from '../client/transaction.js';
import { paged, toPage } from '../client/paging.js';
import type { Answer, Operation } from '../core/frames.js';
import { apiName, wireName } from '../entity/json.js';
import { keyTexts, type EntityKeys, type GivenKeys } from '../entity/keys.js';
import type {
  GetTableEntityOptions,
  ListTableEntitiesOptions,
  TransactionAction,
  UpdateMode,
} from '../entity/models.js';
import {
  deleteOperation,
  etagOf,
  getOperation,
  insertOperation,
  preparedActions,
  queryOperation,
  selectsEtagAlone,
  updateOperation,
  type Transaction,
} from '../entity/operations.js';
import type { RowForm } from '../entity/row-form.js';
import type { Validator } from '../validation/validator.js';
import type { RemoteSession } from './session.js';
import { entitiesOf } from './values.js';

type Signal = AbortSignalLike | undefined;

interface Subject {
  readonly entity?: object | undefined;
  readonly actions?: readonly TransactionAction[] | undefined;
}

/** The requests of one table. The caller has checked all options. */
export class RemoteRequests {
  readonly session: RemoteSession;
  readonly validator: Validator | undefined;
  readonly name: string;
  /** Of a declared table. */
  readonly rows: RowForm | undefined;

  constructor(
    session: RemoteSession,
    validator: Validator | undefined,
    name: string,
    rows?: RowForm,
  ) {
    this.session = session;
    this.validator = validator;
    this.name = name;
    this.rows = rows;
  }

  /** Inserts an entity. */
  async insert(entity: object, abortSignal: Signal) {
    const operationOf = (given: object) => {
      this.#check(given, false);
      return insertOperation(this.name, given);
    };
    return await this.#write(entity, operationOf, abortSignal);
  }

  /** Updates an entity; without an etag, it inserts the entity if there is none. */
  async update(entity: GivenKeys, mode: UpdateMode, etag: string | undefined, abortSignal: Signal) {
    const operationOf = (given: GivenKeys) => {
      this.#check(given, mode === 'Merge');
      return updateOperation(this.name, given, mode, etag);
    };
    return await this.#write(entity, operationOf, abortSignal);
  }

  /** Deletes an entity. */
  async delete(entity: EntityKeys, etag: string | undefined, abortSignal: Signal) {
    const operationOf = (keys: EntityKeys) => deleteOperation(this.name, keys, etag);
    return await this.#write(entity, operationOf, abortSignal);
  }

  async #write<T extends object>(
    entity: T,
    operationOf: (entity: T) => Operation,
    abortSignal: Signal,
  ) {
    // The caller may change it before the answer comes.
    const keys = isObject(entity) ? keyTexts(entity) : {};
    try {
      return etagOf(await this.session.request(operationOf(entity), abortSignal));
    } catch (error) {
      throw this.explained(error, { entity: keys });
    }
  }

  /** Reads one entity. */
  async get(entity: EntityKeys, options: GetTableEntityOptions) {
    try {
      const operation = getOperation(this.name, entity, options);
      const { entities } = await this.read(operation, options.abortSignal, options);
      return entities[0]!;
    } catch (error) {
      throw this.explained(error, { entity });
    }
  }

  /** Reads entities, a page at a time. */
  list(options: ListTableEntitiesOptions) {
    const operation = queryOperation(this.name, options);
    return paged(
      async (request) => {
        const page = { ...operation, ...request };
        const { entities, answer } = await this.read(page, options.abortSignal, options);
        return toPage(entities, answer);
      },
      (error) => this.explained(error, {}),
    );
  }

  /** Carries out a read. */
  async read(operation: Operation, abortSignal: Signal, options: GetTableEntityOptions = {}) {
    const select = [...(options.select ?? [])];
    const { typed, disableTypeConversion } = options;
    let entities: Record<string, unknown>[] = [];
    const answer: Answer = await this.session.read(operation, abortSignal, (text) => {
      entities = entitiesOf(text, { typed, disableTypeConversion });
    });
    for (const entity of entities) {
      // The emulator leaves out what is missing; the service says that it is null.
      for (const name of select) fillMissing(entity, apiName(wireName(name)));
    }
    if (selectsEtagAlone(select)) entities = entities.map(({ etag }) => ({ etag }));
    return { entities, answer };
  }

  /** Carries out a transaction, or several with `split`. */
  async submit(transaction: Transaction, split: boolean | undefined, abortSignal: Signal) {
    const prepared = preparedActions(this.name, transaction);
    const actions = prepared.map(({ action }) => action);
    try {
      actions.forEach((action, operationIndex) => this.#checkAction(action, operationIndex));
      const submit = split ? submitSplit : submitOnce;
      const subResponses = await submit(this.session, prepared, abortSignal);
      return {
        status: 202,
        subResponses,
        getResponseForEntity: (rowKey: string) =>
          subResponses.find((part) => part.rowKey === rowKey),
      };
    } catch (error) {
      throw this.explained(error, { actions });
    }
  }

  #checkAction([kind, entity, mode]: TransactionAction, operationIndex: number): void {
    if (kind === 'delete') return;
    try {
      this.#check(entity, kind !== 'create' && (mode ?? 'Merge') === 'Merge');
    } catch (error) {
      throw isTableError(error) ? remade(error, { operationIndex }) : error;
    }
  }

  // The rules of a definition. The service has the others.
  #check(entity: object, isPart: boolean): void {
    if (!this.rows || !this.validator || !isObject(entity)) return;
    const violations = this.validator
      .violationsOf(entity, this.rows.schema)
      .filter(({ rule }) => rule.startsWith('schema-') && !(isPart && rule === 'schema-required'));
    const [first] = violations;
    if (!first) return;
    const { code, message, explanation } = first;
    throw new TableError(code, message, { violations, sentence: explanation });
  }

  /** Returns the error to throw in place of another: it names the table and the keys. */
  explained(error: unknown, { entity, actions }: Subject): unknown {
    if (!isTableError(error)) return error;
    const { operationIndex } = error.details;
    const given: unknown = actions?.[operationIndex ?? -1]?.[1] ?? entity;
    const { partitionKey, rowKey } = isObject(given) ? keyTexts(given) : {};
    const place = { Table: this.name, PartitionKey: partitionKey, RowKey: rowKey };
    const named = Object.entries(place).filter(([, value]) => value !== undefined);
    return remade(error, {
      sentence: `${named.map(([name, value]) => `${name} ${shown(value)}`).join(', ')}.`,
      table: this.name,
      partitionKey,
      rowKey,
    });
  }
}

function fillMissing(entity: Record<string, unknown>, name: string): void {
  const isSystem = ['etag', 'partitionKey', 'rowKey', 'timestamp', '*', 'odata.etag'].includes(
    name,
  );
  if (!isSystem && !Object.hasOwn(entity, name)) entity[name] = null;
}
