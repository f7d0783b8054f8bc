// Values that are stored in parts: JSON, arrays, long texts, bytes and Blobs.

import { beforeEach, describe, expect, it } from 'vitest';

import { createTableHandler } from '../../../js/src/http.js';
import type { TableOf } from '../../../js/src/index.js';
import { remoteAccount } from '../../../js/src/remote.js';
import { defineTable, t } from '../../../js/src/schema.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { collect, openForTest, tableOf } from '../support/accounts.js';
import { tableError } from '../support/rejection.js';
import { BYTES, bytes, files, KEYS, keys, UNITS, type File } from './files.js';

const open = async () => {
  const opened = await openForTest({ storage: memoryStorage(), tables: { files } });
  await opened.ready;
  return opened;
};
let account: Awaited<ReturnType<typeof open>>;
let table: TableOf<typeof files>;

beforeEach(async () => {
  account = await open();
  table = account.tables.files;
});

const row = async () => {
  const { etag: _, timestamp: __, ...values } = (await table.get(keys))!;
  return values;
};
const stored = async () => {
  const {
    etag: _,
    timestamp: __,
    ...entity
  } = await account.tableClient('Files').getEntity<Record<string, unknown>>('p', 'r');
  return entity;
};
const remote = async () => {
  const handler = createTableHandler(account, { authentication: 'anonymous' });
  const fetch = (url: string | URL | Request, init?: RequestInit) =>
    handler(new Request(url, init));
  const cloud = remoteAccount({ url: 'http://127.0.0.1:10002/devstoreaccount1', fetch });
  return (await cloud.openTables({ files })).files;
};

describe('a value of one part', () => {
  it('looks as if there were no parts', async () => {
    const list = [null, 'x', { y: true }];
    const place = { lat: 1.5, lon: undefined, list } as unknown as { lat: number };
    await table.insert({ ...keys, tags: ['a', 'b'], place, notes: 'x', raw: bytes(3) });

    expect(await stored()).toEqual({
      ...keys,
      tags: '["a","b"]',
      place: '{"lat":1.5,"list":[null,"x",{"y":true}]}',
      notes: 'x',
      raw: bytes(3),
    });
    expect(await row()).toEqual({
      ...keys,
      tags: ['a', 'b'],
      place: { lat: 1.5, list: [null, 'x', { y: true }] },
      notes: 'x',
      raw: bytes(3),
    });
  });

  it('of each type of item comes back as that type', async () => {
    const lists = defineTable('Files', {
      ...KEYS,
      whole: t.array(t.int32()),
      big: t.array(t.int64()),
      real: t.array(t.double()),
      times: t.array(t.dateTime()),
      exact: t.array(t.dateTime({ precise: true })),
      ids: t.array(t.guid()),
      kinds: t.array(t.string({ enum: ['a', 'b'] })),
    });
    const given = {
      ...keys,
      whole: [1, -2],
      big: [2n ** 62n, -1n],
      real: [0.1, 1e300],
      times: [new Date(5)],
      exact: ['2024-05-01T00:00:00.1234567Z'],
      ids: ['a455c695-df98-5678-aaaa-81d3367e5a34'],
      kinds: ['b' as const],
    };
    const client = await tableOf(account, lists);
    await client.insert(given);

    expect(await client.get(keys)).toMatchObject(given);
    expect((await stored())['big']).toBe(`["${2n ** 62n}","-1"]`);
  });

  it('may be any JSON value, also one that looks like a value with a type', async () => {
    const json = defineTable('Files', { ...KEYS, value: t.json() });
    const client = await tableOf(account, json);
    for (const value of [0, '', 'true', false, [], { type: 'Int64', value: '1' }, ['\ud800']]) {
      await client.put({ ...keys, value });
      expect((await client.get(keys))!.value).toEqual(value);
    }
  });

  it('is a Blob with its type, or bytes without one', async () => {
    const photo = new Blob([bytes(5)], { type: 'image/png' });
    await table.insert({ ...keys, photo });
    expect(await stored()).toMatchObject({ photo: bytes(5), photo_type: 'image/png' });
    const read = (await row()).photo!;
    expect(read.type).toBe('image/png');
    expect(new Uint8Array(await read.arrayBuffer())).toEqual(bytes(5));

    await table.update(keys, { photo: bytes(4) });
    expect(await stored()).toEqual({ ...keys, tags: '[]', photo: bytes(4) });
  });
});

