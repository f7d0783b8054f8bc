/**
 * `entitable query`: prints entities of a table, results of a search, or aggregates of groups.
 *
 * @module
 */

import { isObject } from '../../base/kinds.js';
import { MAX_PAGE_RESULTS } from '../../base/limits.js';
import { wireName } from '../../base/system-names.js';
import type { TableClient } from '../../client/table-client.js';
import { entityToJson } from '../../entity/json.js';
import { csvLines, namesIn, type Row } from '../../formats/rows.js';
import { columnLines } from '../column-lines.js';
import { localOnly, withAccount, type ReadAccount } from '../account/place.js';
import type { CommandContext, Output } from '../line/command.js';
import { sortedGroups } from './group-order.js';
import { binRows, histogramsIn } from './histogram-rows.js';
import { NamedProperties } from './named-properties.js';
import { parseQuery, type Groups, type QueryArguments, type Search } from './query-usage.js';
import { withHints } from './read-hints.js';

const WIDEST_COLUMN = 40;

/** Runs the command. */
export async function query(words: readonly string[], context: CommandContext): Promise<number> {
  const given = parseQuery(words);
  await withAccount(given.place, context.environment, (account) =>
    withHints(account, given, () => printQuery(account, given, context)),
  );
  return 0;
}

async function printQuery(
  account: ReadAccount,
  given: QueryArguments,
  { write, complain }: Output,
): Promise<void> {
  const { top, format, groups } = given;
  const named = new NamedProperties(given);
  const rows: Row[] = [];
  let count = 0;
  let isMore = false;
  for await (const row of rowsIn(account, given, named)) {
    if ((isMore = count === top)) break;
    count++;
    // The columns of the others depend on all rows.
    if (format === 'json') await write(groups ? groupToJson(row) : entityToJson(row));
    else rows.push(row);
  }
  if (format !== 'json' && count > 0) await writeTable(rows, given, write);
  if (isMore)
    complain(`there are more ${kindOfRows(given)} than these ${top}: give a greater --top`);
  for (const note of await named.notes(account, count, !isMore)) complain(note);
}

function kindOfRows({ groups, format }: QueryArguments): string {
  if (!groups) return 'entities';
  // A histogram prints a line for each bin.
  return format !== 'json' && histogramsIn(groups.select).length > 0 ? 'lines' : 'groups';
}

async function writeTable(
  rows: readonly Row[],
  { format, csv, select }: QueryArguments,
  write: Output['write'],
): Promise<void> {
  const isCsv = format === 'csv';
  const names = namesIn(rows, select);
  const lines = isCsv ? csvLines(names, rows, csv) : columnLines(names, rows, WIDEST_COLUMN);
  for (const line of lines) await write(isCsv ? `${line}\r` : line);
}

function rowsIn(
  account: ReadAccount,
  given: QueryArguments,
  named: NamedProperties,
): AsyncIterable<Row> {
  const { groups, search, skip = 0 } = given;
  if (groups) return skipping(skip, groupsIn(account, given, groups, named));
  return observed(search ? foundIn(account, given, search) : entitiesIn(account, given), named);
}

async function* skipping(skip: number, rows: AsyncIterable<Row>): AsyncGenerator<Row> {
  let at = 0;
  for await (const row of rows) if (at++ >= skip) yield row;
}

async function* observed(rows: AsyncIterable<Row>, named: NamedProperties): AsyncGenerator<Row> {
  for await (const row of rows) {
    named.seeEntity(row);
    yield row;
  }
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
  const options = { filter, dialect, select, match, top: most, typed: true };
  for (const { entity } of await client.search(property, words, options)) yield entity;
}

// The keys have their names of the service.
async function* groupsIn(
  account: ReadAccount,
  { table, filter, dialect, format }: QueryArguments,
  { by, select, order }: Groups,
  named: NamedProperties,
): AsyncGenerator<Row> {
  const [histogram] = format === 'json' ? [] : histogramsIn(select);
  const client = localOnly(account, '--group-by and --aggregate').tableClient(table);
  const groups: Row[] = await client.aggregate({ filter, dialect, groupBy: [...by], select });
  for (const group of groups) named.seeGroup(group, { by, select });
  for (const group of sortedGroups(groups, order)) {
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
