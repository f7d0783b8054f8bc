/**
 * What the tables of an app need of an account.
 *
 * @module
 */

import type { AbortSignalLike, ByteStream } from '../base/platform.js';
import type { AggregateOptions } from '../entity/aggregates.js';
import type {
  DeleteEntitiesOptions,
  DeleteEntitiesProgress,
  UpdateEntitiesOptions,
  UpdateEntitiesProgress,
} from '../entity/bulk-changes.js';
import type { EntityKeys, GivenKeys } from '../entity/keys.js';
import type {
  CountTableEntitiesOptions,
  GetTableEntityOptions,
  ListTableEntitiesOptions,
  QueryPlan,
  TableEntityOrderOptions,
  UpdateMode,
  WriteEntityResponse,
} from '../entity/models.js';
import type { RowForm } from '../entity/row-form.js';
import type { SearchOptions, SearchResult } from '../entity/search.js';
import type { FollowedTable } from '../live/followed-table.js';
import type {
  ExportEntitiesOptions,
  ImportEntitiesOptions,
  ImportProgress,
  ImportSource,
} from '../transfer/models.js';

type Signal = AbortSignalLike | undefined;

/** Takes the entity that a write stores for a row. */
export type Stored = (entity: object) => void;

/** The requests of a declared table of any account. The caller has checked all options. */
export interface RowsRequests {
  readonly name: string;
  readonly rows: RowForm;
  /** Whether one request can remove properties of a row. */
  readonly takesWholes: boolean;

  get(keys: EntityKeys, options: GetTableEntityOptions): object | Promise<object>;
  list(options: ListTableEntitiesOptions & TableEntityOrderOptions): {
    byPage(): AsyncIterable<object[]>;
  };
  /** Notes how many rows a list without a limit has. */
  noteList?(count: number): void;
  count(options: CountTableEntitiesOptions): Promise<number>;
  insert(row: object, signal: Signal, stored?: Stored): Promise<WriteEntityResponse>;
  update(
    row: GivenKeys,
    mode: UpdateMode,
    etag: string | undefined,
    signal: Signal,
    stored?: Stored,
  ): Promise<WriteEntityResponse>;
  delete(keys: EntityKeys, etag: string | undefined, signal: Signal): Promise<object>;
  deleteAll(options: DeleteEntitiesOptions): Promise<DeleteEntitiesProgress>;
  updateAll(
    set: object | ((row: object) => object | undefined),
    options: Omit<UpdateEntitiesOptions<unknown>, 'set'>,
  ): Promise<UpdateEntitiesProgress>;
  import(source: ImportSource, options: ImportEntitiesOptions): Promise<ImportProgress>;
}

/** The requests of a declared table of a local account. */
export interface DeclaredRequests extends FollowedTable, RowsRequests {
  readonly rows: RowForm;

  explain(options: CountTableEntitiesOptions): Promise<QueryPlan>;
  aggregate(options: AggregateOptions): Promise<object[]>;
  search(property: string, text: string, options: SearchOptions): Promise<SearchResult<object>[]>;
  export(options: ExportEntitiesOptions): ByteStream;
}