describe('a longer value', () => {
  it.each([UNITS - 2, UNITS - 1, UNITS, UNITS + 1, 2 * UNITS, 5 * UNITS + 7])(
    'of %i units is read as it was written',
    async (length) => {
      const notes = 'x'.repeat(length);
      expect((await table.insert({ ...keys, notes })).notes).toBe(notes);

      const entity = await stored();
      const parts = Object.keys(entity).filter((name) => name.startsWith('notes'));
      const all = ['notes', 'notes_2', 'notes_3', 'notes_4', 'notes_5', 'notes_6'];
      expect(parts).toEqual(all.slice(0, parts.length));
      expect(parts.map((name) => String(entity[name]).length)).toEqual(
        parts.map((_, at) => Math.max(0, Math.min(UNITS, length - at * UNITS))),
      );
      expect((await row()).notes).toBe(notes);
      expect((await table.get(keys, { select: ['notes'] }))?.notes).toBe(notes);
    },
  );

  it('is not cut within a pair of surrogates', async () => {
    const notes = `x${'\u{1f600}'.repeat(UNITS)}`;
    await table.insert({ ...keys, notes });

    expect(String((await stored())['notes'])).toHaveLength(UNITS - 1);
    expect((await row()).notes).toBe(notes);
  });

  it.each([BYTES - 1, BYTES, 2 * BYTES + 5])('of %i bytes is read as written', async (length) => {
    await table.insert({ ...keys, raw: bytes(length), photo: new Blob([bytes(length)]) });

    const { raw, photo } = await row();
    expect(raw).toEqual(bytes(length));
    expect(new Uint8Array(await photo!.arrayBuffer())).toEqual(bytes(length));
  });

  it.each(['local', 'remote'])('loses its parts with a shorter one, %s', async (place) => {
    const client = place === 'local' ? table : await remote();
    const long = { ...keys, notes: 'x'.repeat(3 * UNITS + 1), raw: bytes(BYTES + 1) };
    for (const write of [
      (change: object) => client.update(keys, change),
      (change: object) => client.upsert({ ...keys, ...change }),
      ...(place === 'local'
        ? [
            (change: object) => account.transaction((tx) => tx.files.update(keys, change)),
            (change: object) => table.updateMany({ where: 'true', set: change }),
            (change: object) => table.import([{ ...keys, ...change } as never], { mode: 'Merge' }),
          ]
        : []),
    ]) {
      await client.put(long);
      await write({ notes: 'y'.repeat(UNITS) });
      expect(Object.keys(await stored()).filter((name) => /notes/.test(name))).toEqual([
        'notes',
        'notes_2',
      ]);
      expect((await row()).notes).toBe('y'.repeat(UNITS));
      await write({ notes: null, raw: null });
      expect(await stored()).toEqual({ ...keys, tags: '[]' });
    }
  });

  it('keeps the arguments as they were at the call', async () => {
    const place = { lat: 1 };
    const raw = bytes(3);
    const writing = table.insert({ ...keys, place, raw, photo: new Blob(['x']) });
    place.lat = 2;
    raw[0] = 9;
    await writing;

    expect(await row()).toMatchObject({ place: { lat: 1 }, raw: bytes(3) });
  });
});

