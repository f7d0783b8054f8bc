/**
 * Aggregates on the command line: `count`, `sum:price`, `total=sum:price`. They need no quotes in
 * any shell.
 *
 * @module
 */

import {
  avg,
  count,
  countDistinct,
  histogram,
  max,
  min,
  quantile,
  sum,
  type Aggregate,
  type Aggregates,
} from '../../entity/aggregates.js';
import { apiName } from '../../base/system-names.js';
import { UsageError } from '../line/options.js';

/** A function: what follows its name behind colons, and what makes the aggregate of these words. */
interface Function {
  readonly form: string;
  readonly words: RegExp;
  readonly make: (...words: string[]) => Aggregate;
}

const ofName = (make: (name: string) => Aggregate): Omit<Function, 'form'> => ({
  words: /^[^:]+$/,
  make: (name) => make(apiName(name!)),
});

const FUNCTIONS: Readonly<Record<string, Function>> = {
  count: {
    form: 'count or count:NAME',
    words: /^[^:]*$/,
    make: (name) => count(name && apiName(name)),
  },
  sum: { form: 'sum:NAME', ...ofName(sum) },
  avg: { form: 'avg:NAME', ...ofName(avg) },
  min: { form: 'min:NAME', ...ofName(min) },
  max: { form: 'max:NAME', ...ofName(max) },
  distinct: { form: 'distinct:NAME', ...ofName(countDistinct) },
  quantile: {
    form: 'quantile:NAME:FRACTION',
    words: /^[^:]+:(?:1|0(?:\.\d+)?)$/,
    make: (name, fraction) => quantile(apiName(name!), Number(fraction)),
  },
  histogram: {
    form: 'histogram:NAME:BINS',
    words: /^[^:]+:(?:\d{1,4}|-?\d+(?:\.\d+)?(?:\/-?\d+(?:\.\d+)?)+)$/,
    make: (name, bins) => histogram(apiName(name!), binsOf(bins!)),
  },
};

// A number of bins, or the bounds of all bins.
const binsOf = (text: string) =>
  text.includes('/') ? { bounds: text.split('/').map(Number) } : { bins: Number(text) };

/** The forms of all aggregates, for people. */
export const AGGREGATE_FORMS = Object.values(FUNCTIONS)
  .map(({ form }) => form)
  .join(', ');

/**
 * Reads aggregates, with commas between. The name of one is what stands before `=`; by default it
 * is the words with underscores between: `sum_price`.
 *
 * @throws {@link UsageError}
 */
export function parseAggregates(list: string): Aggregates {
  const aggregates: Record<string, Aggregate> = {};
  for (const term of list.split(',')) {
    const [, given, name = '', rest = ''] = /^\s*(?:(\w+)=)?(\w+)(?::(.*?))?\s*$/.exec(term) ?? [];
    const known = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined;
    if (!known?.words.test(rest)) {
      throw new UsageError(`--aggregate takes ${AGGREGATE_FORMS}; commas separate them`);
    }
    // The bins of a histogram are no part of a good name.
    const words = name === 'histogram' ? rest.split(':').slice(0, 1) : rest.split(':');
    const column = given ?? [name, ...words].filter(Boolean).join('_');
    if (Object.hasOwn(aggregates, column)) {
      throw new UsageError('--aggregate names two results the same: write NAME= before one');
    }
    aggregates[column] = known.make(...rest.split(':').filter(Boolean));
  }
  return aggregates;
}

/**
 * Names of properties with commas between, in an order: `price desc,RowKey`. The keys have their
 * names of the service on the command line.
 */
export function parseTerms(list: string): string[] {
  return list
    .split(',')
    .map((term) => term.trim().replace(/\b(?:PartitionKey|RowKey|Timestamp)\b/, apiName));
}

/** The column of a term in the results of groups: what stands before the direction. */
export const columnOf = (term: string): string => term.replace(/\s.*/, '');

/** The property of a term, which may be a part of a date: `year(born) desc`. */
export const propertyOf = (term: string): string => columnOf(term).replace(/^\w+\((.*)\)$/, '$1');
