/**
 * `entitable query`: prints entities of a table, results of a search, or aggregates of groups.
 *
 * @module
 */

import process from 'node:process';

import { isObject } from '../base/kinds.js';
import { MAX_PAGE_RESULTS } from '../base/limits.js';
import type { TableClient } from '../client/table-client.js';
import { apiName, entityToJson, wireName } from '../entity/json.js';
import type { Aggregates } from '../entity/aggregates.js';
import { AGGREGATE_FORMS, parseAggregates, parseTerms } from './aggregate-terms.js';
import type { Output } from './commands.js';
import { readOptions, UsageError, type GivenOptions } from './options.js';
import {
  AT,
  CREDENTIAL_NOTE,
  DIALECT,
  dialectOf,
  localOnly,
  withAccount,
  type ReadAccount,
} from './place.js';
import { binRows, histogramsIn } from './histogram-rows.js';
import { columnLines, csvLines, namesIn, type Row } from './rows.js';
import type { CommandUsage } from './usage.js';

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
    },
    ...DIALECT,
    '--select': {
      value: 'NAMES',
      text: 'only these properties, in this order; commas separate them',
    },
    '--order-by': {
      value: 'NAMES',
      text: 'in the order of these properties; "price desc,name" reverses the order of the first',
    },
    '--skip': { value: 'N', text: 'leave out so many at the beginning' },
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
    },
    '--group-by': {
      value: 'NAMES',
      text: 'print a line for each group of entities that are equal in these properties',
    },
    '--aggregate': {
      value: 'LIST',
      text: `what to calculate of each group, or of all entities: ${AGGREGATE_FORMS}; commas separate them, and total=sum:price names a result. BINS is a number of bins of equal width, or their bounds: 0/10/20`,
    },
    '--format': {
      value: 'HOW',
      text: 'how to print them:',
      choices: {
        columns: 'a column for each property (default)',
        json: 'JSON Lines, in the form in which entities are inserted, with the type of each property',
        csv: 'CSV; entities as Azure Storage Explorer reads them',
      },
    },
    '--json': { text: 'the same as --format json' },
  },
  notes: [
    'The service has no order of properties, no search and no groups. So --order-by, --skip, ' +
      '--search, --group-by and --aggregate need the folder of an account.',
    'A histogram prints a line for each bin; with --json, it is an object.',
    CREDENTIAL_NOTE,
  ],
} as const satisfies CommandUsage;

type GivenQuery = GivenOptions<keyof typeof QUERY.options>;

interface QueryArguments {
  readonly place: string | undefined;
  readonly table: string;
  readonly filter: string | undefined;
  readonly dialect: 'service' | 'extended' | undefined;
  readonly select: string[] | undefined;
  readonly orderBy: string[] | undefined;
  readonly skip: number | undefined;
  readonly search: Search | undefined;
  /** Undefined: the query prints entities. */
  readonly groups: { readonly by: string[]; readonly select: Aggregates } | undefined;
  readonly top: number;
  readonly format: keyof (typeof QUERY.options)['--format']['choices'];
}

interface Search {
  readonly property: string;
  readonly words: string;
  readonly match: 'all' | 'any' | undefined;
}

