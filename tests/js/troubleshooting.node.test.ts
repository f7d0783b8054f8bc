// The page on troubleshooting explains messages that the library has, under their codes.

import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { beforeEach, describe, expect, it } from 'vitest';

import { openAccount, type AccountOptions, type TableError } from '../../js/src/index.js';
import { defineTable, t } from '../../js/src/schema.js';
import { indexedDbStorage } from '../../js/src/storage/indexeddb.js';
import { memoryStorage } from '../../js/src/storage/memory.js';
import { collect, openForTest } from './support/accounts.js';
import { rejection } from './support/rejection.js';

const [, messages = ''] = readFileSync('docs/troubleshooting.md', 'utf8').split(
  '## When it starts\n',
);
/** Each message with the code that its explanation begins with. */
const EXPLAINED = new Map(
  [...messages.matchAll(/^### (.+)\n\n`?(\w+)/gm)].map(([, message, code]) => [message!, code!]),
);

const KEY = { partitionKey: 'p', rowKey: 'r' };
const notes = defineTable('Notes', { id: t.string(), text: t.string() }, { key: 'id' });
const visits = defineTable(
  'Visits',
  { user: t.string(), year: t.int32(), at: t.dateTime() },
  { key: { partition: ['user', 'year'], row: ['at'] } },
);

async function anAccount() {
  const account = await openForTest({ storage: memoryStorage(), tables: { notes, visits } });
  const pets = account.tableClient('Pets');
  await pets.createTable();
  return { account, pets, notes: account.tables.notes, visits: account.tables.visits };
}
let all: Awaited<ReturnType<typeof anAccount>>;
beforeEach(async () => {
  all = await anAccount();
});

/** Opens an account with options that no type permits. */
const openWith = (options: object) => openAccount(options as AccountOptions<never>);
const list = (filter: string) => collect(all.pets.listEntities({ filter }));
const create = (properties: object) => all.pets.createEntity({ ...KEY, ...properties });
// A condition as a program in JavaScript may write it.
type Where = NonNullable<Parameters<typeof all.notes.list>[0]>['where'];
const where = (condition: (row: { text: unknown }) => unknown) => condition as unknown as Where;

/** Calls that a newcomer makes, each by the beginning of its message. */
const CALLS: Record<string, () => Promise<unknown>> = {
  'The WebAssembly': () =>
    openWith({ storage: memoryStorage(), wasm: new URL('file:///nowhere/entitable.wasm') }),
  'IndexedDB cannot': () => openWith({ storage: indexedDbStorage('notes') }),
  'The option storage': () => openWith({ storage: indexedDbStorage }),
  '… has no option': () => openWith({ storage: memoryStorage(), tabels: {} }),
  'The table … has no key': () => {
    const keyless = defineTable('Notes', { text: t.string() } as never);
    return openWith({ storage: memoryStorage(), tables: { keyless } });
  },
  'A row has the': async () => {
    await all.account.ready;
    await all.account.tableClient('Notes').createEntity({ ...KEY, text: 'a' });
    return all.notes.list();
  },
  'A transaction needs': async () => {
    const account = await openForTest({ storage: memoryStorage() });
    return account.transaction(() => Promise.resolve());
  },
  'The table specified': () => all.account.tableClient('Cats').createEntity(KEY),
  'The specified resource does': () => all.notes.update('1', { text: 'a' }),
  'The specified entity already': async () => {
    await create({});
    return create({});
  },
  'The update condition': async () => {
    const old = await all.notes.insert({ id: '1', text: 'a' });
    await all.notes.update('1', { text: 'b' });
    return all.notes.update('1', { text: 'c' }, { ifUnchanged: old });
  },
  'Something that the transaction': async () => {
    await all.notes.insert({ id: '1', text: '' });
    return all.account.transaction(async (tx) => {
      await tx.notes.get('1');
      await all.notes.update('1', ({ text }) => ({ text: `${text}.` }));
      await tx.notes.insert({ id: '2', text: 'a' });
    });
  },
  'Property … is missing': () => all.notes.insert({ id: '1' } as never),
  'Property … holds an array': () => create({ tags: ['a'] }),
  'Property … holds an invalid date': () => create({ born: new Date('yesterday') }),
  'Property … has a name': () => create({ 'first-name': 'Ada' }),
  "The '…' parameter": () => create({ rowKey: 'a/b' }),
  'The values are not': () => all.pets.createEntity({ partitionKey: 'p' } as never),
  'The property value': () => create({ text: 'x'.repeat(32_769) }),
  'The entity is larger': () =>
    create(Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`t${n}`, 'x'.repeat(32_000)]))),
  'The specifed resource': () => all.account.createTable('my-table'),
  'The specified resource name': () => all.account.createTable('my'),
  'All commands': () =>
    all.pets.submitTransaction([
      ['create', KEY],
      ['create', { ...KEY, partitionKey: 'q' }],
    ]),
  'The batch request contains': () =>
    all.pets.submitTransaction([
      ['create', KEY],
      ['delete', KEY],
    ]),
  'The batch request operation': () =>
    all.pets.submitTransaction(
      Array.from({ length: 101 }, (_, n) => ['create', { ...KEY, rowKey: `${n}` }]),
    ),
  'Syntax error': () => list("name == 'x'"),
  'The requested operation': () => list("startswith(name,'x')"),
  'No property is null': () => list('name eq null'),
  'A filter is made': () => all.notes.list({ where: where(({ text }) => text === 'a') }),
  'The table … declares no': () => all.notes.list({ orderBy: 'txt' as never }),
  'Property … is …; a filter': () => all.notes.list({ where: ({ text }) => text.eq(5 as never) }),
  'A filter with': () => all.visits.list({ where: ({ year }) => year.gt(2000) }),
  'The storage has no room': async () => {
    const account = await openForTest({ storage: memoryStorage({ maxBytes: 3_000_000 }) });
    const photos = account.tableClient('Photos');
    await photos.createTable();
    for (let n = 0; n < 100; n++) {
      await photos.createEntity({ ...KEY, rowKey: `${n}`, bytes: new Uint8Array(60_000).fill(n) });
    }
  },
  'The account is closed': async () => {
    await all.account.close();
    return all.notes.get('1');
  },
};

