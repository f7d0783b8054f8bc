// Declared tables with values in parts: definitions, queries, enforcement, upgrades, live views.

import { beforeEach, describe, expect, it } from 'vitest';

import type { TableOf, TableServiceClient } from '../../../js/src/index.js';
import { defineTable, t } from '../../../js/src/schema.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { openForTest, tableOf } from '../support/accounts.js';
import { tableError } from '../support/rejection.js';
import { files, KEYS, keys, UNITS } from './files.js';

let account: TableServiceClient;
let table: TableOf<typeof files>;

beforeEach(async () => {
  account = await openForTest({ storage: memoryStorage() });
  table = await tableOf(account, files);
  await account.ready;
});

const stored = async () => {
  const {
    etag: _,
    timestamp: __,
    ...entity
  } = await account.tableClient('Files').getEntity<Record<string, unknown>>('p', 'r');
  return entity;
};
describe('a definition', () => {
  it.each<[properties: object, message: RegExp]>([
    [{ notes: t.text(), notes_2: t.string() }, /"notes_2" .* has the name of a part of "notes"/],
    [{ photo: t.blob(), photo_type: t.string() }, /"photo_type" .* of a part of "photo"/],
    [{ tags: t.array(t.boolean() as never) }, /has items that are not of one of the types/],
    [{ tags: t.array(t.string().optional() as never) }, /has items that are not/],
    [{ tags: t.array(t.double({ finite: false })) }, /need not be finite/],
    [{ tags: t.array(t.string(), { minItems: 2, maxItems: 1 }) }, /has a minItems that no value/],
    [{ tags: t.array(t.string(), { minLength: 2 } as never) }, /is array, which has no constraint/],
    [{ tags: t.array(t.int32()).default(['x'] as never) }, /has the default an array, which is/],
    [{ rowKey: t.text() }, /must be t.string\(\), and cannot be optional/],
  ])('is refused, %#', (properties, message) => {
    expect(() => defineTable('Files', { ...KEYS, ...properties } as never)).toThrow(message);
  });

  it('has no order, group or index of values in parts, except of arrays and words', async () => {
    for (const indexes of [[['place']], [['notes']], [['words(tags)']], [['words(raw)']]]) {
      expect(() => defineTable('Files', files.properties, { indexes } as never)).toThrow(/index/);
    }
    for (const read of [
      () => table.list({ orderBy: ['tags' as never] }),
      () => table.aggregate({ where: 'true', groupBy: ['tags' as never] }),
      () => table.search('tags' as never, 'x'),
    ]) {
      expect((await tableError(read())).message).toMatch(/is stored in parts: no order/);
    }
  });

  it('is enforced for every writer, as far as the core can see', async () => {
    await account.enforce(files);
    const untyped = account.tableClient('Files');

    const refused = { notes: 5, notes_2: 5, tags: 5, photo: 'x', photo_type: 5, raw_16: 'x' };
    for (const [name, value] of Object.entries(refused)) {
      const error = await tableError(untyped.createEntity({ ...keys, [name]: value }));
      expect(error.issues).toMatchObject([{ rule: 'schema-type', path: [name] }]);
    }
    await table.insert({ ...keys, notes: 'x'.repeat(2 * UNITS) });
  });

  it('that rejects unknown properties knows the names of parts', async () => {
    const closed = defineTable('Files', files.properties, { unknownProperties: 'reject' });
    const notes = 'x'.repeat(2 * UNITS);
    const client = await tableOf(account, closed);
    await client.insert({ ...keys, notes, photo: new Blob(['x']) });
    expect((await client.get(keys))!.notes).toBe(notes);
  });

  it('says arrays and objects in JSON Schema', () => {
    const { properties } = files.jsonSchema() as { properties: object };
    expect(properties).toMatchObject({
      tags: { type: 'array', items: { type: 'string', maxLength: 5 }, default: [] },
      notes: { type: 'string' },
      photo: { type: 'string', contentEncoding: 'base64' },
    });
    expect((properties as { place: object }).place).toEqual({});
  });

  it('gives an upgrade whole values, also of properties that it has no more', async () => {
    const [notes, raw] = ['x'.repeat(UNITS + 9), new Uint8Array(100_000).fill(7)];
    const before = defineTable('Files', {
      ...KEYS,
      notes: t.text(),
      raw: t.bytes(),
      old: t.text(),
    });
    await (await tableOf(account, before)).insert({ ...keys, notes, raw, old: notes });
    const after = defineTable(
      'Files',
      { ...KEYS, text: t.text(), bytes: t.bytes(), count: t.int32().default(0) },
      {
        version: 2,
        upgrade: { 1: ({ notes, raw, ...row }) => ({ ...row, text: notes, bytes: raw }) },
      },
    );
    const upgradedTable = await tableOf(account, after);

    expect(await upgradedTable.get(keys)).toMatchObject({ text: notes, bytes: raw });
    await upgradedTable.update(keys, { count: 1 });
    expect(await upgradedTable.get(keys)).toMatchObject({ text: notes, bytes: raw, count: 1 });
    // What it leaves as it is stays in parts.
    const entity = await stored();
    expect(Object.keys(entity).sort().join()).toBe(
      'bytes,bytes_2,count,old,old_2,partitionKey,rowKey,schemaVersion,text,text_2',
    );
    expect(`${entity['old'] as string}${entity['old_2'] as string}`).toBe(notes);
  });

  it('upgrades rows to and from values in parts', async () => {
    const old = { ...keys, tags: 'a,b', notes: 'x'.repeat(40) };
    await account.tableClient('Files').createEntity(old);
    const versions = {
      version: 2,
      upgrade: {
        1: ({ tags, ...rest }: Record<string, unknown>) => ({
          ...rest,
          tags: String(tags).split(','),
          notes: 'y'.repeat(UNITS + 5),
        }),
      },
    };
    const client = await tableOf(account, defineTable('Files', files.properties, versions));

    const read = (await client.get(keys, { select: ['tags', 'notes'] }))!;
    expect([read.tags, read.notes]).toEqual([['a', 'b'], 'y'.repeat(UNITS + 5)]);
    await client.update(keys, { place: { lat: 1 } });
    expect(await stored()).toMatchObject({ tags: '["a","b"]', notes_2: 'yyyyy', schemaVersion: 2 });
  });
});

it('a live view has whole values, selected or not', async () => {
  for (const select of [undefined, ['notes', 'tags'] as const]) {
    const live = table.live(select && { select });
    const notes = 'x'.repeat(UNITS + 1);
    const next = new Promise<object>((resolve) => {
      const unsubscribe = live.subscribe(([first]) => {
        if (first?.notes !== notes) return;
        unsubscribe();
        resolve(first);
      });
    });
    await table.put({ ...keys, notes, tags: ['a'] });
    expect(await next).toMatchObject({ notes, tags: ['a'] });
    expect(Object.keys(await next)).not.toContain('notes_2');
  }
});
