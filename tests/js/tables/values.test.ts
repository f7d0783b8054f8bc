// Filters and indexes over arrays, JSON and long texts.

import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';

import {
  openAccount,
  type DeclaredTables,
  type DevelopmentWarning,
} from '../../../js/src/index.js';
import { and, defineTable, not, or, t, whereExtended } from '../../../js/src/schema.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { errorCode, tableError } from '../support/rejection.js';

const GUID = 'A455C695-DF98-5678-AAAA-81D3367E5A34';
const DAY = new Date('2024-05-06T07:08:09.010Z');

interface Place {
  lat: number;
  address?: { city: string; 'zip code'?: string };
  open?: boolean;
  tags?: string[];
  stops?: { name: string; n: number }[];
}

const trips = defineTable(
  'Trips',
  {
    id: t.string(),
    tags: t.array(t.string()).default([]),
    counts: t.array(t.int32()).optional(),
    big: t.array(t.int64()).optional(),
    real: t.array(t.double()).optional(),
    days: t.array(t.dateTime()).optional(),
    guids: t.array(t.guid()).optional(),
    kinds: t.array(t.string({ enum: ['city', 'sea'] })).optional(),
    place: t.json<Place>().optional(),
    any: t.json().optional(),
    notes: t.text().optional(),
    photo: t.blob().optional(),
    year: t.int32().default(2024),
  },
  { key: 'id', indexes: [['tags'], ['counts', 'year desc'], ['words(notes)']] },
);

async function open<Tables extends DeclaredTables>(
  tables: Tables,
  developmentWarnings?: (warning: DevelopmentWarning) => void,
) {
  const storage = memoryStorage();
  const account = await openAccount({ storage, tables, developmentWarnings });
  onTestFinished(async () => {
    await account.close();
    await storage.destroy();
  });
  await account.ready;
  return account;
}

let account: Awaited<ReturnType<typeof open<{ trips: typeof trips }>>>;
let table: (typeof account)['tables']['trips'];

beforeEach(async () => {
  account = await open({ trips });
  table = account.tables.trips;
});

type Where = NonNullable<Parameters<typeof table.list>[0]>['where'];
const ids = async (where: Where) => (await table.list({ where })).map(({ id }) => id).join();
const planned = async (where: Where) => {
  const { access, index, count, entitiesExamined } = await table.explain({ where });
  return `${index ?? access}: ${count} of ${entitiesExamined}`;
};

