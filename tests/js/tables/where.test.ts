// Filters of the tables of an app: lists of values, and functions of plain texts.

import { expect, it, onTestFinished } from 'vitest';

import { openAccount } from '../../../js/src/index.js';
import { and, type Condition, defineTable, not, or, t } from '../../../js/src/schema.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';

type Any = never;

const friends = defineTable(
  'Friends',
  {
    city: t.string(),
    name: t.string(),
    age: t.int32(),
    about: t.string().optional(),
    notes: t.text().optional(),
    place: t.json<{ floor: number }>().optional(),
  },
  { key: ['city', 'name'], indexes: [['age']] },
);
const visits = defineTable(
  'Visits',
  { owner: t.string(), year: t.int32(), day: t.int32() },
  { key: { partition: ['owner', 'year'], row: ['day'] } },
);

async function open() {
  const tables = { friends, visits };
  const account = await openAccount({ storage: memoryStorage(), tables });
  await account.ready;
  onTestFinished(() => account.close());
  await account.tables.friends.insertMany([
    { city: 'Oslo', name: 'Ann', age: 30, about: "likes it's", notes: 'long', place: { floor: 1 } },
    { city: 'Oslo', name: 'Bob', age: 40, about: 'likes tea', notes: 'short' },
    { city: 'Rome', name: 'Cleo', age: 50, place: { floor: 3 } },
    { city: 'A/B', name: 'Dan', age: 60 },
  ]);
  await account.tables.visits.insertMany([5, 6, 7].map((year) => ({ owner: 'ann', year, day: 1 })));
  type Where = NonNullable<NonNullable<Parameters<typeof account.tables.friends.list>[0]>['where']>;
  const names = async (where: Where) =>
    (await account.tables.friends.list({ where })).map(({ name }) => name).join();
  return { ...account.tables, names };
}

it('finds rows with one of several values', async () => {
  const { names, friends: table, visits: years } = await open();

  expect(await names(({ age }) => age.in([30, 50, 70]))).toBe('Ann,Cleo');
  expect(await names(({ city }) => city.in(['Rome', 'A/B']))).toBe('Dan,Cleo');
  expect(await names(({ city, name }) => and(city.eq('Oslo'), name.in(['Bob', 'Cleo'])))).toBe(
    'Bob',
  );
  expect(await names(({ notes }) => notes.in(['long', 'other']))).toBe('Ann');
  expect(await names(({ place }) => place.get('floor').in([2, 3]))).toBe('Cleo');
  expect(await names(({ age }) => age.in([]))).toBe('');
  expect(await names(({ age }) => not(age.in([])))).toBe('Dan,Ann,Bob,Cleo');
  const found = await years.list({ where: ({ owner }) => owner.in(['ann', 'bob']) });
  expect(found.map(({ year }) => year)).toEqual([5, 6, 7]);

  const { index } = await table.explain({ where: ({ age }) => age.in([30, 50]) });
  expect(index).toBeDefined();
});

it('finds parts of plain texts', async () => {
  const { names } = await open();

  expect(await names(({ about }) => about.contains('likes'))).toBe('Ann,Bob');
  expect(await names(({ about }) => about.endsWith("it's"))).toBe('Ann');
  expect(await names(({ city }) => city.contains('s'))).toBe('Ann,Bob');
});

it('says what is no list, and what is no text on its own', async () => {
  const { names, friends: friendsOf, visits: years } = await open();

  await expect(names(({ age }) => age.in('30' as Any))).rejects.toThrow('in takes an array');
  await expect(names(({ age }) => age.in(['30' as Any]))).rejects.toThrow('"age" is Int32');
  await expect(names(({ place }) => place.get('floor').in(5 as Any))).rejects.toThrow(
    'in takes an array',
  );
  await expect(names(({ about }) => about.contains(5 as Any))).rejects.toMatchObject({
    code: 'InvalidInput',
  });
  await expect(names(({ place }) => place.get(undefined as Any) as Any)).rejects.toThrow(
    'get takes names and numbers, not undefined',
  );
  await expect(friendsOf.getMany({ city: 'Oslo', name: 'Ann' } as Any)).rejects.toThrow(
    'getMany takes an array',
  );
  await expect(friendsOf.update(['Oslo', 'Ann'] as Any, NaN as Any)).rejects.toMatchObject({
    code: 'InvalidInput',
  });
  await expect(years.list({ where: ({ owner }) => owner.contains('a') })).rejects.toThrow(
    '"owner" is compared with a value, and has no other use',
  );
});

it('joins any number of conditions, and none', async () => {
  const names = defineTable('Names', { id: t.string(), age: t.int32() }, { key: 'id' });
  const account = await openAccount({ storage: memoryStorage(), tables: { names } });
  onTestFinished(() => account.close());
  const table = account.tables.names;
  for (const [age, id] of [...'abc'].entries()) await table.insert({ id, age });
  const fits = async (conditions: (age: { eq(value: number): Condition }) => Condition) =>
    (await table.list({ where: ({ age }) => conditions(age) })).map(({ id }) => id).join('');

  expect(await fits(() => and())).toBe('abc');
  expect(await fits(() => or())).toBe('');
  expect(await fits(() => not(and()))).toBe('');
  expect(await fits(() => not(or()))).toBe('abc');
  expect(await fits((age) => and(...[1].map((one) => age.eq(one))))).toBe('b');
  expect(await fits((age) => or(...[0, 2].map((one) => age.eq(one))))).toBe('ac');
  expect(await fits((age) => and(and(), age.eq(1), or(age.eq(1), or())))).toBe('b');
  expect(await fits((age) => or(and(), age.eq(1)))).toBe('abc');
  expect(await table.list({ where: ({ id }) => and(id.eq('a'), and()) })).toHaveLength(1);
  expect(names.where(() => and())).toBe("PartitionKey ge ''");
  // An empty list must not delete everything.
  await expect(table.deleteMany({ where: () => and() })).rejects.toMatchObject({
    code: 'InvalidInput',
  });
  expect(await table.count()).toBe(3);
});