const TOP_OF_COLUMNS = 100;
const TOP_OF_SEARCH = 20;
const WIDEST_COLUMN = 40;

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
  return {
    place: options.get('--at'),
    table,
    filter: options.get('--filter'),
    dialect: dialectOf(options),
    select: options
      .get('--select')
      ?.split(',')
      .map((name) => name.trim()),
    orderBy: termsOf(options, '--order-by'),
    skip: numberOf(options, '--skip', 0),
    search,
    groups: groupsOf(options, format),
    top: topOf(options, format, search),
    format,
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

function groupsOf(options: GivenQuery, format: QueryArguments['format']): QueryArguments['groups'] {
  const by = termsOf(options, '--group-by');
  const list = options.get('--aggregate');
  if (!by && list === undefined) return undefined;
  for (const name of ['--select', '--order-by', '--skip'] as const) {
    if (options.has(name)) {
      throw new UsageError(`${name} is for entities, not for --group-by and --aggregate`);
    }
  }
  const select = list === undefined ? {} : parseAggregates(list);
  if (format !== 'json' && histogramsIn(select).length > 1) {
    throw new UsageError('several histograms need --json: each prints lines of its own');
  }
  return { by: by ?? [], select };
}

/** Runs the command. */
export async function query(words: readonly string[], output: Output): Promise<number> {
  const given = parseQuery(words);
  await withAccount(given.place, process.env, (account) => printQuery(account, given, output));
  return 0;
}

async function printQuery(
  account: ReadAccount,
  given: QueryArguments,
  { write, complain }: Output,
): Promise<void> {
  const { top, format, groups } = given;
  const rows: Row[] = [];
  let count = 0;
  let isMore = false;
  for await (const row of rowsIn(account, given)) {
    if ((isMore = count === top)) break;
    count++;
    // The columns of the others depend on all rows.
    if (format === 'json') await write(groups ? groupToJson(row) : entityToJson(row));
    else rows.push(row);
  }
  if (format !== 'json' && count > 0) {
    const isCsv = format === 'csv';
    const names = namesIn(rows, given.select);
    const lines = isCsv ? csvLines(names, rows, !groups) : columnLines(names, rows, WIDEST_COLUMN);
    for (const line of lines) await write(isCsv ? `${line}\r` : line);
  }
  const what = groups ? 'groups' : 'entities';
  if (isMore) complain(`there are more ${what} than ${top}: --top N prints others`);
}

function rowsIn(account: ReadAccount, given: QueryArguments): AsyncIterable<Row> {
  if (given.groups) return groupsIn(account, given);
  return given.search ? foundIn(account, given, given.search) : entitiesIn(account, given);
}

function entitiesIn(account: ReadAccount, given: QueryArguments): AsyncIterable<Row> {
  const { table, filter, dialect, select, orderBy, skip } = given;
  const list = { typed: true, queryOptions: { filter, select } } as const;
  if (!orderBy && skip === undefined && dialect !== 'extended') {
    const client: Pick<TableClient, 'listEntities'> = account.tableClient(table) as TableClient;
    return client.listEntities(list);
  }
  const wanted = dialect === 'extended' ? '--dialect extended' : '--order-by and --skip';
  const client = localOnly(account, wanted).tableClient(table);
  return client.listEntities({ ...list, dialect, orderBy, skip });
}

async function* foundIn(
  account: ReadAccount,
  { table, filter, dialect, select, top }: QueryArguments,
  { property, words, match }: Search,
): AsyncGenerator<Row> {
  const client = localOnly(account, '--search').tableClient(table);
  // One result more than `top` shows that there are others.
  const most = Math.min(top + 1, MAX_PAGE_RESULTS);
  const keys = ['partitionKey', 'rowKey'] as const;
  const options = { filter, dialect, select: keys, match, top: most };
  for (const { entity } of await client.search(property, words, options)) {
    // The entities of a search have no types, so each is read once more.
    yield await client.getEntity(entity.partitionKey, entity.rowKey, { typed: true, select });
  }
}

// The keys have their names of the service.
async function* groupsIn(account: ReadAccount, given: QueryArguments): AsyncGenerator<Row> {
  const { filter, dialect, format } = given;
  const { by, select } = given.groups!;
  const [histogram] = format === 'json' ? [] : histogramsIn(select);
  const client = localOnly(account, '--group-by and --aggregate').tableClient(given.table);
  const groups = await client.aggregate({ filter, dialect, groupBy: by, select });
  for (const group of groups) {
    const row: Row = Object.fromEntries(
      Object.entries(group).map(([name, value]) => [
        Object.hasOwn(select, name) ? name : wireName(name),
        value,
      ]),
    );
    if (histogram === undefined) yield row;
    else yield* binRows(row, histogram);
  }
}

// Values as in entities, and histograms as they are.
function groupToJson(row: Row): string {
  const isPlain = ([, value]: [string, unknown]) => !isHistogram(value);
  const plain = entityToJson(Object.fromEntries(Object.entries(row).filter(isPlain)));
  const isWhole = Object.entries(row).every(isPlain);
  if (isWhole) return plain;
  const histograms = Object.fromEntries(Object.entries(row).filter((one) => !isPlain(one)));
  return JSON.stringify({ ...(JSON.parse(plain) as object), ...histograms });
}

const isHistogram = (value: unknown) => isObject(value) && 'bins' in value;
