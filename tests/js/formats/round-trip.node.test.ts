// Random legal tables, written into files of every form and read again, are the same tables.

import { expect, it } from 'vitest';

import { apiName } from '../../../js/src/base/system-names.js';
import { exportAll, importAll } from '../../../js/src/archive.js';
import type { TableClient } from '../../../js/src/client/table-client.js';
import type { TableServiceClient } from '../../../js/src/client/table-service-client.js';
import type { TableEntity } from '../../../js/src/entity/entities.js';
import { define } from '../../../js/src/entity/json.js';
import { nameRule, type IsName } from '../../../js/src/formats/column-names.js';
import { csvOf, jsonOf } from '../../../js/src/formats/export-lines.js';
import { CsvRowReader, JsonRowReader } from '../../../js/src/formats/file-rows.js';
import { keyColumnsOf } from '../../../js/src/formats/row-columns.js';
import { columnsOf, ColumnSurvey } from '../../../js/src/formats/column-survey.js';
import { EntityMaker, planColumns } from '../../../js/src/formats/row-plan.js';
import type { Row } from '../../../js/src/formats/rows.js';
import { loadValidator } from '../../../js/src/index.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { collect, openForTest } from '../support/accounts.js';
import { randomNumbers, testSeed } from '../support/random-numbers.js';

const SEED = testSeed();
const TABLES = 40;

