import { describe, expect, it } from 'vitest';

import type { FileRow } from '../../../js/src/formats/cell.js';
import {
  CsvRowReader,
  JsonRowReader,
  type OnRowFault,
  type RowReader,
} from '../../../js/src/formats/file-rows.js';

function csvRows(...lines: string[]): FileRow[] {
  const reader = new CsvRowReader();
  return [...reader.push(lines.join('\n')), ...reader.end()];
}

function jsonRows(text: string): FileRow[] {
  const reader = new JsonRowReader();
  return [...reader.push(text), ...reader.end()];
}

const asObjects = (rows: FileRow[]) => rows.map((row) => Object.fromEntries(row));

describe('rows of CSV', () => {
  it('have the names of the header, and no empty values', () => {
    expect(asObjects(csvRows('Name,Age,', 'Rex,7,x', ',,'))).toEqual([
      { Name: 'Rex', Age: '7', Column3: 'x' },
      {},
    ]);
  });

  it('have the types of Storage Explorer, also for empty texts', () => {
    const [row] = csvRows(
      'PartitionKey,RowKey,Timestamp,Age,Age@type,Name,Name@type,Gone,Gone@type',
      'dogs,rex,2024-05-01T00:00:00Z,7,Edm.Int64,,Edm.String,,',
    );

    expect(Object.fromEntries(row!)).toEqual({
      PartitionKey: 'dogs',
      RowKey: 'rex',
      Timestamp: '2024-05-01T00:00:00Z',
      Age: { type: 'Int64', text: '7' },
      Name: { type: 'String', text: '' },
    });
  });

  it.each([
    [['a,a', '1,2'], 'The header of the CSV has the name "a" twice.'],
    [['a,b', '1,2', '1,2,3'], 'Row 2 of the CSV has 3 values, and its header has 2 names.'],
    [['a,a@type', '1,Edm.Money'], 'The type of "a" is "Edm.Money".'],
  ])('refuse %s', (lines, message) => {
    expect(() => csvRows(...lines)).toThrow(
      expect.objectContaining({
        code: 'InvalidInput',
        message: expect.stringContaining(message) as string,
      }),
    );
  });

  it('may end with a separator that the header does not have', () => {
    expect(asObjects(csvRows('a,b', '1,2,'))).toEqual([{ a: '1', b: '2' }]);
  });
});

describe('rows of JSON', () => {
  it('keep the digits of integers that a number would round', () => {
    const text =
      '{"a":9007199254740993,"b":-12345678901234567890,"c":1234567890123456.5,' +
      '"e":"9007199254740993","f":5e20,"g@odata.type":"Edm.Int64","g":9007199254740995}';

    expect(asObjects(jsonRows(text))).toEqual([
      {
        a: { text: '9007199254740993' },
        b: { text: '-12345678901234567890' },
        c: { text: '1234567890123456.5' },
        e: { type: 'String', text: '9007199254740993' },
        f: { text: '5e20', plain: '500000000000000000000' },
        g: { type: 'Int64', text: '9007199254740995' },
      },
    ]);
  });

  it('have the types of JSON and of annotations, and no nulls', () => {
    const text = JSON.stringify({
      ...{ Name: '7', Age: 7, Lit: true, Gone: null },
      ...{ Big: '8', 'Big@odata.type': 'Edm.Int64', Id: 'x', 'Id@type': 'Guid' },
    });

    expect(asObjects(jsonRows(text))).toEqual([
      {
        Name: { type: 'String', text: '7' },
        Age: { text: '7' },
        Lit: { text: 'true' },
        Big: { type: 'Int64', text: '8' },
        Id: { type: 'Guid', text: 'x' },
      },
    ]);
  });
});

describe('the lines and numbers of rows', () => {
  const FAULTS: [string, new (onFault?: OnRowFault) => RowReader, string, unknown][] = [
    [
      'CSV',
      CsvRowReader,
      'a,b\n\n1,"x\ny"\r\n1,2,3\n2,\n3,z',
      {
        rows: ['1', '2', '3'],
        lines: [3, 6, 7],
        numbers: [1, 3, 4],
        faults: [[5, 2, 'InvalidInput']],
      },
    ],
    [
      'JSON Lines',
      JsonRowReader,
      '{"a":1}\n{"a":x}\n{"a":\n2}\n\n{"a":3,"a@type":"Edm.No"} {"a":"4"}',
      {
        rows: ['1', '2', '4'],
        lines: [1, 3, 6],
        numbers: [1, 3, 5],
        faults: [
          [2, 2, 'InvalidInput'],
          [6, 4, 'InvalidInput'],
        ],
      },
    ],
  ];

  it.each(FAULTS)(
    'of %s are known, and malformed rows are left out',
    (_, Reader, text, expected) => {
      for (const size of [1, 3, text.length]) {
        const faults: unknown[] = [];
        const reader = new Reader(({ code }, line, at) => faults.push([line, at, code]));
        const rows: FileRow[] = [];
        const [lines, numbers]: [number[], number[]] = [[], []];
        for (let at = 0; at < text.length; at += size) {
          rows.push(...reader.push(text.slice(at, at + size)));
          lines.push(...reader.lines);
          numbers.push(...reader.numbers);
        }
        rows.push(...reader.end());
        lines.push(...reader.lines);
        numbers.push(...reader.numbers);

        const texts = rows
          .map((row) => row.get('a'))
          .map((cell) => (typeof cell === 'object' ? cell.text : cell));
        expect({ rows: texts, lines, numbers, faults }).toEqual(expected);
      }
    },
  );
});
