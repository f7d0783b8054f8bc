// types.test-d.ts - checked by the compiler alone: the types of the tables of an app.

import { expectTypeOf } from 'vitest';

import {
  avg,
  count,
  max,
  openAccount,
  sum,
  type Live,
  type TableOf,
} from '../../../js/src/index.js';
import { and, defineTable, or, t, type Infer, type InferInput } from '../../../js/src/schema.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { pets } from '../schema/pets.js';
import { pages, tasks, visits } from './tasks.js';

expectTypeOf<Infer<typeof tasks>>().toEqualTypeOf<{
  id: string;
  list: string;
  title: string;
  done: boolean;
  due?: Date;
  count: number;
  notes?: string;
}>();
expectTypeOf<InferInput<typeof tasks>>().toEqualTypeOf<{
  id?: string | undefined;
  list: string;
  title: string;
  done?: boolean | undefined;
  due?: Date | undefined;
  count?: number | undefined;
  notes?: string | undefined;
}>();

const { id, title } = tasks.properties;
// @ts-expect-error: a key has fields that are declared.
defineTable('Tasks', { id, title }, { key: 'nmae' });
// @ts-expect-error: it has two keys at most.
defineTable('Tasks', { id, title, list: title }, { key: ['list', 'title', 'id'] });
// @ts-expect-error: without a key, both keys are declared.
defineTable('Tasks', { id, title });
defineTable('Tasks', { id, title }, { key: { partition: ['title'], row: ['id'] } });

const trips = defineTable(
  'Trips',
  {
    id: t.id(),
    tags: t.array(t.string({ enum: ['a', 'b'] })),
    days: t.array(t.dateTime()).optional(),
    place: t
      .json<{ lat?: number | string; list: { n: number }[]; names: string[] | null }>()
      .nullable(),
    any: t.json(),
    notes: t.text(),
    photo: t.blob(),
  },
  { key: 'id', indexes: [['tags', 'id'], ['words(notes)']] },
);

export async function filters() {
  const { tables } = await openAccount({ storage: memoryStorage(), tables: { trips } });
  await tables.trips.list({
    where: ({ tags, days, place, any, notes, photo }) => {
      expectTypeOf(tags.has).parameter(0).toEqualTypeOf<'a' | 'b'>();
      expectTypeOf(days.hasAny).parameter(0).toEqualTypeOf<readonly Date[]>();
      expectTypeOf(place.get('list', 0).get('n').lt).parameter(0).toEqualTypeOf<number>();
      expectTypeOf(place.get('names').has).parameter(0).toEqualTypeOf<string>();
      expectTypeOf(photo).toEqualTypeOf<never>();
      // @ts-expect-error: no item is one.
      tags.has('c');
      // @ts-expect-error: it has no such member.
      place.get('list', 'n');
      // @ts-expect-error JSON as a whole is not compared
      void place.eq;
      // @ts-expect-error: an array is compared by its items.
      void tags.eq;
      const known = or(place.get('lat').eq(5), place.get('lat').startsWith('5'));
      return and(known, any.get('a', 5).get('b').gt('x'), notes.contains('x'), tags.hasAny([]));
    },
  });
}

export async function orders() {
  const { tables } = await openAccount({
    storage: memoryStorage(),
    tables: { trips, tasks, visits },
  });
  // @ts-expect-error: an array is stored in parts.
  await tables.trips.list({ orderBy: 'tags' });
  // @ts-expect-error: a long text is stored in parts.
  await tables.trips.first({ orderBy: ['id', 'notes desc'] });
  // @ts-expect-error: JSON is stored in parts.
  tables.trips.live({ orderBy: 'any' });
  // @ts-expect-error: an array is stored in parts.
  await tables.trips.aggregate({ groupBy: ['tags'], select: { number: count() } });
  // @ts-expect-error: a Blob is stored in parts.
  await tables.trips.aggregate({ select: { latest: max('photo') } });

  const select = { total: sum('count'), mean: avg('count'), latest: max('due'), n: count('notes') };
  const [group] = await tables.tasks.aggregate({ groupBy: ['list', 'year(due)'], select });
  expectTypeOf(group!.total).toEqualTypeOf<number | null>();
  expectTypeOf(group!.latest).toEqualTypeOf<Date | null>();
  await tables.tasks.list({ orderBy: ['timestamp desc', 'due', 'id'] });
  // @ts-expect-error: a text has no sum.
  await tables.tasks.aggregate({ select: { total: sum('title') } });
  // @ts-expect-error: a time has no mean.
  tables.tasks.liveAggregate({ groupBy: ['list'], select: { mean: avg('due') } });
  // @ts-expect-error: keys are stored as texts.
  await tables.visits.aggregate({ select: { total: sum('year') } });
}

