import { describe, expect, it } from 'vitest';

import { shardOf } from '../../../../js/src/edge/shards/shard-of.js';

describe('the shard of a partition', () => {
  // Computed by another program from the formula in docs/internals/shards.md.
  it.each([
    ['pets', '', [0, 1, 2, 5, 676]],
    ['pets', 'dogs', [0, 1, 3, 6, 776]],
    ['pets', 'cats', [0, 0, 0, 0, 85]],
    ['customers', '日本', [0, 1, 3, 6, 833]],
    ['customers', 'a b/é', [0, 1, 2, 4, 534]],
    ['logs', '😀', [0, 1, 3, 7, 897]],
  ])('of %s, %j is always the same', (table, partition, expected) => {
    expect([1, 2, 4, 8, 1000].map((shards) => shardOf(table, partition, shards))).toEqual(expected);
  });

  it.each([2, 8, 64, 256])('is one of %d, each about as often', (shards) => {
    const keys = 1000 * shards;
    const counts = new Array<number>(shards).fill(0);
    for (let at = 0; at < keys; at++) counts[shardOf('pets', `user-${at}`, shards)]!++;

    // Five standard deviations of a fair draw.
    const most = 5 * Math.sqrt(1000);
    expect(Math.max(...counts)).toBeLessThan(1000 + most);
    expect(Math.min(...counts)).toBeGreaterThan(1000 - most);
  });

  it('splits each shard in two if there are twice as many', () => {
    for (let at = 0; at < 1000; at++) {
      expect(shardOf('pets', `${at}`, 8) >> 1).toBe(shardOf('pets', `${at}`, 4));
    }
  });
});
