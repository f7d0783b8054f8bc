/**
 * The live results of a table: entities, their number, and aggregates.
 *
 * @module
 */

import { loaded } from '../base/loaded.js';
import { copyOf } from '../entity/aggregates.js';
import type { TableEntityResult } from '../entity/entities.js';
import { followEntities, valueSource, type FollowedTable } from './followed-table.js';
import type { LiveResult } from './live-result.js';
import { Live, type LiveCount, type LiveEntities, type QueryOf } from './live.js';
import type { LiveAggregateOptions, LiveCountOptions, LiveEntitiesOptions } from './models.js';

/** See `TableClient.liveEntities()`; the options are checked. */
export function liveEntitiesOf<T extends object>(
  table: FollowedTable,
  options: LiveEntitiesOptions,
  queryOf?: QueryOf,
): LiveEntities<T> {
  const { select } = options;
  const empty: readonly TableEntityResult<T>[] = [];
  return new Live(
    ({ filter, dialect, top, orderBy }) => {
      const query = { filter, dialect, top, orderBy, select };
      const result: LiveResult<TableEntityResult<T>> = { entities: empty };
      return (report, signal) =>
        followEntities(table, query, result, () => report(result.entities), signal, false);
    },
    options,
    empty,
    false,
    queryOf,
  );
}

/** See `TableClient.liveCount()`; the options are checked. */
export function liveCountOf(
  table: FollowedTable,
  options: LiveCountOptions,
  queryOf?: QueryOf,
): LiveCount {
  const begin = ({ filter, dialect }: LiveCountOptions) => {
    const query = { table: table.name, filter, dialect };
    return valueSource(table, query, async (signal) => {
      const { body } = await table.session.request({ ...query, kind: 'countEntities' }, signal);
      return (JSON.parse(body!) as { count: number }).count;
    });
  };
  return new Live(begin, options, 0, false, queryOf);
}

/** See `TableClient.liveAggregate()`; the options are checked. */
export function liveAggregateOf(
  table: FollowedTable,
  options: LiveAggregateOptions,
  queryOf?: QueryOf,
): Live<readonly object[]> {
  const groupBy = copyOf(options.groupBy);
  const select = copyOf(options.select);
  const empty: readonly object[] = [];
  let known = empty;
  const begin = ({ filter, dialect }: LiveAggregateOptions) =>
    valueSource(table, { table: table.name, filter, dialect }, async (abortSignal) => {
      const { withKnownParts } = await loaded(import('./known-parts.js'));
      const groups = await table.groups({ filter, dialect, groupBy, select, abortSignal });
      return (known = withKnownParts(known, groups));
    });
  return new Live<readonly object[]>(begin, options, empty, false, queryOf);
}
