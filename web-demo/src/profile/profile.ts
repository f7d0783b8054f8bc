/**
 * What the properties of a query's entities are like. The core calculates it, so no entity is made.
 *
 * @module
 */

import {
  count,
  countDistinct,
  histogram,
  max,
  min,
  type Aggregate,
  type Aggregates,
  type TableClient,
} from 'entitable';

import { valueLabel } from '../chart/groups.js';
import type { Column } from '../columns.js';
import { displayNumber, isNumeric } from '../display.js';

/** The entities that are looked at. */
export interface ProfileQuestion {
  readonly table: TableClient;
  readonly filter: string;
  readonly columns: readonly Column[];
  readonly signal: AbortSignal;
}

/** A group or a range of values, and how many entities have one of them. */
export interface Bar {
  readonly label: string;
  readonly count: number;
}

/** One property. */
export interface Profile {
  readonly column: Column;
  /** How many entities have it. */
  readonly count: number;
  /** Undefined, if there are too many different values. */
  readonly distinct: number | undefined;
  /** Null, if all values are NaN. */
  readonly least: unknown;
  readonly greatest: unknown;
  /** Empty, if there are too many values. */
  readonly bars: readonly Bar[];
  /** Whether the bars are in the order of the values; else the largest is first. */
  readonly isOrdered: boolean;
}

// Four aggregates each, of the 64 that a query may have.
const PROPERTIES_AT_ONCE = 16;

const MAX_BARS = 16;

// With more groups than this, the largest ones say nothing.
const MAX_GROUPS = 1000;

/** Returns the profiles one after another, as soon as they are known. */
export async function* readProfiles(question: ProfileQuestion): AsyncGenerator<Profile> {
  const { columns } = question;
  for (let from = 0; from < columns.length; from += PROPERTIES_AT_ONCE) {
    const some = columns.slice(from, from + PROPERTIES_AT_ONCE);
    const facts = await factsOf(question, some);
    for (const [at, column] of some.entries()) {
      const fact = (name: string) => facts[`${name}${at}`];
      const distinct = fact('distinct') as number | undefined;
      yield {
        ...{ column, count: fact('count') as number, distinct },
        ...{ least: fact('least'), greatest: fact('greatest') },
        ...(await barsOf(question, column, distinct)),
      };
    }
  }
}

/** The counts, the least and the greatest values; by name and place of the column. */
async function factsOf(
  question: ProfileQuestion,
  columns: readonly Column[],
): Promise<Record<string, unknown>> {
  const select = (withDistinct: boolean): Aggregates => {
    const terms: Record<string, Aggregate> = {};
    for (const [at, { name }] of columns.entries()) {
      terms[`count${at}`] = count(name);
      terms[`least${at}`] = min(name);
      terms[`greatest${at}`] = max(name);
      if (withDistinct) terms[`distinct${at}`] = countDistinct(name);
    }
    return terms;
  };
  const groups =
    (await unlessTooLarge(() => aggregate(question, { select: select(true) }))) ??
    (await aggregate(question, { select: select(false) }));
  return groups[0]!;
}

async function barsOf(
  question: ProfileQuestion,
  { name, types }: Column,
  distinct: number | undefined,
): Promise<Pick<Profile, 'bars' | 'isOrdered'>> {
  const areAll = (fits: (type: (typeof all)[number]) => boolean) => all.every(fits);
  const all = [...types];
  if (areAll(isNumeric)) return { bars: await rangesOf(question, name), isOrdered: true };
  if (areAll((type) => type === 'DateTime')) {
    return { bars: joinedYears(await groupsOf(question, `year(${name})`)), isOrdered: true };
  }
  if (distinct === undefined || distinct > MAX_GROUPS) return { bars: [], isOrdered: false };
  const groups = await groupsOf(question, name);
  return { bars: groups.sort((a, b) => b.count - a.count).slice(0, MAX_BARS), isOrdered: false };
}

async function rangesOf(question: ProfileQuestion, name: string): Promise<Bar[]> {
  const select = { ranges: histogram(name, { bins: MAX_BARS }) };
  const groups = await unlessTooLarge(() => aggregate(question, { select }));
  const { bins } = (groups?.[0]!['ranges'] ?? { bins: [] }) as {
    bins: { from: number; to: number; count: number }[];
  };
  return bins.map(({ from, to, count }) => ({
    label: `${displayNumber(from)} – ${displayNumber(to)}`,
    count,
  }));
}

// Neighbours together, so that all have room; also years without entities.
function joinedYears(years: readonly Bar[]): Bar[] {
  const [first, last] = [years[0], years.at(-1)].map((bar) => Number(bar?.label));
  if (!first || !last) return [];
  const width = Math.ceil((last - first + 1) / MAX_BARS);
  const bars = Array.from({ length: Math.ceil((last - first + 1) / width) }, (_, at) => {
    const from = first + at * width;
    return { label: width === 1 ? `${from}` : `${from} – ${from + width - 1}`, count: 0 };
  });
  for (const { label, count } of years) {
    bars[Math.floor((Number(label) - first) / width)]!.count += count;
  }
  return bars;
}

// Entities without the property are no group of it.
async function groupsOf(question: ProfileQuestion, term: string): Promise<Bar[]> {
  const options = { groupBy: { value: term }, select: { count: count() } };
  const groups = (await unlessTooLarge(() => aggregate(question, options))) ?? [];
  return groups
    .filter(({ value }) => value !== null)
    .map(({ value, count }) => ({ label: valueLabel(value), count: count as number }));
}

async function aggregate(
  { table, filter, signal }: ProfileQuestion,
  options: { groupBy?: { value: string }; select: Aggregates },
): Promise<Record<string, unknown>[]> {
  return await table.aggregate({ filter, abortSignal: signal, ...options });
}

/** Undefined, if the answer takes too much memory. */
async function unlessTooLarge<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if ((error as { code?: string }).code !== 'AggregateTooLarge') throw error;
    return undefined;
  }
}
