/**
 * What `entitable query` takes.
 *
 * @module
 */

import { MAX_PAGE_RESULTS } from '../../base/limits.js';
import { apiName } from '../../base/system-names.js';
import type { Aggregates } from '../../entity/aggregates.js';
import type { CsvStyle } from '../../formats/rows.js';
import { AT, CREDENTIAL_NOTE, DIALECT, dialectOf } from '../account/place.js';
import { CSV_OPTIONS, csvStyleOf } from '../csv-options.js';
import { readOptions, UsageError, type GivenOptions } from '../line/options.js';
import type { CommandUsage } from '../line/usage.js';
import { AGGREGATE_FORMS, parseAggregates, parseTerms } from './aggregate-terms.js';
import { parseGroupOrder, type GroupOrder } from './group-order.js';
import { histogramsIn } from './histogram-rows.js';

/** The usage of the command. */
export const QUERY = {
  summary: 'prints entities of a table, or aggregates of groups of them',
  forms: ['--at PLACE --table NAME [options]'],
  about: ['Prints the entities of a table in key order, or the results of a search.'],
  options: {
    ...AT,
    '--table': { value: 'NAME', text: 'the table' },
    '--filter': {
      value: 'TEXT',
      text:
        "only those that this expression selects, as in $filter: \"PartitionKey eq 'dogs' and " +
        'age ge 7"',
      foreignNames: ['--where'],
    },
    ...DIALECT,
    '--select': {
      value: 'NAMES',
      text: 'only these properties, in this order; commas separate them',
      foreignNames: ['--columns', '--fields', '--properties'],
    },
    '--order-by': {
      value: 'NAMES',
      text: 'in the order of these properties, or of these columns of groups; "price desc,name" reverses the order of the first',
      foreignNames: ['--sort', '--sort-by', '--order', '--orderby'],
    },
    '--skip': {
      value: 'N',
      text: 'leave out so many at the beginning',
      foreignNames: ['--offset'],
    },
    '--search': {
      value: 'NAME:WORDS',
      text: 'only entities that have these words in a property, the best first: "text:milk brea*"',
    },
    '--match': {
      value: 'HOW',
      text: 'how many words of the search an entity must have:',
      choices: { all: 'all (default)', any: 'one or more' },
    },
    '--top': {
      value: 'N',
      text: `at most so many (default: 100 for columns, all otherwise; with --search 20, and not more than ${MAX_PAGE_RESULTS})`,
      foreignNames: ['--limit', '--first', '--take'],
    },
    '--group-by': {
      value: 'NAMES',
      text: 'print a line for each group of entities that are equal in these properties',
      foreignNames: ['--group', '--by'],
    },
    '--aggregate': {
      value: 'LIST',
      text: `what to calculate of each group, or of all entities: ${AGGREGATE_FORMS}; commas separate them, and total=sum:price names a result. BINS is a number of bins of equal width, or their bounds: 0/10/20`,
      foreignNames: ['--sum', '--count', '--avg', '--min', '--max'],
    },
    '--format': {
      value: 'HOW',
      text: 'how to print them:',
      choices: {
        columns: 'a column for each property (default)',
        json: 'JSON Lines, in the form in which entities are inserted, with the type of each property',
        csv: 'CSV; entities as Azure Storage Explorer reads them',
      },
      foreignNames: ['--output'],
    },
    '--json': { text: 'the same as --format json' },
    ...CSV_OPTIONS,
  },
  notes: [
    'The service has no order of properties, no search and no groups. So --order-by, --skip, ' +
      '--search, --group-by and --aggregate need the folder of an account.',
    'A histogram prints a line for each bin; with --json, it is an object.',
    CREDENTIAL_NOTE,
  ],
} as const satisfies CommandUsage;

type GivenQuery = GivenOptions<keyof typeof QUERY.options>;

/** What to print. */
export interface QueryArguments {
  readonly place: string | undefined;
  readonly table: string;
  readonly filter: string | undefined;
  readonly dialect: 'service' | 'extended' | undefined;
  readonly select: string[] | undefined;
  readonly orderBy: string[] | undefined;
  readonly skip: number | undefined;
  readonly search: Search | undefined;
  /** Undefined: the query prints entities. */
  readonly groups: Groups | undefined;
  readonly top: number;
  readonly format: keyof (typeof QUERY.options)['--format']['choices'];
  readonly csv: CsvStyle;
}

