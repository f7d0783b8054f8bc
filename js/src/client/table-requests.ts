/**
 * Carries out the requests of one table, and explains their failures.
 *
 * @module
 */

import { invalidInput, withCallOf } from '../base/errors.js';
import { loaded } from '../base/loaded.js';
import type { AbortSignalLike, ByteStream, OwnBytes } from '../base/platform.js';
import type { Answer, Operation } from '../core/frames.js';
import type { AccountSession } from '../core/account-session.js';
import { typedEntityFromJson } from '../entity/json.js';
import type { EntityKeys, GivenKeys } from '../entity/keys.js';
import type {
  CountTableEntitiesOptions,
  DeleteTableEntityResponse,
  GetTableEntityOptions,
  GetTableEntityResponse,
  ListTableEntitiesOptions,
  QueryPlan,
  TableEntityResult,
  TableEntityResultPage,
  TableTransactionResponse,
  TransactionAction,
  UpdateMode,
  WriteEntityResponse,
} from '../entity/models.js';
import {
  countOperation,
  deleteOperation,
  etagOf,
  getOperation,
  insertOperation,
  preparedActions,
  queryOperation,
  selectsEtagAlone,
  sentOf,
  updateOperation,
} from '../entity/operations.js';
import { readEntities } from '../entity/reader.js';
import type { FollowedTable } from '../live/subscribe.js';
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
import { submitOnce, submitSplit } from './transaction.js';

type Signal = AbortSignalLike | undefined;

/** The requests of one table. The caller has checked all options. */
export class TableRequests implements FollowedTable {
  readonly session: AccountSession;
  readonly name: string;
  readonly #validator: Validator;

  constructor(session: AccountSession, validator: Validator, name: string) {
    this.session = session;
    this.name = name;
    this.#validator = validator;
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
      return etagOf(await this.session.request(operationOf(entity), abortSignal));
    } catch (error) {
      throw this.explained(error, { entity: sent });
    }
  }

  /** Reads one entity. */
  async get<T extends object>(
    entity: EntityKeys,
    options: GetTableEntityOptions,
  ): Promise<GetTableEntityResponse<TableEntityResult<T>>> {
    const { select } = options.queryOptions ?? {};
    try {
      const operation = getOperation(this.name, entity, options);
      const { entities } = await this.read<T>(operation, options.abortSignal, select);
      return entities[0] as GetTableEntityResponse<TableEntityResult<T>>;
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
    const { select } = options.queryOptions ?? {};
    return paged(
      async (request) => {
        const page = { ...operation, ...request };
        const { entities, answer } = await this.read<T>(page, options.abortSignal, select);
        return toPage(entities, answer);
      },
      (error) => this.explained(error, { filter, select }),
    );
  }

  /** Carries out a read. */
  async read<T extends object>(
    operation: Operation,
    abortSignal: Signal,
    select?: readonly string[],
  ): Promise<{ entities: TableEntityResult<T>[]; answer: Answer }> {
    const { kind, asValues } = operation;
    const isEtagAlone = selectsEtagAlone(select);
    let entities: object[] = [];
    const answer = await this.session.request(
      operation,
      abortSignal,
      asValues ? (bytes) => (entities = readEntities(bytes)) : undefined,
    );
    if (!asValues) {
      const json = JSON.parse(answer.body!) as { value?: object[] };
      entities = (kind === 'getEntity' ? [json] : json.value!).map(typedEntityFromJson);
    }
    if (isEtagAlone) entities = (entities as { etag: string }[]).map(({ etag }) => ({ etag }));
    return { entities: entities as TableEntityResult<T>[], answer };
  }

  /** Counts entities, and reports what that took. */
  async explain(options: CountTableEntitiesOptions): Promise<QueryPlan> {
    const { queryOptions, fresh, abortSignal } = options;
    const operation = countOperation(this.name, queryOptions);
    try {
      const { body } = await this.session.request({ ...operation, fresh }, abortSignal);
      return JSON.parse(body!) as QueryPlan;
    } catch (error) {
      throw this.explained(error, { filter: operation.filter });
    }
  }

  /** Carries out a transaction, or several with `split`. */
  async submit(
    actions: readonly TransactionAction[],
    split: boolean | undefined,
    abortSignal: Signal,
  ): Promise<TableTransactionResponse> {
    const submit = split ? submitSplit : submitOnce;
    const prepared = preparedActions(this.name, actions);
    try {
      const subResponses = await submit(this.session, prepared, abortSignal);
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
    const nameless = policies.findIndex(({ id }) => id === undefined);
    if (nameless >= 0) {
      throw invalidInput(
        `The option tableAcl[${nameless}].id of setAccessPolicy must be a string.`,
      );
    }
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
    const target = { session: this.session, table: this.name, blame };
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
        const { filter, select } = options.queryOptions ?? {};
        throw withCallOf(call, this.explained(error, { filter, select }));
      }
    };
    return new ReadableStream({ pull }, { highWaterMark: 0 });
  }

  /** Returns the error to throw in place of another. */
  explained(error: unknown, subject: Subject): unknown {
    return explained(error, { table: this.name, ...subject }, this.#validator);
  }
}
