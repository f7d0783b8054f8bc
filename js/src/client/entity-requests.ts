/**
 * The requests about the entities of one table that every account has, local or remote.
 *
 * @module
 */

import { loaded } from '../base/loaded.js';
import type { AbortSignalLike } from '../base/platform.js';
import { isPromise } from '../base/promised.js';
import { wireName } from '../base/system-names.js';
import type { AccountSession, Requester } from '../core/account-session.js';
import type { Operation } from '../core/frames.js';
import type { TableEntityResult } from '../entity/entities.js';
import type { EntityKeys, GivenKeys } from '../entity/keys.js';
import type {
  DeleteTableEntityResponse,
  GetTableEntityOptions,
  GetTableEntityResponse,
  ListTableEntitiesOptions,
  TableEntityOrderOptions,
  TableEntityResultPage,
  TableTransactionResponse,
  UpdateMode,
  WriteEntityResponse,
} from '../entity/models.js';
import {
  deleteOperation,
  etagOf,
  getOperation,
  insertOperation,
  preparedActions,
  queryOperation,
  sentOf,
  updateOperation,
  type Transaction,
} from '../entity/operations.js';
import type { FormOf } from '../entity/reader.js';
import type { RowForm } from '../entity/row-form.js';
import type { Found } from '../live/followed-table.js';
import type { Validator } from '../validation/validator.js';
import { explained, type Subject } from './failures.js';
import { paged, toPage, type PagedAsyncIterableIterator } from './paging.js';
import { submitOnce } from './transaction.js';

type Signal = AbortSignalLike | undefined;

export type { Found };

type Entity<T extends object> = GetTableEntityResponse<TableEntityResult<T>>;

const first = <T extends object>({ entities }: Found<T>) => entities[0] as Entity<T>;

/** The requests that a declared table changes, so that they take and return rows. */
export interface RowRequests {
  readonly name: string;
  /** Of a declared table. */
  readonly rows: RowForm | undefined;

  /** Whether an upsert takes what it inserts: `wholes`. */
  readonly takesWholes: boolean;

  /** Inserts an entity. */
  insert(entity: object, abortSignal: Signal): Promise<WriteEntityResponse>;

  /** Updates an entity; without an etag, it inserts the entity if there is none. */
  update(
    entity: GivenKeys,
    mode: UpdateMode,
    etag: string | undefined,
    abortSignal: Signal,
  ): Promise<WriteEntityResponse>;

  /** Carries out a read. Returns what it has found itself, if the answer is there at once. */
  read<T extends object>(
    operation: Operation,
    abortSignal: Signal,
    options?: GetTableEntityOptions,
  ): Found<T> | Promise<Found<T>>;

  /**
   * Checks the names of properties in a query. Only a declared table knows its properties.
   *
   * @throws {@link TableError} `InvalidInput`, if the table does not declare one of them.
   */
  checkNames(names: readonly string[]): void;

  /**
   * Returns what a search calls a property.
   *
   * @throws {@link TableError} `InvalidInput`, as `checkNames`.
   */
  textName(name: string): string;

  /** Returns the error to throw in place of another. */
  explained(error: unknown, subject: Subject): unknown;
}

/** A class of requests. */
export type RequestsClass = new (...given: never[]) => RowRequests;

/** The requests about entities. The caller has checked all options. */
export abstract class EntityRequests<
  Session extends Requester,
  Checks extends Validator | undefined,
