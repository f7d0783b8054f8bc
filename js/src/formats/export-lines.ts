/**
 * A table as the lines of a file. The command line and the explorer write the same.
 *
 * @module
 */

import { entityToJson } from '../entity/json.js';
import { csvHead, csvLine, inOrder, type CsvStyle, type Row } from './rows.js';

/**
 * The lines of JSON Lines, or of a JSON array.
 *
 * @param rows - entities as `listEntities` returns them with the option `typed`.
 */
export async function* jsonOf(rows: AsyncIterable<Row>, isArray: boolean): AsyncGenerator<string> {
  let before: string | undefined;
  if (isArray) yield '[';
  for await (const row of rows) {
    if (before !== undefined) yield isArray ? `${before},` : before;
    before = entityToJson(row);
  }
  if (before !== undefined) yield before;
  if (isArray) yield ']';
}

/**
 * The lines of CSV, each with a CR at its end. The first one has the names of all properties, so
 * the table is read twice.
 *
 * @throws an `Error`, if another program adds a property in between.
 */
export function csvOf(list: () => AsyncIterable<Row>, style: CsvStyle): AsyncGenerator<string> {
  return csvIn(list, { ...style });
}

async function* csvIn(list: () => AsyncIterable<Row>, style: CsvStyle): AsyncGenerator<string> {
  const found = new Set<string>();
  for await (const row of list()) for (const name of Object.keys(row)) found.add(name);
  if (found.size === 0) return;
  const known = new Set(found);
  const names = inOrder(found);
  yield `${csvHead(names, style)}\r`;
  for await (const row of list()) {
    if (Object.keys(row).some((name) => !known.has(name))) {
      throw new Error('another program added a property during the export: export again');
    }
    yield `${csvLine(names, row, style)}\r`;
  }
}
