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
import type { LiveMaking, QueryOf } from './live-making.js';
import { Live, type LiveCount, type LiveEntities } from './live.js';
import type { LiveAggregateOptions, LiveCountOptions, LiveEntitiesOptions } from './models.js';

/** See `TableClient.liveEntities()`; the options are checked. */
export function liveEntitiesOf<T extends object>(
  table: FollowedTable,
  options: LiveEntitiesOptions,
  queryOf?: QueryOf,
): LiveEntities<T> {
  const { select } = options;
  const empty: readonly TableEntityResult<T>[] = [];
  const sourceOf: LiveMaking<typeof empty>['sourceOf'] = ({ filter, dialect, top, orderBy }) => {
    const query = { filter, dialect, top, orderBy, select };
    const result: LiveResult<TableEntityResult<T>> = { entities: empty };
    return (report, signal) =>
      followEntities(table, query, result, () => report(result.entities), signal, false);
  };
  return new Live({ sourceOf, empty, queryOf, place: placeOf(table, 'rows', select) }, options);
}

const placeOf = ({ rows, session, name }: FollowedTable, ...shown: unknown[]) => ({
  // Definitions of one table have different rows.
  owner: rows ?? session,
  // The edges of a histogram may be bigints.
  family: JSON.stringify([name, ...shown], (_, one: unknown) =>
    typeof one === 'bigint' ? `${one}n` : one,
  ),
});

/** See `TableClient.liveCount()`; the options are checked. */
export function liveCountOf(
  table: FollowedTable,
  options: LiveCountOptions,
  queryOf?: QueryOf,
): LiveCount {
  const sourceOf = ({ filter, dialect }: LiveCountOptions) => {
    const query = { table: table.name, filter, dialect };
    return valueSource(table, query, async (signal) => {
      const { body } = await table.session.request({ ...query, kind: 'countEntities' }, signal);
      return (JSON.parse(body!) as { count: number }).count;
    });
  };
  return new Live({ sourceOf, empty: 0, queryOf, place: placeOf(table, 'count') }, options);
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
  const sourceOf = ({ filter, dialect }: LiveAggregateOptions) =>
    valueSource(table, { table: table.name, filter, dialect }, async (abortSignal) => {
      const { withKnownParts } = await loaded(import('./known-parts.js'));
      const groups = await table.groups({ filter, dialect, groupBy, select, abortSignal });
      return (known = withKnownParts(known, groups));
    });
  const place = placeOf(table, 'groups', groupBy, select);
  return new Live<readonly object[]>({ sourceOf, empty, queryOf, place }, options);
}