> implements RowRequests {
  readonly session: Session;
  readonly name: string;
  /** It explains errors. */
  readonly validator: Checks;
  readonly rows: RowForm | undefined;
  abstract readonly takesWholes: boolean;

  constructor(session: Session, validator: Checks, name: string, rows?: RowForm) {
    this.session = session;
    this.name = name;
    this.validator = validator;
    this.rows = rows;
  }

  checkNames(_names: readonly string[]): void {
    // The table may have any properties.
  }

  textName(name: string): string {
    this.checkNames([name]);
    return wireName(name);
  }

  /**
   * Checks an entity by the rules of a definition, if nobody does later.
   *
   * @throws {@link TableError} `SchemaViolation`.
   */
  check(_entity: object, _isPart: boolean): void {
    // The core does.
  }

  read<T extends object>(
    ...given: Parameters<EntityRequests<Session, Checks>['readStored']>
  ): Found<T> | Promise<Found<T>> {
    return this.readStored(...given);
  }

  /** Carries out a read of entities as they are stored, also of a declared table. */
  abstract readStored<T extends object>(
    operation: Operation,
    abortSignal: Signal,
    options?: GetTableEntityOptions,
    formOf?: FormOf,
  ): Found<T> | Promise<Found<T>>;

  async insert(entity: object, abortSignal: Signal): Promise<WriteEntityResponse> {
    return await this.#write(entity, (given) => insertOperation(this.name, given), abortSignal);
  }

  async update(
    entity: GivenKeys,
    mode: UpdateMode,
    etag: string | undefined,
    abortSignal: Signal,
  ): Promise<WriteEntityResponse> {
    const operationOf = (given: GivenKeys) => updateOperation(this.name, given, mode, etag);
    return await this.#write(entity, operationOf, abortSignal);
  }

  /** Deletes an entity. */
  async delete(
    entity: EntityKeys,
    etag: string | undefined,
    abortSignal: Signal,
  ): Promise<DeleteTableEntityResponse> {
    const operationOf = (keys: EntityKeys) => deleteOperation(this.name, keys, etag);
    return await this.#write(entity, operationOf, abortSignal);
  }

  async #write<T extends object>(
    entity: T,
    operationOf: (entity: T) => Operation,
    abortSignal: Signal,
  ): Promise<WriteEntityResponse> {
    // The caller may change it before the answer comes.
    const sent = sentOf(entity);
    try {
      const plain = operationOf(entity);
      const operation = this.rows ? { ...plain, schema: this.rows.schemaOfStored } : plain;
      return etagOf(await this.session.request(operation, abortSignal));
    } catch (error) {
      throw this.explained(error, { entity: sent });
    }
  }

  /** Reads one entity. Returns the entity itself, if it is there at once. */
  get<T extends object>(
    entity: EntityKeys,
    options: GetTableEntityOptions,
  ): Entity<T> | Promise<Entity<T>> {
    const { select } = options;
    try {
      const operation = getOperation(this.name, entity, options);
      const found = this.read<T>(operation, options.abortSignal, options);
      return isPromise(found) ? this.#firstOf(found, entity, select) : first(found);
    } catch (error) {
      throw this.explained(error, { entity, select });
    }
  }

  async #firstOf<T extends object>(
    found: Promise<Found<T>>,
    entity: EntityKeys,
    select: GetTableEntityOptions['select'],
  ): Promise<Entity<T>> {
    try {
      return first(await found);
    } catch (error) {
      throw this.explained(error, { entity, select });
    }
  }

  /** Reads entities, a page at a time. */
  list<T extends object>(
    options: ListTableEntitiesOptions & TableEntityOrderOptions,
  ): PagedAsyncIterableIterator<TableEntityResult<T>, TableEntityResultPage<T>> {
    const operation = queryOperation(this.name, options);
    const { filter } = operation;
    const { select, orderBy } = options;
    return paged(
      async (request) => {
        const page = { ...operation, ...request };
        const { entities, answer } = await this.read<T>(page, options.abortSignal, options);
        return toPage(entities, answer);
      },
      (error) => this.explained(error, { filter, select, orderBy }),
    );
  }

  /** Carries out a transaction, or several with `split`. */
  async submit(
    transaction: Transaction,
    split: boolean | undefined,
    abortSignal: Signal,
  ): Promise<TableTransactionResponse> {
    const prepared = preparedActions(this.name, transaction);
    try {
      const submit = split
        ? (await loaded(import('./split-transaction.js'))).submitSplit
        : submitOnce;
      const subResponses = await submit(
        this.session,
        prepared,
        abortSignal,
        this.rows?.schemaOfStored,
      );
      return {
        status: 202,
        subResponses,
        getResponseForEntity: (rowKey) => subResponses.find((part) => part.rowKey === rowKey),
      };
    } catch (error) {
      throw this.explained(error, { actions: prepared.map(({ action }) => action) });
    }
  }

  explained(error: unknown, subject: Subject): unknown {
    const inWords = this.rows?.names.inWords;
    return explained(error, { table: this.name, inWords, ...subject }, this.validator);
  }
}

/** The requests of a table of any account. */
export type AnyRequests = EntityRequests<Requester, Validator | undefined>;

/** The requests of a table of a local account. */
export type LocalRequests = EntityRequests<AccountSession, Validator>;
