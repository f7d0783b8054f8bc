// read-steps.ts - carries out random reads, and compares their answers with those of the model.

import { expect } from 'vitest';

import { isTableError } from '../../../../js/src/base/errors.js';
import type { TableReader } from '../../../../js/src/client/table-reader.js';
import { count, countDistinct, max, min, sum } from '../../../../js/src/entity/aggregates.js';
import { collect } from '../accounts.js';
import { textOf, type Dialect } from './filters.js';
import { keyOf } from './model.js';
import {
  found,
  grouped,
  listed,
  searched,
  shown,
  type OrderedQuery,
  type Query,
} from './queries.js';
import { FilterMaker } from './random-filters.js';
import { WriteMaker } from './random-writes.js';
import { NAMES, ordered, shownValue, type Value } from './values.js';
import { entityOf, TABLES, type TypedRow, type World } from './world.js';

const PAGE_SIZES = [1, 3, 10, 100, 1000];
const TERMS = ['milk', 'BREAD', 'brea*', 'creme', 'brulee', 'o*', 'loaf', 'none', 'x1'];

/** Draws a filter for a table, or none. */
export function randomQuery(world: World, table: string): Query {
  const { model, below } = world;
  const entities = model.entities(table);
  const known = {
    partitionKeys: entities.map(({ partitionKey }) => partitionKey),
    rowKeys: entities.map(({ rowKey }) => rowKey),
    times: [],
  };
  const isOfService = world.place.move !== undefined || below(2) === 0;
  const dialect: Dialect = isOfService ? 'service' : 'extended';
  const isAll = below(8) === 0;
  const filter = isAll ? undefined : new FilterMaker(below, () => known).filter(dialect);
  return { dialect, filter };
}

/** An order, and a part of the list. */
export function randomOrder(world: World): Omit<OrderedQuery, keyof Query> {
  const { below } = world;
  const names = [...NAMES, 'partitionKey', 'rowKey'];
  const term = (name: string) => `${name}${world.of(['', ' desc', ''])}`;
  const terms = new Set(Array.from({ length: 1 + below(2) }, () => world.of(names)));
  return {
    orderBy: below(3) === 0 ? undefined : Array.from(terms, term),
    top: below(2) === 0 ? undefined : 1 + below(20),
    skip: below(4) === 0 ? below(20) : undefined,
  };
}

/** A query as the options of a call. The dialect of the service is the default. */
export const given = ({ filter, dialect, ...rest }: OrderedQuery) => ({
  ...rest,
  ...(dialect === 'extended' && { dialect }),
  ...(filter && { filter: textOf(filter) }),
});

/** One read of any kind. */
export async function read(world: World): Promise<void> {
  const table = world.of(TABLES);
  const { account, fresh } = world.reader();
  const client = account.tableClient(table);
  const isRemote = world.place.move !== undefined;
  const one = world.of(isRemote ? [get, list, list] : [get, list, list, countAll, groups, search]);
  if (world.model.tables.has(table)) return await one(world, client, fresh);
  await expect(one(world, client, fresh)).rejects.toMatchObject({ code: 'TableNotFound' });
}

type Read = (world: World, client: TableReader, fresh: boolean) => Promise<void>;

const get: Read = async (world, client, fresh) => {
  const { model, below } = world;
  const { partitionKey, rowKey } = new WriteMaker(below, model, client.tableName).keys();
  const expected = model.tables.get(client.tableName)?.get(keyOf({ partitionKey, rowKey }));
  const options = { typed: true, fresh } as const;
  const entity = await client.getEntity(partitionKey, rowKey, options).catch((error: unknown) => {
    const isMissing = isTableError(error) && error.code === 'ResourceNotFound';
    if (!isMissing) throw error;
    return undefined;
  });
  const row = entity as unknown as TypedRow | undefined;
  expect(row && shown(entityOf(row))).toBe(expected && shown(expected));
  if (expected?.etag !== undefined) expect(row!.etag).toBe(expected.etag);
};

