import { expect, it } from 'vitest';

import { PropertyNames } from '../../../js/src/transfer/column-names.js';

it('gives columns names that the service takes, each another', () => {
  const names = new PropertyNames();
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

  expect(columns.map((column) => names.next(column))).toEqual([
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
