import { describe, expect, it } from 'vitest';

import { CsvRowReader, JsonRowReader, type FileRow } from '../../../js/src/transfer/file-rows.js';
import { ColumnSurvey, EntityMaker, planColumns } from '../../../js/src/transfer/row-plan.js';

function csvRows(...lines: string[]): FileRow[] {
  const reader = new CsvRowReader();
  return [...reader.push(lines.join('\n')), ...reader.end()];
}

const jsonRows = (...objects: object[]) =>
  new JsonRowReader().push(objects.map((one) => `${JSON.stringify(one)}\n`).join(''));

function columnsOf(rows: readonly FileRow[]) {
  const survey = new ColumnSurvey();
  for (const row of rows) survey.add(row);
  return survey.columns;
}

/** The properties of the entities, under a plan with these types. */
function propertiesOf(rows: readonly FileRow[], types = new Map<string, 'String' | 'Double'>()) {
  const key = () => 'k';
  const maker = new EntityMaker([key, key], planColumns(columnsOf(rows), types));
  return rows.map((row) => {
    const { partitionKey, rowKey, ...properties } = maker.entityOf(row, undefined, true);
    expect([partitionKey, rowKey]).toEqual(['k', 'k']);
    return properties;
  });
}

describe('a survey of columns', () => {
  it('infers types from all rows, and counts values', () => {
    const columns = columnsOf(csvRows('n,t,empty', '1,a,', '2.5,,', ',b,'));

    expect(columns).toEqual([
      { name: 'n', type: 'Double', declared: new Set(), values: 2 },
      { name: 't', type: 'String', declared: new Set(), values: 2 },
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
  it('leaves out keys and what the service sets, and names properties', () => {
    const rows = csvRows(
      'partitionkey,ROWKEY,Timestamp,odata.etag,Unit price,Unit_price',
      '1,2,3,4,5,6',
    );

    expect(planColumns(columnsOf(rows))).toEqual([
      { column: 'Unit price', property: 'Unit_price', type: 'Int32', isForAll: false },
      { column: 'Unit_price', property: 'Unit_price_2', type: 'Int32', isForAll: false },
    ]);
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
  const keysOf = (rows: FileRow[], column: string, isCsv: boolean) => {
    const maker = new EntityMaker<number>([{ column }, (place) => `row ${place}`], []);
    return rows.map((row, at) => maker.entityOf(row, at, isCsv));
  };

  it('takes keys from columns, or from the place of the row', () => {
    expect(keysOf(csvRows('kind', 'tea', '7'), 'kind', true)).toEqual([
      { partitionKey: 'tea', rowKey: 'row 0' },
      { partitionKey: '7', rowKey: 'row 1' },
    ]);
  });

  it('refuses a row without a key, but for an empty one of Storage Explorer', () => {
    const rows = csvRows('PartitionKey,id,x', ',,1');
    const refusal = expect.objectContaining({ code: 'PropertiesNeedValue' });

    expect(keysOf(rows, 'PartitionKey', true)).toMatchObject([{ partitionKey: '' }]);
    expect(() => keysOf(rows, 'id', true)).toThrow(refusal);
    expect(() => keysOf(jsonRows({ x: 1 }), 'PartitionKey', false)).toThrow(refusal);
  });
});