describe('a message that the page explains', () => {
  it.each(Object.entries(CALLS))('is that of the call: %s', async (beginning, call) => {
    const [message, code] = [...EXPLAINED].find(([text]) => text.startsWith(beginning))!;
    const error = (await rejection(Promise.resolve().then(call))) as TableError;

    for (const piece of piecesOf(message)) expect(error.message).toContain(piece);
    expect(error.code ?? error.name).toBe(code);
  });

  it('is in the sources, if no call here fails with it', () => {
    const sources = literals();
    const others = [...EXPLAINED.keys()].filter(
      (message) => !Object.keys(CALLS).some((beginning) => message.startsWith(beginning)),
    );

    expect(others.length).toBeGreaterThan(5);
    expect(
      others.filter((message) => !piecesOf(message).every((piece) => sources.includes(piece))),
    ).toEqual([]);
  });

  it('has a code that the page on errors has, too', () => {
    const errors = readFileSync('docs/reference/errors.md', 'utf8');
    const isElsewhere = (code: string) => ['TypeError', 'Exit'].includes(code);

    expect(EXPLAINED.size).toBeGreaterThan(40);
    expect(
      [...EXPLAINED.values()].filter(
        (code) => !isElsewhere(code) && !errors.includes(`\`${code}\``),
      ),
    ).toEqual([]);
  });
});

/** What stands between the values of a message, which are three dots in the page. */
const piecesOf = (message: string) =>
  message
    .split('…')
    .map((piece) => piece.replace(/^[\s.,:'"]+|[\s.,:'"]+$/g, ''))
    .filter((piece) => piece.length > 2);

/** The texts of all sources, each literal whole, though it stands in several lines. */
function literals(): string {
  const files = ['js/src', 'core/src', 'core/include'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  );
  return files
    .filter((file) => /\.(ts|cc|h)$/.test(file))
    .map((file) => readFileSync(file, 'utf8').replace(/["'`]\s*[+\\]?\s*\n\s*["'`]/g, ''))
    .join('\n');
}
