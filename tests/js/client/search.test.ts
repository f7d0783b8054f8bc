import { beforeEach, describe, expect, it } from 'vitest';

import type { TableClient } from '../../../js/src/client/table-client.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { defineTable, t } from '../../../js/src/schema.js';
import { openForTest, openTable } from '../support/accounts.js';
import { errorCode, tableError } from '../support/rejection.js';
import { STORAGES } from '../support/storages.js';

type Found = Awaited<ReturnType<TableClient['search']>>;

const keysOf = (found: Found) => found.map(({ entity }) => entity.rowKey).join();

describe.each(STORAGES)('a search over $adapter storage', ({ open }) => {
  let table: TableClient;

  beforeEach(async () => {
    table = await openTable({ storage: open() });
    const texts = {
      a: 'Buy milk and bread',
      b: 'The bread is stale.',
      c: 'MILK, bread!',
      d: 'Crème brûlée, and a loaf of breadfruit',
      e: '東京都の天気',
    };
    for (const [rowKey, text] of Object.entries(texts)) {
      await table.createEntity({ partitionKey: 'p', rowKey, text, length: text.length });
    }
    await table.createEntity({ partitionKey: 'p', rowKey: 'f', text: 7 });
  });

  it('finds texts with all words, the best first', async () => {
    const found = await table.search('text', 'bread milk');

    expect(keysOf(found)).toBe('c,a');
    expect(found[0]!.score).toBeGreaterThan(found[1]!.score);
    expect(found[0]!.entity).toMatchObject({ text: 'MILK, bread!', length: 12 });
    expect(keysOf(await table.search('text', 'bread milk stale'))).toBe('');
  });

  it('returns the types of all properties if they are asked for', async () => {
    const typed = {
      ...{ text: 'typed', whole: 5, double: { type: 'Double', value: 5 }, chip: 2n ** 53n + 1n },
      ...{ good: true, born: new Date('2024-01-02T03:04:05.678Z'), photo: Uint8Array.of(0, 255) },
      precise: { type: 'DateTime', value: '2024-01-02T03:04:05.6789012Z' },
      id: { type: 'Guid', value: '9d3a4d1e-0c1b-4f1e-9d5f-000000000001' },
    } as const;
    await table.createEntity({ partitionKey: 'p', rowKey: 'z', ...typed });

    const [found] = await table.search('text', 'typed', { typed: true });

    expect(found!.entity).toMatchObject({
      ...{ partitionKey: 'p', rowKey: 'z', text: { type: 'String', value: 'typed' } },
      ...{ whole: { type: 'Int32', value: 5 }, double: typed.double },
      ...{ chip: { type: 'Int64', value: 2n ** 53n + 1n }, good: { type: 'Boolean', value: true } },
      born: { type: 'DateTime', value: typed.born },
      photo: { type: 'Binary', value: typed.photo },
      ...{ precise: typed.precise, id: typed.id },
    });
    expect(found!.entity).toEqual(await table.getEntity('p', 'z', { typed: true }));
    const select = ['whole', 'none', 'etag'];
    const [part] = await table.search('text', 'typed', { typed: true, select });
    expect(part!.entity).toEqual(await table.getEntity('p', 'z', { typed: true, select }));
    const wrong = table.search('text', 'typed', { disableTypeConversion: true } as never);
    expect((await tableError(wrong)).message).toContain(
      'search has no option disableTypeConversion. It takes filter, select, ',
    );
  });

  it('finds other spellings, beginnings of words, and words without spaces', async () => {
    expect(keysOf(await table.search('text', 'CREME brulee'))).toBe('d');
    expect(keysOf(await table.search('text', 'stale breadf*', { match: 'any' }))).toBe('b,d');
    expect(keysOf(await table.search('text', '東京'))).toBe('e');
    expect(keysOf(await table.search('text', '天'))).toBe('e');
    expect(keysOf(await table.search('text', '京天'))).toBe('');
    expect(keysOf(await table.search('text', ''))).toBe('');
  });

  it('takes a filter, a selection and a number of results', async () => {
    const filter = 'length gt 15';
    const [found] = await table.search('text', 'bread', { filter, select: ['length'] });

    expect(found!.entity).toMatchObject({ length: 18 });
    expect('text' in found!.entity).toBe(false);
    expect(keysOf(await table.search('text', 'bread', { filter }))).toBe('a,b');
    expect(keysOf(await table.search('text', 'bread', { top: 1 }))).toBe('c');
    const twenty = Array.from({ length: 25 }, (_, i) => [
      'create' as const,
      { partitionKey: 'q', rowKey: `${i}`, text: 'many' },
    ]);
    await table.submitTransaction(twenty as never);
    expect(await table.search('text', 'many')).toHaveLength(20);
    expect(await table.search('text', 'many', { top: 1000 })).toHaveLength(25);
  });

  it('names the option or the argument that is wrong', async () => {
    const errors = [
      () => table.search('text', 5 as never),
      () => table.search(undefined as never, 'a'),
      () => table.search('rowKey', 'a'),
      () => table.search('text', 'a', { top: 0 }),
      () => table.search('text', 'a', { match: 'some' as never }),
      () => table.search('text', 'a', { filter: 'text eq' }),
      () => table.search('text', Array.from({ length: 33 }, (_, i) => `w${i}`).join(' ')),
    ].map(async (call) => (await tableError(call())).message);

    expect(await Promise.all(errors)).toEqual([
      expect.stringContaining('The argument text of search must be a string, not 5'),
      expect.stringContaining('The argument property of search must be a string, not undefined'),
      expect.stringContaining('not a system property'),
      expect.stringContaining('top'),
      expect.stringContaining('match'),
      expect.stringContaining('filter'),
      expect.stringContaining('more than 32 different words'),
    ]);
  });
});

describe('a search of a declared table', () => {
  const Notes = defineTable('Notes', {
    partitionKey: t.string(),
    rowKey: t.string(),
    text: t.string(),
    stars: t.int32().default(1),
  });

  it('returns rows, and knows the declared texts', async () => {
    const { notes } = (await openForTest({ storage: memoryStorage(), tables: { notes: Notes } }))
      .tables;
    await notes.insert({ partitionKey: 'p', rowKey: '1', text: 'Call Ada' });

    const found = await notes.search('text', 'ada', { select: ['stars'] });
    expect(found.map(({ row }) => row.stars)).toEqual([1]);
    // @ts-expect-error -- a number has no words
    await notes.search('stars', 'ada');
    expect(await errorCode(notes.search('txt' as 'text', 'ada'))).toBe('InvalidInput');
  });
});