export async function calls() {
  const account = await openAccount({
    storage: memoryStorage(),
    tables: { tasks, pages, visits, pets },
  });
  expectTypeOf<keyof typeof account.tables>().toEqualTypeOf<
    'tasks' | 'pages' | 'visits' | 'pets'
  >();
  const table = account.tables.tasks;
  expectTypeOf(table).toEqualTypeOf<TableOf<typeof tasks>>();

  const row = await table.insert({ list: 'home', title: 'Milk' });
  expectTypeOf(row.id).toEqualTypeOf<string>();
  expectTypeOf(row.due).toEqualTypeOf<Date | undefined>();
  expectTypeOf(row.etag).toEqualTypeOf<string>();
  // @ts-expect-error: the keys have names of their own.
  void row.partitionKey;
  // @ts-expect-error: it has no title.
  await table.insert({ list: 'home' });
  // @ts-expect-error: there is no such property.
  await table.insert({ list: 'home', title: 'Milk', nmae: '' });

  expectTypeOf(await table.get(row)).toEqualTypeOf<typeof row | undefined>();
  // @ts-expect-error: a key of two fields needs both.
  await table.get({ list: 'home' });
  // @ts-expect-error: a key of two fields is no text.
  await table.get('home');
  await account.tables.pages.get('a');
  await account.tables.pages.get({ url: 'a' });
  // @ts-expect-error: the url is a text.
  await account.tables.pages.get(5);
  await account.tables.pets.get({ partitionKey: 'dogs', rowKey: 'ada' });
  const at = new Date();
  await account.tables.visits.get({ owner: 'a', year: 1, kind: 'x', at, serial: 1n });

  const part = await table.get(row, { select: ['title', 'due'] });
  expectTypeOf(part!).toEqualTypeOf<{
    id: string;
    list: string;
    title: string;
    due?: Date;
    etag: string;
  }>();
  // @ts-expect-error: there is no such property.
  await table.get(row, { select: ['nmae'] });

  await table.list({ where: ({ list, done }) => and(list.eq('home'), done.eq(false)) });
  await table.list({ where: "list eq 'home'", orderBy: ['due desc', 'title'], limit: 5 });
  // @ts-expect-error: there is no such property.
  await table.list({ where: ({ nmae }) => nmae.eq('x') });
  // @ts-expect-error: there is no such property.
  await table.list({ orderBy: 'nmae' });
  // @ts-expect-error: that is an option of the official client.
  await table.list({ filter: "list eq 'home'" });

  await table.update(row, { done: true, due: null, notes: undefined });
  await table.update(row, ({ count }) => ({ count: count + 1 }), { ifUnchanged: row });
  // @ts-expect-error: every row has a title.
  await table.update(row, { title: null });
  // @ts-expect-error: keys do not change.
  await table.update(row, { list: 'work' });
  await table.upsert({ list: 'home', id: 'x', done: true, due: null });
  await table.upsert({ ...row, done: true });
  // @ts-expect-error: an upsert names its row.
  await table.upsert({ list: 'home', done: true });
  expectTypeOf(await table.delete(row)).toEqualTypeOf<boolean>();
  // @ts-expect-error: a variable without a value must not delete all rows.
  await table.deleteMany({});
  await table.updateMany({ where: 'true', set: ({ count }) => ({ count: count + 1 }) });
  // @ts-expect-error: keys do not change.
  await table.updateMany({ where: 'true', set: { list: 'x' } });

  const live = table.live({ where: ({ done }) => done.eq(false), select: ['title'] });
  expectTypeOf(live.getSnapshot()[0]!.title).toEqualTypeOf<string>();
  live.update({ where: ({ done }) => done.eq(true), limit: 5 });
  // @ts-expect-error: that is an option of the official client.
  live.update({ filter: 'true' });
  expectTypeOf(table.liveCount()).toExtend<Live<number, never>>();
  table.subscribe({}, ({ deleted }) => {
    expectTypeOf(deleted[0]!).toExtend<{ id: string; list: string; etag: string }>();
  });

  const plain = await openAccount({ storage: memoryStorage() });
  // @ts-expect-error: it has no declared tables.
  void plain.tables.tasks;
}