// Names that mean something to JavaScript, to OData, to this package or to CSV, in some form.
const NAMES = [
  ...['__proto__', 'constructor', 'hasOwnProperty', 'toString', 'valueOf', 'then', 'class', 'null'],
  ...['partitionKey', 'rowKey', 'timestamp', 'etag', 'ETag', 'partitionkey', 'ROWKEY', 'TIMESTAMP'],
  ...[
    'value',
    'items',
    'type',
    'entitable',
    'sep',
    'Column1',
    '_',
    'a',
    'A',
    'é',
    'Ⅷ',
    'a‿b',
    '日付',
  ],
];
const TEXTS = [
  ...['', ' ', ' a ', '"', '""', 'a"b', "'", ',', ';', '\t', '|', '\n', '\r', '\r\n', 'a\r\nb\n'],
  ...['\ufeff', '\ufeffa', 'null', 'NULL', 'NA', 'true', '007', '7e1', '12E4', '1,5', '1.234,50'],
  ...['02.02.2024', '=1+1', 'sep=;', '{"a":1}', '[', '\u{1F600}', 'é', '\u0001', 'Edm.Int32'],
];
const KEYS = TEXTS.filter((text) => !/[/\\#?\p{Cc}]/u.test(text));

let isName: IsName;

type Random = (below: number) => number;

const of = <T>(random: Random, list: readonly T[]): T => list[random(list.length)]!;

function valueOf(random: Random): unknown {
  const text = () => Array.from({ length: random(4) }, () => of(random, TEXTS)).join('');
  return of(random, [
    text,
    text,
    () => random(2) === 1,
    () => of(random, [0, -1, 2 ** 31 - 1, -(2 ** 31), random(2 ** 31)]),
    () => of(random, [0n, -(2n ** 63n), 2n ** 63n - 1n, BigInt(random(2 ** 32)) * 0x7fff_ffffn]),
    () => {
      const doubles = [0, 1, 0.1, -2.5, 1e21, 5e-324, 1.7976931348623157e308, NaN, -Infinity];
      return { type: 'Double', value: of(random, [...doubles, random(2 ** 32) / 1000]) };
    },
    () => new Date(random(2 ** 32) * 1000),
    () => ({
      type: 'DateTime',
      value: of(random, [
        '1601-01-01T00:00:00Z',
        '2020-02-29T23:59:59.1234567Z',
        '9999-12-31T23:59:59.9999999Z',
      ]),
    }),
    () => ({ type: 'Guid', value: '7b0b7a3e-52d7-4a43-9c1b-51e6f3f0c001' }),
    () => Uint8Array.from({ length: random(20) }, () => random(256)),
  ])();
}

function tableOf(random: Random): TableEntity[] {
  const names = Array.from({ length: random(6) }, () => of(random, NAMES));
  const keys = new Set<string>();
  return Array.from({ length: random(6) }, () => {
    const [partitionKey, rowKey] = [of(random, KEYS), of(random, KEYS)];
    const entity = { partitionKey, rowKey };
    for (const name of names) {
      if (random(4) > 0) define(entity, apiName(name), valueOf(random));
    }
    return entity;
  }).filter(({ partitionKey, rowKey }) => {
    const pair = JSON.stringify([partitionKey, rowKey]);
    return !keys.has(pair) && keys.add(pair);
  });
}

const listOf = (table: TableClient) => () =>
  table.listEntities({ typed: true }) as AsyncIterable<unknown> as AsyncIterable<Row>;

/** Its entities without the timestamps, which an import makes anew. */
async function contents(table: TableClient): Promise<unknown[]> {
  return (await collect(listOf(table)())).map(({ etag: _, timestamp: __, ...entity }) => entity);
}

const FORMATS = ['CSV', 'CSV for spreadsheets', 'JSON array', 'JSON Lines'] as const;

async function textIn(format: (typeof FORMATS)[number], table: TableClient): Promise<string> {
  const list = listOf(table);
  const isGuarded = format === 'CSV for spreadsheets';
  const lines = format.startsWith('CSV')
    ? csvOf(list, { withTypes: true, hasMark: isGuarded, isGuarded })
    : jsonOf(list(), format === 'JSON array');
  return (await collect(lines)).map((line) => `${line}\n`).join('');
}

/** As the command and the page read it, in chunks. */
function* rowsIn(text: string, format: (typeof FORMATS)[number]) {
  const isGuarded = format === 'CSV for spreadsheets';
  const reader = format.startsWith('CSV')
    ? new CsvRowReader(undefined, { isGuarded })
    : new JsonRowReader();
  for (let at = 0; at < text.length; at += 7) {
    for (const row of reader.push(text.slice(at, at + 7))) yield { row, header: reader.columns };
  }
  for (const row of reader.end()) yield { row, header: reader.columns };
}

async function read(
  text: string,
  format: (typeof FORMATS)[number],
  table: TableClient,
): Promise<void> {
  const rows = [...rowsIn(text, format)];
  if (rows.length === 0) return;
  const survey = new ColumnSurvey();
  for (const { row, header } of rows) survey.add(row, header);
  const found = columnsOf([survey]);
  const keys = keyColumnsOf(found.map(({ name }) => name));
  const { columns } = planColumns(found, isName, keys);
  const maker = new EntityMaker([{ column: keys[0]! }, { column: keys[1]! }], columns);
  await table.importEntities(rows.map(({ row }) => maker.entityOf(row, undefined)));
}

async function newTable(account: TableServiceClient, name: string): Promise<TableClient> {
  await account.createTable(name);
  return account.tableClient(name);
}

it(
  `an export of a random table is imported as the same table (seed ${SEED})`,
  { timeout: 60_000 },
  async () => {
    isName = nameRule(await loadValidator());
    const random = randomNumbers(SEED);
    const account = await openForTest({ storage: memoryStorage() });
    for (let at = 0; at < TABLES; at++) {
      const table = await newTable(account, `Table${at}`);
      await table.importEntities(tableOf(random));
      const before = await contents(table);
      for (const format of FORMATS) {
        const text = await textIn(format, table);
        const copy = await newTable(account, `Copy${at}${format.replaceAll(' ', '')}`);
        await read(text, format, copy);
        expect(await contents(copy), `${format}: ${text}`).toEqual(before);
      }
    }
    const other = await openForTest({ storage: memoryStorage() });
    await importAll(other, exportAll(account));
    for (let at = 0; at < TABLES; at++) {
      const name = `Table${at}`;
      expect(await contents(other.tableClient(name))).toEqual(
        await contents(account.tableClient(name)),
      );
    }
  },
);
