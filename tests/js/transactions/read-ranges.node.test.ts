import { expect, it } from 'vitest';

import { ReadRanges } from '../../../js/src/transactions/read-ranges.js';

it('keeps ranges one after another, until there are many', () => {
  const ranges = new ReadRanges();
  ranges.add('A', Uint8Array.of(1, 2));
  ranges.add('B', Uint8Array.of(3));
  ranges.add('A', Uint8Array.of(4));

  expect(ranges.bytes).toEqual(Uint8Array.of(1, 2, 3, 4));
  expect(ranges.tables).toEqual(['A', 'B']);
  expect(ranges.areMany).toBe(false);
  ranges.add('A', new Uint8Array(70_000));
  expect(ranges.areMany).toBe(true);
});

it('needs no ranges within tables that it has as a whole', () => {
  const ranges = new ReadRanges();
  ranges.add('A', new Uint8Array(70_000));

  ranges.replace(new Map([['A', Uint8Array.of(7)]]));
  ranges.add('A', Uint8Array.of(1));
  ranges.add('B', Uint8Array.of(2));

  expect(ranges.bytes).toEqual(Uint8Array.of(7, 2));
  expect(ranges.areMany).toBe(false);
});