describe('a row with a wrong number of parts', () => {
  it.each([
    [{ notes: 'x'.repeat(UNITS) }, 'notes_2', 'is missing, because "notes" is full'],
    [{ notes: 'x', notes_2: 'y' }, 'notes_2', 'is one part too many of "notes"'],
    [{ notes: 'x', notes_9: 'y' }, 'notes_9', 'is one part too many of "notes"'],
    [{ notes_3: 'y' }, 'notes_3', 'is one part too many of "notes"'],
    [{ raw: bytes(BYTES), raw_3: bytes(1) }, 'raw_2', 'is missing, because "raw" is full'],
  ])('is no row, %#', async (entity, path, what) => {
    await account.tableClient('Files').createEntity({ ...keys, ...entity });

    const message = `Property "${path}" ${what}.`;
    for (const read of [
      () => table.get(keys),
      () => table.list(),
      () => table.get(keys, { select: [path.startsWith('raw') ? 'raw' : 'notes'] }),
    ]) {
      const error = await tableError(read());
      expect(error.code).toBe('SchemaViolation');
      expect(error.message).toContain(message);
      expect(error.issues).toMatchObject([{ path: [path], message }]);
    }
    const broken = await collect(account.listIssues(files));
    expect(broken).toMatchObject([{ rowKey: 'r', issues: [{ path: [path], message }] }]);
  });

  it('keeps what another writer has stored that is no value of the type', async () => {
    const entity = { ...keys, tags: 'a,b', place: '{', notes: 5 };
    await account.tableClient('Files').createEntity(entity);

    expect(await row()).toEqual(entity);
    const [broken] = await collect(account.listIssues(files));
    expect(broken?.issues.map(({ path }) => String(path)).sort()).toEqual(['notes', 'tags']);
  });

  it('keeps texts that are JSON only beside each other, and the values between them', async () => {
    const places = ['[1', '2]', '{"lat":1}', '3,4,5', '"a', 'b"', '6,7,8'];
    for (const [at, place] of places.entries()) {
      await account.tableClient('Files').createEntity({ ...keys, rowKey: `${at}`, place });
    }

    const listed = await table.list();
    expect(listed.map(({ place }) => place)).toEqual(
      places.map((one, at) => (at === 2 ? { lat: 1 } : one)),
    );
  });
});

