// Development warnings of declared tables: what helps a filter, and conditions that get lost.

import { expect, it, onTestFinished, vi } from 'vitest';

import { Session } from '../../../js/src/core/session.js';
import { openAccount, type DevelopmentWarning } from '../../../js/src/index.js';
import { and, defineTable, or, t } from '../../../js/src/schema.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import type { DeclaredTables } from '../../../js/src/tables/table.js';

const properties = {
  id: t.int32(),
  title: t.string(),
  tags: t.array(t.string()),
  notes: t.text(),
};
const ROWS = Array.from({ length: 10_500 }, (_, id) => ({
  ...{ id, title: `T${id}`, notes: `note ${id}` },
  tags: [id % 2100 === 0 ? 'rare' : 'frequent'],
}));

async function open<Tables extends DeclaredTables>(tables: Tables) {
  const warnings: DevelopmentWarning[] = [];
  const storage = memoryStorage();
  const developmentWarnings = (warning: DevelopmentWarning) => warnings.push(warning);
  const account = await openAccount({ storage, tables, developmentWarnings });
  onTestFinished(async () => {
    await account.close();
    await storage.destroy();
  });
  await account.ready;
  /** The warnings since the call before. Checks come in order, and the last one always warns. */
  let last = 0;
  const { last: ofLast } = await account.openTables({
    last: defineTable('Last', { id: t.string() }, { key: 'id' }),
  });
  await ofLast.insert({ id: 'a' });
  const warned = async () => {
    const property = `unknown${last++}`;
    await ofLast.count({ where: `${property} eq 1` });
    await expect.poll(() => warnings.at(-1)?.property, { timeout: 20_000 }).toBe(property);
    return warnings.splice(0).flatMap(({ table, message }) => (table === 'Last' ? [] : message));
  };
  return { tables: account.tables, account, warned };
}

it('an order by declared properties is not checked, since that would read the table', async () => {
  const request = vi.spyOn(Session.prototype, 'request');
  onTestFinished(() => request.mockRestore());
  const things = defineTable('Things', properties, { key: 'id' });
  const { tables, account, warned } = await open({ things });
  const checks = () =>
    request.mock.calls.filter(([{ kind, table }]) => kind === 'queryTypes' && table === 'Things');

  await tables.things.list({ orderBy: ['title', 'id'], limit: 1 });
  await warned();
  expect(checks()).toEqual([]);

  await account
    .tableClient('Things')
    .listEntities({ orderBy: ['Titel'] })
    .next();
  await warned();
  expect(checks()).toHaveLength(1);
});

it('a scan warns of what helps a declared table', async () => {
  const things = defineTable('Things', properties, { key: 'id' });
  const { tables, warned } = await open({ things });
  await tables.things.insertMany(ROWS);

  expect(await tables.things.list({ where: ({ tags }) => tags.has('rare') })).toHaveLength(5);
  expect(await warned()).toEqual([
    expect.stringMatching(
      /10500 entities .* to find 5\. Declare an index: indexes: \[\['tags'\]\]/,
    ),
  ]);
  // It ends after two rows, and no index would be used.
  const which = (tag: string) =>
    tables.things.list({
      where: ({ tags, title }) => and(tags.has(tag), title.ne('x')),
      limit: 2,
    });
  await which('frequent');
  expect(await warned()).toEqual([]);
  await which('rare');
  expect(await warned()).toEqual([expect.stringMatching(/up to 10500 entities .* to find 2\./)]);
  await tables.things.count({ where: ({ notes }) => notes.contains('note 7 or so') });
  expect(await warned()).toEqual([expect.stringContaining("indexes: [['words(notes)']]")]);
  await tables.things.count({ where: "titel eq 'T1'" });
  expect(await warned()).toEqual([expect.stringContaining('Did you mean "title"?')]);
});

it('a scan warns of the first field of the key, if there are several', async () => {
  const things = defineTable('Things', properties, { key: ['title', 'id'] });
  const { tables, warned } = await open({ things });
  await tables.things.insertMany(ROWS);

  await tables.things.list({ where: ({ notes }) => notes.startsWith('none') });
  const [message, ...others] = await warned();
  expect(others).toEqual([]);
  expect(message).toContain('Add a condition on title, the first field of the key');
  expect(message).not.toContain('PartitionKey');
});

it('a scan does not warn while the index is being built', async () => {
  const plain = defineTable('Things', properties, { key: 'id' });
  const { tables, warned, account } = await open({ plain });
  await tables.plain.insertMany(ROWS);
  const indexed = defineTable('Things', properties, { key: 'id', indexes: [['tags']] });
  const { things } = await account.openTables({ things: indexed });

  await things.list({ where: ({ tags }) => tags.has('rare') });
  expect(await warned()).toEqual([]);
});

it('conditions that && or || joins warn, in tables that are opened later, too', async () => {
  const { account, warned } = await open({
    first: defineTable('First', properties, { key: 'id' }),
  });
  const { things } = await account.openTables({
    things: defineTable('Things', properties, { key: 'id' }),
  });
  const name: string | undefined = 'a';

  await things.count({ where: ({ title, id }) => title.eq('a') && id.eq(7) });
  await things.list({ where: (x) => x.title.eq(`a)`) || x.id.eq(7) });
  await account.tables.first.count({
    where: ({ id, title }) => and(id.eq(1), title.eq('b')) && title.eq('a'),
  });
  expect(await warned()).toEqual([
    expect.stringMatching(/title\.eq\(['"]a['"]\) && … Write and\(…\)\./),
    expect.stringContaining('|| … Write or(…).'),
    expect.stringContaining('table "First"'),
  ]);

  await things.count({
    where: ({ title, id }) => and(...(name ? [title.eq(name || 'x')] : []), or(id.eq(1), id.eq(2))),
  });
  await things.count({
    where: ({ id }) => (name.startsWith('a') && name !== 'b' ? id.eq(1) : id.eq(2)),
  });
  expect(await warned()).toEqual([]);
});