describe('an array', () => {
  it('has items of each type', async () => {
    await table.insert({
      ...{ id: 'a', tags: ["it's", 'food'], counts: [1, 2], big: [2n ** 62n], real: [0.5, 3] },
      ...{ days: [DAY], guids: [GUID], kinds: ['sea'] },
    });
    await table.insert({ id: 'b', tags: ['food'], counts: [] });

    expect(await ids(({ tags }) => tags.has("it's"))).toBe('a');
    expect(await ids(({ tags }) => tags.has('food'))).toBe('a,b');
    expect(await ids(({ tags }) => tags.hasAny(['none', 'food']))).toBe('a,b');
    expect(await ids(({ tags }) => tags.hasAny([]))).toBe('');
    expect(await ids(({ tags }) => and(tags.has('food'), not(tags.has("it's"))))).toBe('b');
    expect(await ids(({ counts }) => counts.has(2))).toBe('a');
    expect(await ids(({ big }) => big.has(2n ** 62n))).toBe('a');
    expect(await ids(({ big }) => big.has(2n ** 62n - 1n))).toBe('');
    expect(await ids(({ real }) => real.hasAny([0.5, 7]))).toBe('a');
    expect(await ids(({ real }) => real.has(3))).toBe('a');
    expect(await ids(({ days }) => days.has(new Date(DAY)))).toBe('a');
    expect(await ids(({ guids }) => guids.has(GUID.toLowerCase()))).toBe('a');
    expect(await ids(({ guids }) => guids.has(GUID))).toBe('a');
    expect(await ids(({ kinds }) => kinds.has('sea'))).toBe('a');
    expect(await ids("tags/any(x:x eq 'it''s') and id eq 'a'")).toBe('a');
  });

  it('is found by its index through every kind of write', async () => {
    await table.insertMany(
      Array.from({ length: 50 }, (_, i) => ({ id: `${100 + i}`, tags: [`t${i}`, 'all'] })),
    );
    expect(await planned(({ tags }) => tags.has('t7'))).toBe('items(tags): 1 of 1');
    expect(await planned(({ tags }) => tags.hasAny(['t7', 't8']))).toBe('items(tags): 2 of 2');
    await table.update({ id: '107' }, (row) => ({ tags: [...row.tags, 'new'] }));
    await table.updateMany({ where: ({ tags }) => tags.has('t8'), set: { tags: ['new', 'x'] } });
    await table.deleteMany({ where: ({ tags }) => tags.has('t9') });
    await table.put({ id: '110', tags: ['new'] });

    expect(await ids(({ tags }) => tags.has('new'))).toBe('107,108,110');
    expect(await planned(({ tags }) => tags.has('new'))).toBe('items(tags): 3 of 3');
    expect(await planned(({ tags }) => tags.hasAny(['t8', 't9', 't10']))).toBe(
      'items(tags): 0 of 0',
    );
  });

  it('may be the first part of an index with others', async () => {
    for (const year of [2022, 2023, 2024]) await table.insert({ id: `${year}`, counts: [1], year });

    expect(await planned(({ counts, year }) => and(counts.has(1), year.ge(2023)))).toBe(
      'items(counts),year desc: 2 of 2',
    );
  });

  it('of 1,001 items is found, too', async () => {
    const tags = Array.from({ length: 1001 }, (_, i) => `t${i}`);
    await table.insert({ id: 'a', tags });
    await table.insert({ id: 'b', tags: ['t1000'] });

    expect(await ids(({ tags: all }) => all.has('t1000'))).toBe('a,b');
    expect(await planned(({ tags: all }) => all.has('t5'))).toBe('items(tags): 1 of 1');
  });

  it('of several parts counts as a whole', async () => {
    await table.insert({ id: 'a', tags: [...Array<string>(9000).fill('abc'), 'last'] });
    expect(Object.keys(await account.tableClient('Trips').getEntity('all', 'a'))).toContain(
      'tags_2',
    );

    expect(await ids(({ tags }) => tags.has('last'))).toBe('a');
  });
});

describe('JSON', () => {
  beforeEach(async () => {
    const stops = [{ name: 'Rome', n: 1 }];
    const address = { city: 'Rome', 'zip code': '00184' };
    await table.insert({ id: 'a', place: { lat: 41.9, address, open: true, stops } });
    await table.insert({ id: 'b', place: { lat: 60, tags: ['far'] }, any: ['x', { y: 5 }] });
    await table.insert({ id: 'c' });
  });

  it('is compared by what is at a path', async () => {
    expect(await ids(({ place }) => place.get('lat').gt(50))).toBe('b');
    expect(await ids(({ place }) => place.get('lat').le(41.9))).toBe('a');
    expect(await ids(({ place }) => place.get('address', 'city').eq('Rome'))).toBe('a');
    expect(await ids(({ place }) => place.get('address').get('zip code').startsWith('001'))).toBe(
      'a',
    );
    expect(await ids(({ place }) => place.get('open').eq(true))).toBe('a');
    expect(await ids(({ place }) => place.get('tags').has('far'))).toBe('b');
    expect(await ids(({ place }) => place.get('stops', 0).get('name').contains('om'))).toBe('a');
    expect(await ids(({ any }) => any.get(1, 'y').eq(5))).toBe('b');
    expect(await ids(({ any }) => any.has('x'))).toBe('b');
    // What is not there, or of another type, fits no condition.
    expect(await ids(({ place }) => place.get('open').ne(true))).toBe('');
    expect(await ids(({ any }) => or(any.get('lat').eq(5), any.get(1, 'y').eq('5')))).toBe('');
    expect(await ids("place/stops/any(s:s/name eq 'Rome' and s/n lt 2)")).toBe('a');
  });

  it('is followed, counted and summed by the same filters', async () => {
    const live = table.liveCount({ where: ({ place }) => place.get('lat').gt(50) });
    const seen: number[] = [];
    for await (const count of live) {
      seen.push(count);
      if (seen.length === 1) await table.insert({ id: 'd', place: { lat: 70 } });
      if (seen.length === 2) break;
    }
    expect(seen).toEqual([1, 2]);
    expect(await table.count({ where: ({ place }) => place.get('lat').gt(50) })).toBe(2);
  });
});