describe('a value is refused', () => {
  const cyclic: Record<string, unknown> = {};
  cyclic['list'] = [cyclic];

  it.each<[values: object, path: PropertyKey[], message: string]>([
    [{ tags: 'a' }, ['tags'], 'Property "tags" is "a", not an array.'],
    [{ tags: ['a', 5] }, ['tags', 1], 'is 5, not String (a string) at [1].'],
    [
      { tags: ['abcdef'] },
      ['tags', 0],
      'breaks its maxLength at [0]: it has 6 UTF-16 units, and the limit is 5.',
    ],
    [{ place: { lat: NaN } }, ['place', 'lat'], 'is NaN, which JSON does not have at ["lat"].'],
    [{ place: { lat: 5n } }, ['place', 'lat'], 'is a bigint, which JSON does not have'],
    [{ place: { lat: () => 1 } }, ['place', 'lat'], 'is a function, which JSON does not have'],
    [{ place: [1, undefined] }, ['place', 1], 'is undefined, which JSON does not have at [1].'],
    [{ place: { at: new Date(0) } }, ['place', 'at'], 'is a Date, which JSON does not have'],
    [{ notes: 5 }, ['notes'], 'is 5, not a well-formed text.'],
    [{ photo: 'x' }, ['photo'], 'not a Blob or a Uint8Array.'],
    [
      { photo: new Blob([bytes(200_001)]) },
      ['photo'],
      'breaks its maxBytes: it has 200001 bytes, and the limit is 200000.',
    ],
    [{ raw: new Blob([]) }, ['raw'], 'not a Uint8Array.'],
    [{ notes_2: 'x' }, ['notes_2'], 'has the name of a part of "notes".'],
  ])('%#', async (values, path, message) => {
    const given = { ...keys, ...values } as File;
    const { issues } = await files.validate(given);
    expect(issues).toHaveLength(1);
    expect(issues![0]).toMatchObject({ path, code: 'SchemaViolation' });
    expect(issues![0]!.message).toContain(message);

    for (const write of [
      () => table.insert(given),
      () => table.update(keys, values),
      () => table.insertMany([given]),
    ]) {
      const error = await tableError(write());
      expect(error.code).toBe('SchemaViolation');
      expect(error.message).toContain(message);
      expect(error.issues).toMatchObject([{ path }]);
    }
  });

  it('that is part of itself', async () => {
    const { issues } = await files.validate({ ...keys, place: cyclic });

    expect(issues![0]!.message).toContain('is part of itself, or has over 200 levels');
    expect((await tableError(table.insert({ ...keys, place: cyclic as never }))).code).toBe(
      'SchemaViolation',
    );
  });

  it.each<[values: object, size: string]>([
    [{ notes: 'x'.repeat(600_000) }, '600000 UTF-16 units'],
    [{ raw: bytes(1_100_000) }, '1100000 bytes'],
    [{ place: { lat: 1, text: 'x'.repeat(600_000) } }, 'more JSON than that'],
  ])('that no entity has room for, %#', async (values, size) => {
    const error = await tableError(table.insert({ ...keys, ...values }));

    expect(error.code).toBe('EntityTooLarge');
    expect(error.message).toContain(`has ${size}; an entity has room for 1048576 bytes`);
    expect(error.message).toContain('Keep a value of this size elsewhere');
  });

  it('if it breaks the rules of its array, text or schema', async () => {
    const schema = {
      '~standard': {
        version: 1,
        vendor: 'test',
        validate: (value: unknown) =>
          (value as { lat: number }).lat < 90
            ? { value }
            : { issues: [{ message: 'Too far.', path: ['lat'] }] },
      },
    } as const;
    const ruled = defineTable('Files', {
      ...KEYS,
      few: t.array(t.double(), { minItems: 1, maxItems: 2, uniqueItems: true }),
      text: t.text({ minLength: 2, maxLength: 40_000, pattern: /^a/ }),
      at: t.json(schema),
    });
    const good = { ...keys, few: [1], text: 'ab', at: { lat: 1 } };
    expect((await ruled.validate(good)).issues).toBeUndefined();
    const rulesOf = async (values: object) =>
      (await ruled.validate({ ...good, ...values })).issues?.map(
        ({ rule, path, message }) => `${rule} ${path?.join('.')}: ${message}`,
      );

    const long = `a${'b'.repeat(40_000)}`;
    const few = (what: string) => [`schema-refine few: Property "few" breaks its ${what}.`];
    expect(await rulesOf({ few: [] })).toEqual(few('minItems: it has 0 items, and the limit is 1'));
    expect(await rulesOf({ few: [1, 2, 3] })).toEqual(
      few('maxItems: it has 3 items, and the limit is 2'),
    );
    expect(await rulesOf({ few: [1, 1] })).toEqual(few('uniqueItems'));
    expect(await rulesOf({ few: [NaN] })).toEqual([
      'schema-type few.0: Property "few" breaks its finite at [0].',
    ]);
    for (const [text, rule, constraint] of [
      ['a', 'schema-min-length', 'minLength: it has 1 UTF-16 units, and the limit is 2'],
      ['bc', 'schema-pattern', 'pattern'],
      [long, 'schema-max-length', 'maxLength: it has 40001 UTF-16 units, and the limit is 40000'],
    ] as const) {
      const issue = `${rule} text: Property "text" breaks its ${constraint}.`;
      expect(await rulesOf({ text })).toEqual([issue]);
    }
    expect(await rulesOf({ at: { lat: 90 } })).toEqual(['undefined at.lat: Too far.']);
  });
});
