/**
 * Carries out the requests of one table, and explains their failures.
 *
 * @module
 */

import { withCallOf } from '../base/errors.js';
import { loaded } from '../base/loaded.js';
import type { AbortSignalLike, ByteStream, OwnBytes } from '../base/platform.js';
import { isPromise } from '../base/promised.js';
import type { Answer, Operation } from '../core/frames.js';
import type { AccountSession } from '../core/account-session.js';
import type { TableEntityResult } from '../entity/entities.js';
import type { EntityKeys, GivenKeys } from '../entity/keys.js';
import type {
  CountTableEntitiesOptions,
  DeleteTableEntityResponse,
  GetTableEntityOptions,
  GetTableEntityResponse,
  ListTableEntitiesOptions,
  QueryPlan,
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
  selectsEtagAlone,
  sentOf,
  updateOperation,
  type Transaction,
} from '../entity/operations.js';
import { readEntities } from '../entity/reader.js';
import type { RowForm } from '../entity/row-form.js';
import type { FollowedTable, Found } from '../live/subscribe.js';
import type { exportInto } from '../transfer/export.js';
import type {
  ExportEntitiesOptions,
  ImportEntitiesOptions,
  ImportProgress,
  ImportSource,
} from '../transfer/models.js';
import type { Validator } from '../validation/validator.js';
import { explained, type Subject } from './failures.js';
import type { SignedIdentifier } from './models.js';
import { paged, toPage, type PagedAsyncIterableIterator } from './paging.js';
import { submitOnce } from './transaction.js';

type Signal = AbortSignalLike | undefined;

type Entity<T extends object> = GetTableEntityResponse<TableEntityResult<T>>;

const first = <T extends object>({ entities }: Found<T>) => entities[0] as Entity<T>;

/** The requests of one table. The caller has checked all options. */
export class TableRequests implements FollowedTable {
  readonly session: AccountSession;
  readonly name: string;
  readonly validator: Validator;
  /** Of a declared table. */
  readonly rows: RowForm | undefined;

  constructor(session: AccountSession, validator: Validator, name: string, rows?: RowForm) {
    this.session = session;
    this.name = name;
    this.validator = validator;
    this.rows = rows;
  }

  /** Inserts an entity. */
  async insert(entity: object, abortSignal: Signal): Promise<WriteEntityResponse> {
    return await this.#write(entity, (given) => insertOperation(this.name, given), abortSignal);
  }

  /** Updates an entity; without an etag, it inserts the entity if there is none. */
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
    options: ListTableEntitiesOptions,
  ): PagedAsyncIterableIterator<TableEntityResult<T>, TableEntityResultPage<T>> {
    const operation = queryOperation(this.name, options);
    const { filter } = operation;
    const { select } = options;
    return paged(
      async (request) => {
        const page = { ...operation, ...request };
        const { entities, answer } = await this.read<T>(page, options.abortSignal, options);
        return toPage(entities, answer);
      },
      (error) => this.explained(error, { filter, select }),
    );
  }

  /** Carries out a read. Returns what it has found itself, if the answer is there at once. */
  read<T extends object>(
    operation: Operation,
    abortSignal: Signal,
    options: GetTableEntityOptions = {},
  ): Found<T> | Promise<Found<T>> {
    let entities: object[] = [];
    const foundIn = (answer: Answer): Found<T> => {
      if (selectsEtagAlone(options.select)) {
        entities = (entities as { etag: string }[]).map(({ etag }) => ({ etag }));
      }
      return { entities: entities as TableEntityResult<T>[], answer };
    };
    const readJson = async () => {
      const answer = await this.session.request(operation, abortSignal);
      const { entitiesOfJson } = await loaded(import('../entity/typed.js'));
      entities = entitiesOfJson(answer.body!, operation.kind === 'getEntity', options.typed);
      return foundIn(answer);
    };
    if (!operation.asValues) return readJson();
    const readBody = (bytes: Uint8Array) => (entities = readEntities(bytes));
    const answer = this.session.answer(operation, abortSignal, readBody);
    return isPromise(answer) ? answer.then(foundIn) : foundIn(answer);
  }

  /** Counts entities, and reports what that took. */
  async explain(options: CountTableEntitiesOptions): Promise<QueryPlan> {
    const { filter, fresh, abortSignal } = options;
    const operation = { kind: 'countEntities', table: this.name, filter, fresh } as const;
    try {
      const { body } = await this.session.request(operation, abortSignal);
      return JSON.parse(body!) as QueryPlan;
    } catch (error) {
      throw this.explained(error, { filter });
    }
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

  /** Reads the access policies. */
  async getPolicies(abortSignal: Signal): Promise<SignedIdentifier[]> {
    try {
      const { getAccessPolicy } = await loaded(import('./settings.js'));
      return await getAccessPolicy(this.session, this.name, abortSignal);
    } catch (error) {
      throw this.explained(error, {});
    }
  }

  /** Replaces the access policies. */
  async setPolicies(policies: readonly SignedIdentifier[], abortSignal: Signal): Promise<void> {
    try {
      const { setAccessPolicy } = await loaded(import('./settings.js'));
      // eslint-disable-next-line entitable/arguments-before-await -- the client has copied them
      await setAccessPolicy(this.session, this.name, policies, abortSignal);
    } catch (error) {
      throw this.explained(error, {});
    }
  }

  /** Imports entities. */
  async import(source: ImportSource, options: ImportEntitiesOptions): Promise<ImportProgress> {
    let entity: object | undefined;
    const blame = (atFault: object) => (entity = atFault);
    const target = { session: this.session, table: this.name, blame, rows: this.rows };
    try {
      const { importEntities } = await loaded(import('../transfer/import.js'), { stored: 0 });
      // eslint-disable-next-line entitable/arguments-before-await -- the import reads it
      return await importEntities(target, source, options);
    } catch (error) {
      throw this.explained(error, { entity });
    }
  }

  /** Exports entities. */
  export(options: ExportEntitiesOptions): ByteStream {
    const call = new Error();
    const target = { session: this.session, table: this.name };
    let fill: ReturnType<typeof exportInto> | undefined;
    const pull = async (controller: ReadableStreamDefaultController<OwnBytes>) => {
      try {
        fill ??= (await loaded(import('../transfer/export.js'))).exportInto(
          controller,
          target,
          options,
        );
        await fill();
      } catch (error) {
        const { filter, select } = options;
        throw withCallOf(call, this.explained(error, { filter, select }));
      }
    };
    return new ReadableStream({ pull }, { highWaterMark: 0 });
  }

  /** Loads what upgrades the rows of a declared table that has versions. */
  loadVersions(): Promise<typeof import('./row-versions.js')> {
    return loaded(import('./row-versions.js'));
  }

  /** Returns the error to throw in place of another. */
  explained(error: unknown, subject: Subject): unknown {
    return explained(error, { table: this.name, ...subject }, this.validator);
  }
}