/** Groups of entities. */
export interface Groups {
  readonly by: readonly string[];
  readonly select: Aggregates;
  /** Groups that are equal in it are in the order of `by`. */
  readonly order: readonly GroupOrder[];
}

/** A search for words. */
export interface Search {
  readonly property: string;
  readonly words: string;
  readonly match: 'all' | 'any' | undefined;
}

const TOP_OF_COLUMNS = 100;
const TOP_OF_SEARCH = 20;

/**
 * @param words - the words after the name of the command.
 * @throws {@link UsageError}
 */
export function parseQuery(words: readonly string[]): QueryArguments {
  const options = readOptions(words, QUERY.options);
  const table = options.get('--table');
  if (table === undefined) throw new UsageError('query takes --at PLACE --table NAME');
  const format = formatOf(options);
  const search = searchOf(options);
  const groups = groupsOf(options, format);
  return {
    place: options.get('--at'),
    table,
    filter: options.get('--filter'),
    dialect: dialectOf(options),
    select: options
      .get('--select')
      ?.split(',')
      .map((name) => name.trim()),
    orderBy: groups ? undefined : termsOf(options, '--order-by'),
    skip: numberOf(options, '--skip', 0),
    search,
    groups,
    top: topOf(options, format, search),
    format,
    csv: { withTypes: !groups, ...csvStyleOf(options, format === 'csv') },
  };
}

function formatOf(options: GivenQuery): QueryArguments['format'] {
  const format = options.get('--format');
  if (!options.has('--json')) return (format ?? 'columns') as QueryArguments['format'];
  if (format !== undefined) throw new UsageError('give one of --format HOW and --json');
  return 'json';
}

function topOf(
  options: GivenQuery,
  format: QueryArguments['format'],
  search: Search | undefined,
): number {
  const top = numberOf(options, '--top', 1);
  if (!search) return top ?? (format === 'columns' ? TOP_OF_COLUMNS : Infinity);
  if (top === undefined || top <= MAX_PAGE_RESULTS) return top ?? TOP_OF_SEARCH;
  throw new UsageError(`--top is at most ${MAX_PAGE_RESULTS} with --search`);
}

function numberOf(options: GivenQuery, name: '--top' | '--skip', least: number) {
  const text = options.get(name);
  if (text === undefined) return undefined;
  if (/^\d{1,15}$/.test(text) && Number(text) >= least) return Number(text);
  throw new UsageError(`${name} takes a number of ${least} or more`);
}

function termsOf(options: GivenQuery, name: '--order-by' | '--group-by') {
  const list = options.get(name);
  return list === undefined ? undefined : parseTerms(list);
}

function searchOf(options: GivenQuery): Search | undefined {
  const given = options.get('--search');
  if (given === undefined) {
    if (options.has('--match')) throw new UsageError('--match is for --search');
    return undefined;
  }
  for (const name of ['--order-by', '--skip', '--group-by', '--aggregate'] as const) {
    if (!options.has(name)) continue;
    throw new UsageError(`--search prints the best entities first, so it takes no ${name}`);
  }
  const colon = given.indexOf(':');
  const [property, words] = [given.slice(0, colon).trim(), given.slice(colon + 1)];
  // A search without words finds nothing, so it is a mistake.
  if (colon < 1 || !property || !words.trim()) {
    throw new UsageError('--search takes NAME:WORDS, such as "text:milk brea*"');
  }
  const match = options.get('--match') as Search['match'];
  return { property: apiName(property), words, match };
}

function groupsOf(options: GivenQuery, format: QueryArguments['format']): Groups | undefined {
  const list = options.get('--aggregate');
  if (!options.has('--group-by') && list === undefined) return undefined;
  const by = termsOf(options, '--group-by') ?? [];
  if (options.has('--select')) {
    throw new UsageError('--select is for entities, not for --group-by and --aggregate');
  }
  const select = list === undefined ? {} : parseAggregates(list);
  if (format !== 'json' && histogramsIn(select).length > 1) {
    throw new UsageError('several histograms need --json: each prints lines of its own');
  }
  const order = options.get('--order-by');
  return { by, select, order: order === undefined ? [] : parseGroupOrder(order, by, select) };
}
