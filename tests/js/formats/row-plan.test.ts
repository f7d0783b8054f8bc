import { beforeAll, describe, expect, it } from 'vitest';

import type { FileRow } from '../../../js/src/formats/cell.js';
import { nameRule, type IsName } from '../../../js/src/formats/column-names.js';
import { columnsOf as columnsIn, ColumnSurvey } from '../../../js/src/formats/column-survey.js';
import { CsvRowReader, JsonRowReader } from '../../../js/src/formats/file-rows.js';
import { keyColumnsOf, type KeyColumns } from '../../../js/src/formats/row-columns.js';
import { EntityMaker, planColumns } from '../../../js/src/formats/row-plan.js';
import { loadValidator } from '../../../js/src/index.js';

let isName: IsName;

beforeAll(async () => {
  isName = nameRule(await loadValidator());
});

function csvRows(...lines: string[]): FileRow[] {
  const reader = new CsvRowReader();
  return [...reader.push(lines.join('\n')), ...reader.end()];
}

/** The plan for a file with this header, whose keys come from its own columns. */
function planFor(header: string, keys?: KeyColumns, types?: ReadonlyMap<string, 'DateTime'>) {
  const reader = new CsvRowReader();
  const survey = new ColumnSurvey();
  const [row] = [...reader.push(`${header}\n${header.replace(/[^,]+/g, '')}\n`), ...reader.end()];
  survey.add(row!, reader.columns);
  const own = keyColumnsOf(reader.columns);
  const { columns, leftOut } = planColumns(columnsIn([survey]), isName, keys ?? own, types);
  return { own, columns: columns.map(({ column }) => column), leftOut };
}

const jsonRows = (...objects: object[]) =>
  new JsonRowReader().push(objects.map((one) => `${JSON.stringify(one)}\n`).join(''));

function columnsOf(rows: readonly FileRow[]) {
  const survey = new ColumnSurvey();
  for (const row of rows) survey.add(row);
  return columnsIn([survey]);
}

/** The properties of the entities, under a plan with these types. */
function propertiesOf(rows: readonly FileRow[], types = new Map<string, 'String' | 'Double'>()) {
  const key = () => 'k';
  const { columns } = planColumns(columnsOf(rows), isName, [undefined, undefined], types);
  const maker = new EntityMaker([key, key], columns);
  return rows.map((row) => {
    const { partitionKey, rowKey, ...properties } = maker.entityOf(row, undefined);
    expect([partitionKey, rowKey]).toEqual(['k', 'k']);
    return properties;
  });
}

describe('a survey of columns', () => {
  it('infers types from all rows, and counts values', () => {
    const reader = new CsvRowReader();
    const survey = new ColumnSurvey();
    reader.push('n,t,empty\n1,a,\n2.5,,\n,b,\n');
    for (const row of reader.end()) survey.add(row, reader.columns);
    const columns = columnsIn([survey]);

    expect(columns).toMatchObject([
      { name: 'n', type: 'Double', declared: new Set(), values: 2 },
      { name: 't', type: 'String', declared: new Set(), values: 2 },
      { name: 'empty', type: 'String', declared: new Set(), values: 0 },
    ]);
  });

  it('says which columns have nested values, whatever else they have', () => {
    const rows = jsonRows({ a: { b: 1 }, c: [1], d: 1 }, { c: 'x' });

    expect(columnsOf(rows)).toMatchObject([
      { name: 'a', hasNested: true },
      { name: 'c', hasNested: true },
      { name: 'd', hasNested: false },
    ]);
  });

  it('takes the one type that the file says for the texts without one', () => {
    const rows = csvRows('n,n@type', '1,Edm.Int64', '2,');

    expect(columnsOf(rows)).toMatchObject([{ type: 'Int64', declared: new Set(['Int64']) }]);
    const several = csvRows('n,n@type', '1,Edm.Int64', 'x,Edm.String', '2,');
    expect(columnsOf(several)).toMatchObject([
      { type: 'Int32', declared: new Set(['Int64', 'String']) },
    ]);
  });
});

