/**
 * Carries out the requests of one table, and explains their failures.
 *
 * @module
 */

import { withCallOf } from '../base/errors.js';
import { loaded } from '../base/loaded.js';
import type { AbortSignalLike, ByteStream, OwnBytes } from '../base/platform.js';
import { isPromise } from '../base/promised.js';
import type { AccountSession } from '../core/account-session.js';
import type { Answer, Operation } from '../core/frames.js';
import type { AggregateOptions } from '../entity/aggregates.js';
import type { TableEntityResult } from '../entity/entities.js';
import type {
  CountTableEntitiesOptions,
  GetTableEntityOptions,
  QueryPlan,
} from '../entity/models.js';
import { selectsEtagAlone } from '../entity/operations.js';
import { readEntities, type FormOf } from '../entity/reader.js';
import type { SearchOptions, SearchResult } from '../entity/search.js';
import type { FollowedTable, Found } from '../live/followed-table.js';
import type { exportInto } from '../transfer/export.js';
import type {
  ExportEntitiesOptions,
  ImportEntitiesOptions,
  ImportProgress,
  ImportSource,
} from '../transfer/models.js';
import type { Validator } from '../validation/validator.js';
import { ChangingRequests } from './changing-requests.js';
import type { SignedIdentifier } from './models.js';

type Signal = AbortSignalLike | undefined;

/** The requests of one table of a local account. The caller has checked all options. */
export class TableRequests
  extends ChangingRequests<AccountSession, Validator>
  implements FollowedTable
{
  readonly takesWholes = true;

  /** The requests of the same table over another session: that of a transaction. */
  over(session: AccountSession): TableRequests {
    const Requests = this.constructor as new (
      ...given: ConstructorParameters<typeof TableRequests>
    ) => TableRequests;
    return new Requests(session, this.validator, this.name, this.rows);
  }

  /** Carries out a read. Returns what it has found itself, if the answer is there at once. */
  override readStored<T extends object>(
    operation: Operation,
    abortSignal: Signal,
    options: GetTableEntityOptions = {},
    formOf?: FormOf,
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
    const readBody = (bytes: Uint8Array) => (entities = readEntities(bytes, formOf));
    const answer = this.session.answer(operation, abortSignal, readBody);
    return isPromise(answer) ? answer.then(foundIn) : foundIn(answer);
  }

  /** Notes how many rows a list without a limit has, for development warnings. */
  noteList(count: number): void {
    this.session.noteList?.(this.name, count);
  }

  /** Counts entities, and reports what that took. */
  async explain(options: CountTableEntitiesOptions): Promise<QueryPlan> {
    const { filter, dialect, fresh, abortSignal } = options;
    const query = { table: this.name, filter, dialect, fresh };
    try {
      const { body } = await this.session.request({ ...query, kind: 'countEntities' }, abortSignal);
      return JSON.parse(body!) as QueryPlan;
    } catch (error) {
      throw this.explained(error, { filter });
    }
  }

  /** Counts entities. */
  async count(options: CountTableEntitiesOptions): Promise<number> {
    return (await this.explain(options)).count;
  }

  /** Calculates aggregates. Its errors are not explained. */
  async groups(options: AggregateOptions): Promise<object[]> {
    const { aggregate } = await loaded(import('./aggregate.js'));
    // eslint-disable-next-line entitable/arguments-before-await -- the client has copied them
    return await aggregate(this, options);
  }

  /** Calculates aggregates. */
  async aggregate(options: AggregateOptions): Promise<object[]> {
    const { filter } = options;
    try {
      return await this.groups(options);
    } catch (error) {
      throw this.explained(error, { filter });
    }
  }

  /** Searches for words. */
  async search(
    property: string,
    text: string,
    options: SearchOptions,
  ): Promise<SearchResult<object>[]> {
    const { filter, select } = options;
    try {
      const { search } = await loaded(import('./search.js'));
      // eslint-disable-next-line entitable/arguments-before-await -- the client has copied them
      return await search(this, property, text, options);
    } catch (error) {
      throw this.explained(error, { filter, select });
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
}
