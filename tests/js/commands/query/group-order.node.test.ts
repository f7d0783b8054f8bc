import { describe, expect, it } from 'vitest';

import { parseGroupOrder, sortedGroups } from '../../../../js/src/commands/query/group-order.js';
import { count, histogram, sum } from '../../../../js/src/entity/aggregates.js';

const SELECT = { count: count(), total: sum('price'), bars: histogram('price', { bins: 3 }) };

const parse = (list: string, by: string[] = []) => parseGroupOrder(list, by, SELECT);

describe('an order of groups', () => {
  it('names columns as they are printed', () => {
    expect(
      parse('total desc, PartitionKey ,year(Timestamp) asc', [
        'partitionKey',
        'year(timestamp) desc',
      ]),
    ).toEqual([
      { name: 'total', isDescending: true },
      { name: 'partitionKey', isDescending: false },
      { name: 'year(timestamp)', isDescending: false },
    ]);
  });

  it.each([
    ['price', 'such as "count desc"; the columns are PartitionKey, count, total'],
    ['total down', 'takes columns that are printed'],
    ['total,', 'takes columns that are printed'],
    ['bars', 'takes no histogram'],
  ])('refuses "%s"', (list, message) => {
    expect(() => parse(list, ['partitionKey'])).toThrow(message);
  });
});

describe('sorted groups', () => {
  const sorted = (values: unknown[], isDescending = false) =>
    sortedGroups(
      values.map((value) => ({ value })),
      [{ name: 'value', isDescending }],
    ).map(({ value }) => value);

  // The order of docs/guides/ordered-lists.md.
  const ORDER = [
    ...[null, false, true, NaN, -Infinity, -1n, 0, 4.5, 5n],
    // A Double cannot tell these two apart.
    ...[9007199254740992, 9007199254740993n],
    ...[new Date(0), { type: 'DateTime', value: '1970-01-01T00:00:00.0000001Z' }, new Date(1)],
    ...['', 'Z', 'a', '\u{1f600}', '\uffff'],
    { type: 'Guid', value: '0b7b7a3e-52d7-4a43-9c1b-51e6f3f0c001' },
    { type: 'Guid', value: 'ab7b7a3e-52d7-4a43-9c1b-51e6f3f0c001' },
    ...[Uint8Array.of(1), Uint8Array.of(1, 0), Uint8Array.of(16)],
  ];

  it('are in the order of the store', () => {
    expect(sorted(ORDER.toReversed())).toEqual(ORDER);
    expect(sorted(ORDER, true)).toEqual(ORDER.toReversed());
  });

  it('stay in their order where they are equal, and follow each column', () => {
    const groups = [
      { kind: 'a', n: 1 },
      { kind: 'b', n: 2n },
      { kind: 'c', n: 1n },
      { kind: 'd', n: 2 },
    ];
    const kinds = (...order: Parameters<typeof sortedGroups>[1]) =>
      sortedGroups(groups, order)
        .map(({ kind }) => kind)
        .join('');

    expect(kinds({ name: 'n', isDescending: true })).toBe('bdac');
    const [n, kind] = ['n', 'kind'];
    expect(kinds({ name: n, isDescending: false }, { name: kind, isDescending: true })).toBe(
      'cadb',
    );
    expect(kinds()).toBe('abcd');
  });
});