describe('a text in parts', () => {
  const long = `${'x'.repeat(32_766)}mi`;

  beforeEach(async () => {
    await table.insert({ id: 'a', notes: `${long}lk and bread` });
    await table.insert({ id: 'b', notes: 'milk' });
  });

  it('is compared as a whole', async () => {
    expect(await ids(({ notes }) => notes.contains('milk'))).toBe('a,b');
    expect(await ids(({ notes }) => notes.endsWith('bread'))).toBe('a');
    expect(await ids(({ notes }) => notes.startsWith('mi'))).toBe('b');
    expect(await ids(({ notes }) => notes.eq('milk'))).toBe('b');
    expect(await ids("contains(whole(notes),'milk')")).toBe('a,b');
  });

  it('is searched as a whole, by its index', async () => {
    const found = await table.search('notes', 'bread');
    expect(found.map(({ row }) => row.id)).toEqual(['a']);
    expect(await table.search('notes', 'lk')).toEqual([]);
    await table.update({ id: 'a' }, { notes: 'short' });
    expect(await table.search('notes', 'bread')).toEqual([]);
  });

  it('of which a part is missing fits nothing', async () => {
    await account
      .tableClient('Trips')
      .updateEntity({ partitionKey: 'all', rowKey: 'a', notes: `${long}` }, 'Replace');
    expect(await ids(({ notes }) => notes.contains('mi'))).toBe('b');
  });
});

describe('a filter of a table', () => {
  it('refuses what a value cannot be', async () => {
    const refused: Where[] = [
      ({ tags }) => tags.has(5 as never),
      ({ counts }) => counts.has(1.5),
      ({ big }) => big.has(5 as never),
      ({ tags }) => tags.hasAny('food' as never),
      ({ place }) => place.get('lat').gt(NaN),
      ({ place }) => place.get('lat').eq({} as never),
      ({ notes }) => notes.contains(undefined as never),
      ({ photo }) => photo as never,
    ];
    for (const where of refused)
      expect(await errorCode(table.list({ where }))).toBe('InvalidInput');
    const error = await tableError(table.list({ where: ({ photo }) => photo as never }));
    expect(error.message).toContain('"photo" is stored in parts, which no filter can read.');
  });

  it('for the service has no values in parts, and says so', () => {
    for (const name of ['tags', 'place', 'notes'] as const) {
      expect(() => trips.where((operands) => operands[name])).toThrow(
        /in parts, which only account\.tables and whereExtended can read/,
      );
    }
  });

  it('is built by whereExtended, too, beside keys of any names', async () => {
    const points = defineTable(
      'Points',
      { x: t.int32(), list: t.string(), tags: t.array(t.string()), at: t.json<{ list: number }>() },
      { key: ['x', 'list'] },
    );
    const client = (await account.openTables({ points })).points;
    await client.insert({ x: 1, list: 'a', tags: ['t'], at: { list: 5 } });
    await client.insert({ x: 2, list: 'a', tags: ['t'], at: { list: 5 } });

    const { filter } = whereExtended(points, ({ tags, list, at }) =>
      and(list.eq('a'), tags.has('t'), at.get('list').eq(5)),
    );
    expect(await client.list({ where: filter })).toHaveLength(2);
    const notes = whereExtended(trips, ({ notes: text }) => text.toLower().contains('x'));
    expect(notes.filter).toBe("contains(tolower(whole(notes)),'x')");
  });
});

describe('in development', () => {
  it('a list of more than 10,000 rows without a limit, and a scan where an index would do, warn', async () => {
    const warnings: DevelopmentWarning[] = [];
    const logs = defineTable('Logs', { id: t.string(), year: t.int32() }, { key: 'id' });
    const { tables } = await open({ logs }, (warning) => warnings.push(warning));
    await tables.logs.insertMany(
      Array.from({ length: 10_001 }, (_, i) => ({ id: `${i}`, year: i })),
    );

    expect(await tables.logs.list({ limit: 10_001 })).toHaveLength(10_001);
    expect(warnings).toEqual([]);
    await tables.logs.list();
    await tables.logs.count({ where: ({ year }) => year.eq(5) });
    await expect.poll(() => warnings.length, { timeout: 20_000 }).toBe(2);
    const [list, scan] = warnings;
    expect(list).toMatchObject({ code: 'long-list', table: 'Logs' });
    expect(list!.message).toContain('has 10001 rows');
    expect(scan).toMatchObject({ code: 'table-scan', table: 'Logs', filter: 'year eq 5' });
    expect(scan!.message).toContain("Declare an index: indexes: [['year']].");
  });
});
