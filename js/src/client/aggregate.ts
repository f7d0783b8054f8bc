/**
 * Carries out `aggregate`. It is loaded at its first use.
 *
 * @module
 */

import { invalidInput } from '../base/errors.js';
import { isObject } from '../base/kinds.js';
import { shown } from '../base/shown.js';
import { wireName } from '../base/system-names.js';
import type {
  Aggregate,
  AggregateOptions,
  Aggregates,
  GroupBy,
  Histogram,
  HistogramBin,
} from '../entity/aggregates.js';
import { readEntities } from '../entity/reader.js';
import type { LocalRequests } from './entity-requests.js';

/** The table that is read. */
type AggregatedTable = Pick<LocalRequests, 'session' | 'name' | 'checkNames'>;

/** A name in the results, and its value. */
interface Term {
  readonly name: string;
  /** The property, if it is not a count of entities. */
  readonly property?: string | undefined;
  /** As the core takes it. */
  readonly text: string;
  readonly isHistogram?: boolean;
}

/** Returns the groups. The caller has checked the other options. */
export async function aggregate(
  table: AggregatedTable,
  { filter, dialect, fresh, groupBy = [], select = {}, abortSignal }: AggregateOptions,
): Promise<object[]> {
  const groups = groupsOf(groupBy);
  const aggregates = aggregatesOf(select);
  for (const { name } of aggregates) {
    if (!groups.some((group) => group.name === name)) continue;
    throw invalidInput(`The options groupBy and select of aggregate both have ${shown(name)}.`);
  }
  table.checkNames([...groups, ...aggregates].flatMap(({ property }) => property ?? []));
  const operation = {
    kind: 'queryGroups',
    table: table.name,
    filter,
    dialect,
    fresh,
    // Blank text would be no group. A lone comma is refused, as a blank name is.
    orderBy: groups.length > 0 ? textOf(groups) || ',' : undefined,
    aggregates: textOf(aggregates),
  } as const;
  let rows: Record<string, unknown>[] = [];
  await table.session.request(operation, abortSignal, (body) => (rows = readEntities(body)));
  return rows.map((row) =>
    Object.fromEntries([
      ...groups.map(({ name }, at) => [name, row[`g${at}`]] as const),
      ...aggregates.map(({ name, isHistogram }, at) => {
        const value = row[`a${at}`];
        return [name, isHistogram ? histogramOf(value as Uint8Array) : value] as const;
      }),
    ]),
  );
}

const textOf = (terms: readonly Term[]) => terms.map(({ text }) => text).join();

// The beginning of a function, and a name.
const GROUP = /^(\w+\()?([^\s()]+)/;

function groupsOf(groupBy: GroupBy): Term[] {
  const isArray = Array.isArray(groupBy);
  return entriesOf('groupBy', groupBy).map(([name, given]) => {
    // A comma would make two terms of it.
    if (typeof given !== 'string' || given.includes(',')) {
      throw invalidInput(
        'The option groupBy of aggregate has names of properties, or functions of them: not ' +
          `${shown(given)}.`,
      );
    }
    const term = given.trim();
    return {
      name: isArray ? term.replace(/\s.*/, '') : name,
      property: GROUP.exec(term)?.[2],
      text: term.replace(GROUP, (_, part = '', name: string) => `${part}${wireName(name)}`),
    };
  });
}

function aggregatesOf(select: Aggregates): Term[] {
  return entriesOf('select', select).map(([at, one]: [string, Aggregate]) => {
    if (!isObject(one) || typeof one.function !== 'string') {
      throw invalidInput(
        `The option select.${at} of aggregate must be an aggregate such as count() or sum(), not ` +
          `${shown(one)}.`,
      );
    }
    const property = one.name === undefined ? undefined : `${one.name}`;
    const name = property === undefined ? [] : [wireName(property)];
    const text = [one.function, ...name, ...numbersOf(at, one)].join(' ');
    return { name: at, property, text, isHistogram: one.function === 'histogram' };
  });
}

// JavaScript may pass any value.
function entriesOf<T>(option: string, given: Readonly<Record<string, T>> | readonly T[]) {
  if (isObject(given)) return Object.entries(given);
  const kind = option === 'groupBy' ? 'an object or an array' : 'an object';
  throw invalidInput(`The option ${option} of aggregate must be ${kind}, not ${shown(given)}.`);
}

function numbersOf(at: string, { function: kind, argument }: Aggregate): readonly number[] {
  if (kind === 'quantile') {
    return checkedNumbers(at, [argument], QUANTILE, argument);
  }
  if (kind !== 'histogram') return [];
  const { bins, bounds }: { bins?: unknown; bounds?: unknown } = isObject(argument) ? argument : {};
  // One bound would be a number of bins.
  const isList = Array.isArray(bounds) && bounds.length > 1 && bins === undefined;
  const numbers = bounds === undefined ? [bins] : isList ? (bounds as unknown[]) : [undefined];
  return checkedNumbers(at, numbers, HISTOGRAM, argument);
}

const QUANTILE = 'a quantile with a fraction, a number from 0 to 1';
const HISTOGRAM = 'a histogram with { bins }, a number, or with { bounds }, two or more numbers';

function checkedNumbers(
  at: string,
  numbers: readonly unknown[],
  wanted: string,
  given: unknown,
): readonly number[] {
  if (numbers.every(Number.isFinite)) return numbers as number[];
  throw invalidInput(`The option select.${at} of aggregate is ${wanted}: not ${shown(given)}.`);
}

// The form is in docs/internals/frames.md.
function histogramOf(bytes: Uint8Array): Histogram {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const at = (index: number) => view.getFloat64(index * 8, true);
  const bins: HistogramBin[] = [];
  for (let index = 2; (index + 3) * 8 <= bytes.length; index += 2) {
    bins.push({ from: at(index), to: at(index + 2), count: at(index + 1) });
  }
  return { bins, below: at(0), above: at(1) };
}
