// Aggregates of random entities, beside loops over the same entities.

import { beforeEach, describe, expect, it } from 'vitest';

import type { TableClient } from '../../../js/src/client/table-client.js';
import {
  avg,
  count,
  countDistinct,
  histogram,
  max,
  min,
  quantile,
  sum,
  type Histogram,
} from '../../../js/src/index.js';
import { openTable } from '../support/accounts.js';
import { randomNumbers } from '../support/random-numbers.js';
import { STORAGES } from '../support/storages.js';

type Value = undefined | boolean | number | bigint | Date | string;
type Entity = Record<string, Value> & { rowKey: string };
type Group = Record<string, unknown>;

const NAMES = ['a', 'b', 'born'];
const BOUNDS = [-3, 0, 0.5, 7, 40];
const FRACTION = 0.3;

// Each value is exact in binary, so sums are the same in any order.
const VALUES: ((below: (limit: number) => number) => Value)[] = [
  () => undefined,
  (below) => below(2) === 0,
  (below) => below(60) - 10,
  (below) => (below(60) - 10) / 4,
  (below) => BigInt(below(60)) - 10n,
  (below) => [2n ** 40n + 1n, NaN, Infinity, -Infinity, 2 ** 40][below(5)],
  (below) => new Date(Date.UTC(1990 + below(4), below(12), 1 + below(28), below(24), below(60))),
  (below) => 'xyz'[below(3)],
];

const randomEntity = (below: (limit: number) => number): Entity => {
  const entity: Entity = { partitionKey: `p${below(3)}`, rowKey: `${100 + below(300)}` };
  for (const name of NAMES) entity[name] = VALUES[below(VALUES.length)]!(below);
  return entity;
};

// ------------------------------------------------------------ what is expected

const KINDS = ['undefined', 'boolean', 'number', 'date', 'string'];
const isNumber = (value: unknown): value is number | bigint =>
  typeof value === 'number' || typeof value === 'bigint';
const kindOf = (value: unknown) =>
  KINDS.indexOf(isNumber(value) ? 'number' : value instanceof Date ? 'date' : typeof value);

/** The order of `orderBy`. JavaScript compares a bigint with a number exactly. */
function compare(a: Value, b: Value): number {
  if (kindOf(a) !== kindOf(b)) return kindOf(a) - kindOf(b);
  if (Number.isNaN(a) || Number.isNaN(b)) return +Number.isNaN(b) - +Number.isNaN(a);
  return a! < b! ? -1 : a! > b! ? 1 : 0;
}

const distinct = (values: readonly Value[]) => {
  const sorted = [...values].sort(compare);
  return sorted.filter((value, at) => at === 0 || compare(sorted[at - 1]!, value) !== 0);
};

function sumOf(numbers: readonly (number | bigint)[]): number | bigint | null {
  if (numbers.length === 0) return null;
  // A number that is no Int32 was stored as a Double.
  const isDouble = numbers.some((one) => typeof one === 'number' && one !== (one | 0));
  if (isDouble) return numbers.reduce((total: number, one) => total + Number(one), 0);
  const total = numbers.reduce((all: bigint, one) => all + BigInt(one), 0n);
  return numbers.some((one) => typeof one === 'bigint') ? total : Number(total);
}

function quantileOf(numbers: readonly number[]): number | null {
  const sorted = numbers
    .filter((one) => !Number.isNaN(one))
    .sort((a, b) => (a < b ? -1 : +(a > b)));
  if (sorted.length === 0) return null;
  const place = FRACTION * (sorted.length - 1);
  const [low, high] = [sorted[Math.floor(place)]!, sorted[Math.ceil(place)]!];
  return low === high ? low : low * (1 - (place % 1)) + high * (place % 1);
}

function histogramOf(numbers: readonly number[], bounds: readonly number[]): Histogram {
  const [first, last] = [bounds[0]!, bounds.at(-1)!];
  return {
    bins: bounds.slice(1).map((to, at) => {
      const from = bounds[at]!;
      const isIn = (one: number) => one >= from && (one < to || (one === last && to === last));
      return { from, to, count: numbers.filter(isIn).length };
    }),
    below: numbers.filter((one) => one < first).length,
    above: numbers.filter((one) => one > last).length,
  };
}

const YEAR = (value: Value) => (value instanceof Date ? value.getUTCFullYear() : undefined);

