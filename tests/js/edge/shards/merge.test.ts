import { describe, expect, it } from 'vitest';

import { mergePages, type AskShard } from '../../../../js/src/edge/shards/merge.js';
import { isBefore, type Key } from '../../../../js/src/edge/shards/token.js';

const keyOf = (text: string): Key => ({ partitionKey: text, rowKey: '' });

/** Shards with these keys, in order. `most` is the longest page that a shard sends. */
function shardsWith(keys: readonly (readonly string[])[], most = 1000) {
  const asked: string[] = [];
  const ask: AskShard = (shard, top, from) => {
    asked.push(`${shard}: ${top} from ${from?.partitionKey ?? 'the start'}`);
    const rest = keys[shard]!.filter((key) => !from || !isBefore(keyOf(key), from));
    const page = rest.slice(0, Math.min(top, most));
    const next = rest[page.length];
    return Promise.resolve({
      entities: page,
      keys: page.map(keyOf),
      next: next === undefined ? undefined : keyOf(next),
    });
  };
  return { ask, asked };
}

const letters = 'abcdefghijklmnopqrstuvwxyz'.split('');
const dealt = (shards: number) =>
  Array.from({ length: shards }, (_, shard) => letters.filter((__, at) => at % shards === shard));

describe('merged pages', () => {
  it('are in key order, and end with the key of the next entity', async () => {
    for (const top of [1, 5, 25]) {
      const { ask } = shardsWith(dealt(4));
      const { entities, next } = await mergePages(4, top, ask);

      expect(entities).toEqual(letters.slice(0, top));
      expect(next).toEqual(keyOf(letters[top]!));
    }
  });

  it('have no key at the end if they are complete', async () => {
    for (const top of [26, 1000]) {
      const { ask } = shardsWith(dealt(3));

      expect(await mergePages(3, top, ask)).toEqual({ entities: letters, next: undefined });
    }
  });

  it('order keys by UTF-16 code units, and rows after partitions', async () => {
    const pages = [['\u{1F600}'], ['\uFFFD'], ['a']];
    const { ask } = shardsWith(pages);

    expect((await mergePages(3, 10, ask)).entities).toEqual(['a', '\u{1F600}', '\uFFFD']);
    expect(isBefore({ partitionKey: 'a', rowKey: 'z' }, { partitionKey: 'b', rowKey: 'a' })).toBe(
      true,
    );
    expect(isBefore({ partitionKey: 'a', rowKey: 'z' }, { partitionKey: 'a', rowKey: 'a' })).toBe(
      false,
    );
  });

  it('ask a shard again only for what is missing', async () => {
    const all = Array.from({ length: 1000 }, (_, at) => `${at}`.padStart(4, '0'));
    const { ask, asked } = shardsWith([all, [], [], [], [], [], [], []]);

    expect((await mergePages(8, 1000, ask)).entities).toEqual(all);
    // 8 first pages, then pages that double: 160, 320, 640.
    expect(asked.length).toBeLessThanOrEqual(8 + 3);
    const { ask: even, asked: evenly } = shardsWith(
      Array.from({ length: 8 }, (_, shard) => all.filter((__, at) => at % 8 === shard)),
    );
    await mergePages(8, 1000, even);
    expect(evenly).toHaveLength(8);
  });

  it('end where a shard has sent less than it was asked for', async () => {
    const { ask, asked } = shardsWith(
      [
        ['a', 'c', 'e', 'g'],
        ['b', 'd', 'f', 'h'],
      ],
      2,
    );

    const { entities, next } = await mergePages(2, 100, ask);
    expect(entities).toEqual(['a', 'b', 'c', 'd']);
    expect(next).toEqual(keyOf('e'));
    expect(asked).toHaveLength(2);
  });

  it('end early if entities are long, and ask later shards for fewer of them', async () => {
    const long = 'x'.repeat(2 ** 20);
    const asked: number[] = [];
    const ask: AskShard = (shard, top) => {
      asked.push(top);
      // A shard sends at most 4 MiB and an entity.
      const count = Math.min(top, 5);
      const keys = Array.from({ length: count }, (_, at) => keyOf(`${at}-${shard}`));
      return Promise.resolve({ entities: keys.map(() => long), keys, next: keyOf('9') });
    };

    const { entities, next } = await mergePages(64, 1000, ask);
    expect(entities.length).toBeLessThanOrEqual(5);
    expect(next).toBeDefined();
    expect(asked[0]).toBeGreaterThan(20);
    expect(asked.at(-1)).toBe(1);
  });

  it('fail with the first failure of a shard', async () => {
    const failing: AskShard = (shard) => Promise.reject(new Error(`shard ${shard}`));

    await expect(mergePages(3, 10, failing)).rejects.toThrow('shard 0');
  });
});
