// The rows of docs/migrate/from-dexie.md: what is in both columns does the same to the same data.

import Dexie, { liveQuery, type Table } from 'dexie';
import { expect, it, onTestFinished, vi } from 'vitest';

import page from '../../../docs/migrate/from-dexie.md?raw';
import { openAccount } from '../../../js/src/index.js';
import { and, defineTable, or, t } from '../../../js/src/schema.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { freshDexie } from './dexie-database.js';

const ada = { id: 1, name: 'Ada', age: 36, city: 'Porto', tags: ['chess', 'work'] };
const FRIENDS = [
  ada,
  { id: 2, name: 'Bo', age: 41, city: 'Oslo', tags: ['chess'] },
  { id: 3, name: 'alan', age: 29, city: 'Oslo', tags: [] },
  { id: 4, name: 'Agnes', age: 52, city: 'Utrecht', tags: ['work'] },
  { id: 5, name: 'Cy', age: 47, tags: [] },
];
const eve = { id: 6, name: 'Eve', age: 33, city: 'Oslo', tags: ['new'] };
const finn = { ...eve, id: 7, name: 'Finn', age: 63 };
const rex = { id: 1, name: 'Rex' };

const friends = defineTable(
  'Friends',
  {
    id: t.int32(),
    name: t.string(),
    age: t.int32(),
    city: t.string().optional(),
    tags: t.array(t.string()).default([]),
    photo: t.blob().optional(),
  },
  { key: 'id', indexes: [['name'], ['age'], ['city', 'age'], ['tags']] },
);
const pets = defineTable('Pets', { id: t.int32(), name: t.string() }, { key: 'id' });

type Database = Dexie & { friends: Table; pets: Table };
type Log = (entry: unknown) => void;

/** The same data in both, and a function for each that runs the code of a cell. */
async function setUp() {
  const db = freshDexie({
    friends: 'id, name, age, city, [city+age], *tags',
    pets: 'id',
  }) as Database;
  await db.friends.bulkAdd(FRIENDS);
  const account = await openAccount({ storage: memoryStorage(), tables: { friends, pets } });
  onTestFinished(() => account.close());
  await account.tables.friends.insertMany(FRIENDS);
  const shared = { ada, eve, finn, rex, and, or, liveQuery };
  return {
    db,
    account,
    dexie: runner({ ...shared, db }),
    ours: runner({ ...shared, ...account.tables, account }),
  };
}

function runner(names: object) {
  const AsyncFunction = (async () => {}).constructor as new (
    ...given: string[]
  ) => (...given: unknown[]) => Promise<unknown>;
  return async (code: string, log: Log = () => undefined) => {
    const list: unknown[] = [];
    const given = { ...names, log, names: list };
    // What goes through rows has no value, but collects some.
    const statement = code.startsWith('for ') ? code : `await ${code}`;
    const body = code.includes('names.push') ? `${statement}; return names` : `return ${code}`;
    return await new AsyncFunction(...Object.keys(given), body)(...Object.values(given));
  };
}