function expectGroup(entities: readonly Entity[], group: Group, bounds: readonly number[]) {
  const values = entities.map(({ a }) => a).filter((value) => value !== undefined);
  const numbers = values.filter(isNumber);
  const asNumbers = numbers.map(Number);
  const ordered = distinct(values.filter((value) => !Number.isNaN(value)));
  const total = sumOf(numbers);

  expect(group).toMatchObject({
    n: entities.length,
    has: values.length,
    kinds: distinct(values).length,
    total,
    mean: total === null ? null : Number(total) / numbers.length,
    given: histogramOf(asNumbers, BOUNDS),
    equal: bounds.length > 1 ? histogramOf(asNumbers, bounds) : { bins: [] },
  });
  const least = ordered[0];
  const most = ordered.at(-1);
  expect(compare((group['least'] ?? undefined) as Value, least)).toBe(0);
  expect(compare((group['most'] ?? undefined) as Value, most)).toBe(0);
  const middle = quantileOf(asNumbers);
  if (middle === null || !Number.isFinite(middle)) expect(group['middle']).toBe(middle);
  else expect((group['middle'] as number) / (middle || 1)).toBeCloseTo(middle && 1, 12);
}

describe.each(STORAGES)('aggregates over $adapter storage', ({ open }) => {
  let table: TableClient;
  beforeEach(async () => {
    table = await openTable({ storage: open() });
  });

  it.each([1, 2, 3, 4, 5, 6])('agree with loops over random entities, seed %i', async (seed) => {
    const below = randomNumbers(seed);
    const stored = new Map<string, Entity>();
    const keyOf = ({ partitionKey, rowKey }: Entity) => `${partitionKey as string} ${rowKey}`;
    const first = Array.from({ length: 60 * seed }, () => randomEntity(below));
    for (const entity of first) stored.set(keyOf(entity), entity);
    await table.importEntities([...stored.values()] as never[]);
    for (let at = 0; at < 40; at++) {
      const entity = randomEntity(below);
      const isDeleted = below(3) === 0 && stored.has(keyOf(entity));
      if (isDeleted) await table.deleteEntity(entity['partitionKey'] as string, entity.rowKey);
      else await table.upsertEntity(entity as never, 'Replace');
      if (isDeleted) stored.delete(keyOf(entity));
      else stored.set(keyOf(entity), entity);
    }

    const found = [...stored.values()].filter(({ rowKey }) => rowKey < '350');
    const groups: Group[] = await table.aggregate({
      filter: "RowKey lt '350'",
      groupBy: ['year(born)', 'b desc'],
      select: {
        ...{ n: count(), has: count('a'), kinds: countDistinct('a') },
        ...{ total: sum('a'), mean: avg('a'), least: min('a'), most: max('a') },
        middle: quantile('a', FRACTION),
        given: histogram('a', { bounds: BOUNDS }),
        equal: histogram('a', { bins: 5 }),
      },
    });

    const keys = (group: Group) =>
      [group['year(born)'] ?? undefined, group['b'] ?? undefined] as [Value, Value];
    const isOf = (group: Group) => (entity: Entity) => {
      const [year, b] = keys(group);
      return compare(YEAR(entity['born']), year) === 0 && compare(entity['b'], b) === 0;
    };
    const finite = found.map(({ a }) => (isNumber(a) ? Number(a) : NaN)).filter(Number.isFinite);
    const bounds = boundsOf(groups[0]!['equal'] as Histogram);
    expect([bounds[0], bounds.at(-1)]).toEqual([Math.min(...finite), Math.max(...finite)]);
    bounds.forEach((bound, at) => {
      const width = (bounds.at(-1)! - bounds[0]!) / 5;
      expect(Math.abs(bound - (bounds[0]! + width * at))).toBeLessThan(width * 1e-9);
    });
    for (const group of groups) expectGroup(found.filter(isOf(group)), group, bounds);
    const all = groups.reduce((total, { n }) => total + (n as number), 0);
    expect(all).toBe(found.length);
    for (let at = 1; at < groups.length; at++) {
      const [before, after] = [keys(groups[at - 1]!), keys(groups[at]!)];
      expect(compare(before[0], after[0]) || compare(after[1], before[1])).toBeLessThan(0);
    }
  });
});

const boundsOf = ({ bins }: Histogram) => [...bins.map(({ from }) => from), bins.at(-1)!.to];
