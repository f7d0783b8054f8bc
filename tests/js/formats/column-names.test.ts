import { beforeAll, describe, expect, it } from 'vitest';

import { nameRule, propertyNames, type IsName } from '../../../js/src/formats/column-names.js';
import { loadValidator } from '../../../js/src/index.js';

let isName: IsName;

beforeAll(async () => {
  isName = nameRule(await loadValidator());
});

describe('names for columns', () => {
  it('are taken by the service, each another', () => {
    const columns = [
      'Unit price (€)',
      'unit-price',
      'Unit price',
      '1st',
      'Größe',
      '日付',
      '_id',
      'Größe (€)',
      '%',
    ];

    expect(propertyNames(columns, isName)).toEqual([
      'Unit_price',
      'unit_price',
      'Unit_price_2',
      '_1st',
      'Größe',
      '日付',
      '_id',
      'Große',
      '_',
    ]);
  });

  it('are those of the file, wherever the service takes them', () => {
    // The last three: a letter that is a number, one that joins, and one that is not shown.
    const names = ['rowKey', 'ROWKEY', 'timestamp', '__proto__', 'Ⅷ', 'a‿b', 'a\u200db'];

    expect(propertyNames(['Row key', 'timestamp!', ...names], isName)).toEqual([
      'Row_key',
      'timestamp_2',
      ...names,
    ]);
    expect(propertyNames(['RowKey', 'Timestamp', 'a b', 'a_b'], isName)).toEqual([
      'RowKey_2',
      'Timestamp_2',
      'a_b_2',
      'a_b',
    ]);
  });

  it('are neither too long nor of letters that the service does not have', () => {
    const long = 'x'.repeat(300);
    const names = propertyNames([long, `${long}y`, '\u{10400}', '\u{10400}\u{10401}'], isName);

    expect(names.map((name) => name.length)).toEqual([255, 255, 2, 4]);
    expect(new Set(names).size).toBe(4);
    expect(names.filter((name) => !isName(name))).toEqual([]);
  });
});
