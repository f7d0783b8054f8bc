import { describe, expect, it } from 'vitest';

import { CsvReader } from '../../../js/src/formats/csv.js';

/** All records of a text that comes in chunks of this many characters. */
function recordsOf(text: string, size = text.length || 1): string[][] {
  const reader = new CsvReader();
  const records: string[][] = [];
  for (let at = 0; at < text.length; at += size) {
    records.push(...reader.push(text.slice(at, at + size)));
  }
  return [...records, ...reader.end()];
}

describe('CSV', () => {
  it.each([
    [
      'lines with either end',
      'a,b\r\n1,2\n3,4',
      [
        ['a', 'b'],
        ['1', '2'],
        ['3', '4'],
      ],
    ],
    [
      'empty values',
      ',\r\n1,\r\n,2\r\n',
      [
        ['', ''],
        ['1', ''],
        ['', '2'],
      ],
    ],
    [
      'quotes',
      'a,"b, c"\r\n"d ""e""",""\r\n',
      [
        ['a', 'b, c'],
        ['d "e"', ''],
      ],
    ],
    [
      'line breaks in quotes',
      '"a\r\nb",c\n"d\n",e',
      [
        ['a\r\nb', 'c'],
        ['d\n', 'e'],
      ],
    ],
    ['a quote within a value', '5" disk,6"\n', [['5" disk', '6"']]],
    [
      'a byte order mark, which is a character further on',
      '\uFEFFa,b\n\uFEFF1,2\n',
      [
        ['a', 'b'],
        ['\uFEFF1', '2'],
      ],
    ],
    [
      'empty lines',
      '\na,b\n\r\n1,2\n\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'semicolons',
      'a;"b,c"\n1,5;2\n',
      [
        ['a', 'b,c'],
        ['1,5', '2'],
      ],
    ],
    ['tabs', 'a\tb, c\td\n', [['a', 'b, c', 'd']]],
    ['one column', 'a\nb\n', [['a'], ['b']]],
    ['nothing', '', []],
  ])('reads %s, in chunks of any size', (_, text, records) => {
    expect(recordsOf(text)).toEqual(records);
    for (const size of [1, 2, 3, 5]) expect(recordsOf(text, size)).toEqual(records);
  });

  it('refuses a quote without an end, and says where', () => {
    expect(() => recordsOf('a,b\n1,"2\n3,4\n')).toThrow(
      expect.objectContaining({
        code: 'InvalidInput',
        message: expect.stringContaining(
          'Record 2 of the CSV has a quote without an end (line 2).',
        ) as string,
      }),
    );
  });

  it('refuses a record that goes on and on, before it is all in memory', () => {
    const reader = new CsvReader();
    reader.push('a\n"');
    const chunk = 'x'.repeat(1 << 20);

    expect(() => {
      for (let chunks = 0; chunks < 6; chunks++) reader.push(chunk);
    }).toThrow('Record 2 of the CSV is longer than 4194304 characters');
  });
});