const list: Read = async (world, client, fresh) => {
  const { model, below } = world;
  const order = world.place.move ? {} : randomOrder(world);
  const query = { ...randomQuery(world, client.tableName), ...order };
  const select = below(3) === 0 ? NAMES.filter(() => below(3) === 0) : undefined;
  const keys = ['partitionKey', 'rowKey'];
  const options = {
    ...{ ...given(query), typed: true, fresh },
    ...(select && { select: select.length > 0 ? [...select, ...keys] : [] }),
  } as const;
  const pages = client.listEntities(options).byPage({ maxPageSize: world.of(PAGE_SIZES) });
  const rows = (await collect(pages)).flat() as unknown as TypedRow[];
  const names = select?.length ? select : undefined;
  const expected = listed(model, client.tableName, query);
  expect(
    rows.map((row) => shown(entityOf(row), names)),
    JSON.stringify(given(query)),
  ).toEqual(expected.map((entity) => shown(entity, names)));
  for (const [at, { etag }] of expected.entries()) {
    if (etag !== undefined) expect(rows[at]!.etag).toBe(etag);
  }
};

const countAll: Read = async (world, client, fresh) => {
  const query = randomQuery(world, client.tableName);
  const options = { ...given(query), fresh };
  const expected = found(world.model, client.tableName, query).length;
  expect(await client.countEntities(options), JSON.stringify(given(query))).toBe(expected);
};

/** A value of a result, in which numbers have no types: they are compared by their values. */
export function typedOf(value: unknown): Value | undefined {
  if (value === null || value === undefined) return undefined;
  if (typeof value === 'object' && 'type' in value) return value as Value;
  if (typeof value === 'number') return { type: 'Double', value };
  if (typeof value === 'bigint') return { type: 'Int64', value };
  if (typeof value === 'boolean') return { type: 'Boolean', value };
  if (typeof value === 'string') return { type: 'String', value };
  return value instanceof Date
    ? { type: 'DateTime', value }
    : { type: 'Binary', value: value as Uint8Array };
}

const groups: Read = async (world, client, fresh) => {
  const query = randomQuery(world, client.tableName);
  const name = world.of([...NAMES, 'partitionKey']);
  const direction = world.of(['', ' desc']);
  const answer: Record<string, unknown>[] = await client.aggregate({
    ...{ ...given(query), fresh, groupBy: { of: `${name}${direction}` } },
    select: {
      ...{ n: count(), has: count('any'), kinds: countDistinct('any') },
      ...{ total: sum('sum'), least: min('any'), most: max('any') },
    },
  });
  const expected = grouped(world.model, client.tableName, query, name);
  if (direction) expected.reverse();
  const hint = JSON.stringify({ ...given(query), name });
  const counts = (group: object) => {
    const { n, has, kinds, total } = group as Record<string, unknown>;
    return { n, has, kinds, total };
  };
  expect(answer.map(counts), hint).toEqual(expected.map(counts));
  for (const [at, group] of expected.entries()) {
    for (const part of ['of', 'least', 'most'] as const) {
      const value = typedOf(answer[at]![part]);
      const text = `${part} ${shownValue(value)}, not ${shownValue(group[part])}: ${hint}`;
      expect(ordered(value, group[part]), text).toBe(0);
    }
  }
};

const search: Read = async (world, client, fresh) => {
  const { below, model } = world;
  const terms = Array.from({ length: 1 + below(3) }, () => world.of(TERMS));
  const isAny = below(2) === 0;
  const query = { ...randomQuery(world, client.tableName), isAny };
  const { filter, dialect } = query;
  const results = await client.search('notes', terms.join(' '), {
    ...given({ filter, dialect }),
    ...{ top: 1000, fresh, typed: true, match: isAny ? 'any' : 'all' },
  });
  const rows = results.map(({ entity }) => shown(entityOf(entity as unknown as TypedRow)));
  const expected = searched(model, client.tableName, terms, query).map((entity) => shown(entity));
  const hint = `${terms.join(' ')} ${JSON.stringify(given({ filter, dialect }))}`;
  expect([...rows].sort(), hint).toEqual([...expected].sort());
  // The best come first; equal ones in the order of their keys.
  for (let at = 1; at < results.length; at++) {
    const [before, after] = [results[at - 1]!, results[at]!];
    expect(before.score, hint).toBeGreaterThanOrEqual(after.score);
    if (before.score > after.score) continue;
    expect(expected.indexOf(rows[at - 1]!), hint).toBeLessThan(expected.indexOf(rows[at]!));
  }
};