/** The rows of the table under a heading. */
function rowsUnder(heading: string): [string, string][] {
  const section = page.split(`\n### ${heading}\n`)[1]!.split(/\n#+ /)[0]!;
  return [...section.matchAll(/^\| `(.*)` \| `(.*)` \|$/gm)].map(([, one, other]) => [
    one!,
    other!,
  ]);
}

/** Values without what the other side has not: etags, times, and properties that are undefined. */
async function plain(value: unknown): Promise<unknown> {
  if (value instanceof Blob) return [value.type, await value.text()];
  if (Array.isArray(value)) return await Promise.all(value.map(plain));
  if (typeof value !== 'object' || value === null) return value;
  const { etag: _, timestamp: __, ...row } = value as Record<string, unknown>;
  const entries = Object.entries(row).filter(([, member]) => member !== undefined);
  return Object.fromEntries(
    await Promise.all(entries.map(async ([name, member]) => [name, await plain(member)])),
  ) as object;
}

type Setting = Awaited<ReturnType<typeof setUp>>;

/** Everything that both have stored. */
const contents = async ({ db, account: { tables } }: Setting) => ({
  dexie: await plain([await db.friends.toArray(), await db.pets.toArray()]),
  ours: await plain([await tables.friends.list(), await tables.pets.list()]),
});

it('has a row for each call', () => {
  const rows = ['Write', 'Read', 'Arrays', 'Follow', 'Hooks'].flatMap(rowsUnder);

  expect(rows).toHaveLength(page.match(/^\| `(db\.friends|db\.transaction|liveQuery)/gm)!.length);
  expect(rows.length).toBeGreaterThan(50);
});

it('shows an app that is no longer on Entitable, and prints the same', () => {
  const [, section = ''] = page.split('\n## A whole app\n');
  const [dexie = '', ours = ''] = Array.from(
    section.matchAll(/^```ts\n([^]*?)^```$/gm),
    ([, code]) => code!,
  );
  const lines = (code: string) => code.split('\n').filter((line) => line.trim());
  const printed = (code: string) =>
    code.match(/^console\.log.*$/gm)!.map((one) => one.split(' // ')[1]);

  expect(dexie).toContain("from 'dexie'");
  expect(ours).toContain("from 'entitable'");
  expect(lines(ours).length).toBeLessThanOrEqual(lines(dexie).length);
  expect(printed(ours)).toEqual(printed(dexie));
});

it.each(rowsUnder('Write'))('stores the same by %s and %s', async (one, other) => {
  const setting = await setUp();
  const before = (await contents(setting)).dexie;

  await setting.dexie(one);
  await setting.ours(other);

  const { dexie, ours } = await contents(setting);
  expect(ours).toEqual(dexie);
  expect(dexie).not.toEqual(before);
});

// Without an order, Dexie has that of the index.
const HAS_ORDER = /orderBy|sortBy|first|last|Get|each/;
const byId = (one: { id: number }, other: { id: number }) => one.id - other.id;

function ordered(code: string, result: unknown): unknown {
  return Array.isArray(result) && !HAS_ORDER.test(code) ? result.sort(byId as never) : result;
}

it.each(rowsUnder('Read'))('finds the same by %s and %s', findsTheSame);

it.each(rowsUnder('Arrays'))('finds the same by %s and %s', findsTheSame);

async function findsTheSame(one: string, other: string) {
  const { dexie, ours } = await setUp();

  const [expected, found] = [await plain(await dexie(one)), await plain(await ours(other))];

  expect(found).toEqual(ordered(one, expected));
}

it.each(rowsUnder('Follow'))('follows the same by %s and %s', async (one, other) => {
  const { db, account, dexie, ours } = await setUp();
  const [expected, found] = await Promise.all(
    [dexie(one), ours(other)].map(async (live) => {
      const next = vi.fn<Log>();
      const result = (await live) as { subscribe: (next: Log) => unknown };
      const end = result.subscribe(next);
      onTestFinished(() => {
        if (typeof end === 'function') end();
        else (end as { unsubscribe: () => void }).unsubscribe();
      });
      return next;
    }),
  );
  const last = async (next: typeof expected) => ordered(one, await plain(next!.mock.lastCall?.[0]));
  await vi.waitFor(async () => expect(await last(found)).toEqual(await last(expected)));
  const before = await last(expected);
  expect(before).toBeDefined();

  const abe = { ...finn, name: 'Abe' };
  await db.friends.add(abe);
  await account.tables.friends.insert(abe);

  await vi.waitFor(async () => {
    expect(await last(expected)).not.toEqual(before);
    expect(await last(found)).toEqual(await last(expected));
  });
});

it.each(rowsUnder('Hooks'))('reports the same by %s and %s', async (one, other) => {
  const { db, account, dexie, ours } = await setUp();
  const [expected, found] = [vi.fn<Log>(), vi.fn<Log>()];
  await dexie(one, expected);
  const end = (await ours(other, found)) as () => void;
  onTestFinished(end);
  const { tables } = account;

  await db.friends.add(eve);
  await db.friends.update(2, { age: 42 });
  await db.friends.delete(3);
  // A subscription begins with its first report.
  await ours('new Promise((begun) => friends.subscribe({}, begun))');
  await tables.friends.insert(eve);
  await tables.friends.update(2, { age: 42 });
  await tables.friends.delete(3);

  await vi.waitFor(() => expect(found.mock.calls).toEqual(expected.mock.calls));
  expect(expected).toHaveBeenCalledTimes(1);
});