describe('a plan of columns', () => {
  it.each([
    // The names of the service are exact, and its own properties are those of its files.
    [
      'PartitionKey,RowKey,partitionKey,rowKey,rowkey',
      ['PartitionKey', 'RowKey'],
      ['partitionKey', 'rowKey', 'rowkey'],
      [],
    ],
    [
      'PartitionKey,RowKey,Timestamp,odata.etag,timestamp,etag,ETag',
      ['PartitionKey', 'RowKey'],
      ['timestamp', 'etag', 'ETag'],
      ['Timestamp', 'odata.etag'],
    ],
    [
      'partitionKey,rowKey,Timestamp,timestamp,etag,ETag',
      ['partitionKey', 'rowKey'],
      ['Timestamp', 'ETag'],
      ['timestamp', 'etag'],
    ],
    // Another case is a key where there is no exact one.
    ['partitionkey,ROWKEY,Timestamp,etag', ['partitionkey', 'ROWKEY'], ['Timestamp', 'etag'], []],
    [
      'timestamp,etag,ETag,value',
      [undefined, undefined],
      ['timestamp', 'etag', 'ETag', 'value'],
      [],
    ],
  ])('of %s has its keys, properties, and what is left out', (header, own, columns, leftOut) => {
    expect(planFor(header)).toEqual({ own, columns, leftOut });
  });

  it('keeps a column that looks like a key and has none, and one whose type is chosen', () => {
    const header = 'PartitionKey,RowKey,Timestamp,kind';

    expect(planFor(header, ['kind', 'RowKey'], new Map([['Timestamp', 'DateTime']]))).toMatchObject(
      {
        columns: ['PartitionKey', 'Timestamp', 'kind'],
        leftOut: [],
      },
    );
  });

  it('keeps a column with the name of a type, if there is no column for it', () => {
    expect(planFor('content@type,a,a@type').columns).toEqual(['content@type', 'a']);
  });

  it('gives a chosen type to all values, and keeps what the file says otherwise', () => {
    const rows = csvRows('n,n@type', '1,Edm.Int64', '2,');
    const int64 = (value: string) => ({ n: { type: 'Int64', value } });

    expect(propertiesOf(rows)).toEqual([int64('1'), int64('2')]);
    expect(propertiesOf(rows, new Map([['n', 'Double']]))).toEqual([
      { n: { type: 'Double', value: '1' } },
      { n: { type: 'Double', value: '2' } },
    ]);
    // Texts of JSON are Strings, whatever the numbers beside them are.
    expect(propertiesOf(jsonRows({ n: 1 }, { n: 'one' }, { n: null }))).toEqual([
      { n: '1' },
      { n: 'one' },
      {},
    ]);
  });
});

describe('a maker of entities', () => {
  const keysOf = (rows: FileRow[], column: string) => {
    const maker = new EntityMaker<number>([{ column }, (place) => `row ${place}`], []);
    return rows.map((row, at) => maker.entityOf(row, at));
  };

  it('takes keys from columns, or from the place of the row', () => {
    expect(keysOf(csvRows('kind', 'tea', '7'), 'kind')).toEqual([
      { partitionKey: 'tea', rowKey: 'row 0' },
      { partitionKey: '7', rowKey: 'row 1' },
    ]);
  });

  it('refuses a row without a key, but for an empty one of Storage Explorer', () => {
    const rows = csvRows('PartitionKey,id,x', ',,1');
    const refusal = expect.objectContaining({ code: 'PropertiesNeedValue' });

    expect(keysOf(rows, 'PartitionKey')).toMatchObject([{ partitionKey: '' }]);
    expect(() => keysOf(rows, 'id')).toThrow(refusal);
    expect(() => keysOf(jsonRows({ x: 1 }), 'PartitionKey')).toThrow(refusal);
  });
});
