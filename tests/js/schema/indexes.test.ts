// Declared indexes: the declaration, the build, and queries that use them.

import { beforeEach, describe, expect, it } from 'vitest';

import type { TableOf, TableServiceClient } from '../../../js/src/index.js';
import { and, defineTable, t, type TableOptions } from '../../../js/src/schema.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { openForTest, tableOf } from '../support/accounts.js';
import { errorCode, rejection } from '../support/rejection.js';

const PROPERTIES = {
  partitionKey: t.string(),
  rowKey: t.string(),
  email: t.string().optional(),
  team: t.string(),
  joined: t.dateTime(),
};

const users = defineTable('Users', PROPERTIES, {
  indexes: [['email'], ['team', 'joined desc']],
});

const day = (n: number) => new Date(Date.UTC(2024, 0, 1 + n));
const row = (n: number) => ({
  partitionKey: `p${n % 7}`,
  rowKey: `${n}`,
  email: `u${n}@x`,
  team: `t${n % 10}`,
  joined: day(n),
});

const plain = defineTable('Users', PROPERTIES);

// The table is open without indexes, so that the tests build them.
let account: TableServiceClient;
let table: TableOf<typeof plain>;
beforeEach(async () => {
  account = await openForTest({ storage: memoryStorage() });
  table = await tableOf(account, plain);
  await account.ready;
});

const rowKeys = (rows: readonly { rowKey: string }[]) => rows.map(({ rowKey }) => rowKey);

describe('a declaration', () => {
  const declare = (indexes: unknown) => () =>
    defineTable('Users', PROPERTIES, { indexes } as TableOptions as object);

  it.each([
    ['email'],
    [['email']],
    [[['email', 1]]],
    [Array(1)], // A gap.
    [[['words(email) desc']]],
    [[[' words(email)']]],
    [[[]]],
    [[['mail']]],
    [[['timestamp']]],
    [[['email up']]],
    [[['email', 'email desc']]],
    [[['email'], ['email asc']]],
    [[['email', ...'abcdefgh']]],
    [[['words(joined)']]],
    [[['words(rowKey)']]],
    [[['words(mail)']]],
    [[['words()']]],
    [[['words(email)', 'team']]],
    [[['team', 'words(email)']]],
    [[['words(email)'], ['words(email)']]],
    [Array.from({ length: 17 }, () => ['email'])],
    [[{ by: ['email'] }]],
    [[{ by: 'email', include: ['team'] }]],
    [[{ by: ['email'], include: [] }]],
    [[{ by: ['email'], include: 'some' }]],
    [[{ by: ['email'], include: ['mail'] }]],
    [[{ by: ['email'], include: ['team'], unique: true }]],
    [[{ by: ['words(email)'], include: ['team'] }]],
    [[['email'], { by: ['email'], include: ['team'] }]],
  ])('refuses %j', (indexes) => {
    expect(declare(indexes)).toThrow(TypeError);
  });

  it('takes keys and directions', () => {
    expect(declare([['rowKey'], ['partitionKey desc', ' team  asc']])).not.toThrow();
    const indexes = [['email'], ['words(email)']] as const;
    expect(() => defineTable('Users', PROPERTIES, { indexes })).not.toThrow();
  });

  it('takes declared names only, as the compiler sees it', () => {
    // @ts-expect-error -- there is no such property
    expect(() => defineTable('Users', PROPERTIES, { indexes: [['mail']] })).toThrow();
    // @ts-expect-error -- it has no texts
    expect(() => defineTable('Users', PROPERTIES, { indexes: [['words(joined)']] })).toThrow();
    // @ts-expect-error -- there is no such direction
    expect(() => defineTable('Users', PROPERTIES, { indexes: [['team down']] })).toThrow();
    const by = ['team'] as const;
    // @ts-expect-error -- there is no such property to include
    expect(() => defineTable('Users', PROPERTIES, { indexes: [{ by, include: ['m'] }] })).toThrow();
  });

  it('names what cannot be included', () => {
    const definition = (include: readonly 'tags'[]) => () =>
      defineTable(
        'Users',
        { ...PROPERTIES, tags: t.array(t.string()) },
        {
          indexes: [{ by: ['team'], include }],
        },
      );
    expect(definition(['tags'])).toThrow(
      `includes "tags", which is stored in parts; only include: 'all' has such properties`,
    );
    expect(definition([])).toThrow('includes no property');
  });
});

describe('updateIndexes', () => {
  it('builds what is declared, and reports each step', async () => {
    await table.insertMany(Array.from({ length: 1200 }, (_, n) => row(n)));
    const where = users.where(({ email }) => email.eq('u7@x'));
    expect(await table.explain({ where })).toMatchObject({ access: 'table scan', count: 1 });

    const reported: number[] = [];
    const onProgress = ({ entities }: { entities: number }) => reported.push(entities);
    expect(await account.updateIndexes(users, { onProgress })).toEqual({ entities: 1200 });
    expect(reported).toEqual([500, 1000, 1200]);

    expect(await table.explain({ where })).toMatchObject({
      ...{ access: 'index', index: 'email', count: 1, entitiesExamined: 1 },
    });
    expect(rowKeys(await table.list({ where }))).toEqual(['7']);
    expect(await account.updateIndexes(users)).toEqual({ entities: 0 });
  });

  it('removes what is declared no more', async () => {
    await account.updateIndexes(users);
    await account.updateIndexes(defineTable('Users', PROPERTIES, { indexes: [['team']] }));

    expect((await table.explain({ where: "email eq 'a'" })).access).toBe('table scan');
    expect((await table.explain({ where: "team eq 'a'" })).index).toBe('team');
  });

  it('goes on where it was stopped, beside writes', async () => {
    await table.insertMany(Array.from({ length: 1200 }, (_, n) => row(n)));
    const stop = new AbortController();
    const stopped = account.updateIndexes(users, {
      onProgress: () => stop.abort(),
      abortSignal: stop.signal,
    });
    expect(await rejection(stopped)).toMatchObject({ name: 'AbortError' });
    await table.update(row(3), { team: 'new' });
    await table.update(row(1199), { team: 'new' });
    await table.delete(row(7));

    const { entities } = await account.updateIndexes(users);
    expect(entities).toBeLessThanOrEqual(700);
    const where = users.where(({ team }) => team.eq('new'));
    expect(await table.explain({ where })).toMatchObject({ access: 'index', count: 2 });
    expect(await table.explain({ where: "email eq 'u7@x'" })).toMatchObject({ count: 0 });
  });

  it('stops if another account declares others', async () => {
    await table.insertMany(Array.from({ length: 1200 }, (_, n) => row(n)));
    const others = defineTable('Users', PROPERTIES, { indexes: [['joined']] });

    // The first step of the other account comes before the second one of this call.
    const operation = { kind: 'setTableIndexes', table: 'Users', orderBy: 'joined' } as const;
    let other: Promise<unknown> | undefined;
    const first = account.updateIndexes(users, {
      onProgress: () => void (other ??= account.session.request(operation)),
    });
    expect(await errorCode(first)).toBe('UpdateConditionNotSatisfied');
    await other;
    await account.updateIndexes(others);
    const where = others.where(({ joined }) => joined.eq(day(5)));
    expect((await table.explain({ where })).index).toBe('joined');
  });

  it('refuses a missing table', async () => {
    await account.deleteTable('Users');
    expect(await errorCode(account.updateIndexes(users))).toBe('TableNotFound');
  });

  it('takes names that a client escapes', async () => {
    await account.createTable('Plain');
    const table = account.tableClient('Plain');
    await table.createEntity({ partitionKey: 'p', rowKey: '1', $etag: 'a text' });
    await account.updateIndexes({ tableName: 'Plain', indexes: [['$etag'], ['words($etag)']] });

    expect((await table.explain({ filter: "etag eq 'a text'" })).index).toBe('etag');
    expect(await table.search('$etag', 'text')).toHaveLength(1);
  });

  it('takes the indexes of a table without a definition', async () => {
    await account.createTable('Plain');
    const table = account.tableClient('Plain');
    await table.createEntity({ partitionKey: 'p', rowKey: '1', city: 'Paris', text: 'The Seine' });
    const indexes = [['city', 'rowKey desc'], ['words(text)']] as const;
    expect(await account.updateIndexes({ tableName: 'Plain', indexes })).toEqual({ entities: 1 });

    expect(await table.explain({ filter: "city eq 'Paris'" })).toMatchObject({
      ...{ access: 'index', index: 'city,RowKey desc', count: 1 },
    });
    expect(await table.search('text', 'seine')).toHaveLength(1);
    await account.updateIndexes({ tableName: 'Plain', indexes: [] });
    expect((await table.explain({ filter: "city eq 'Paris'" })).access).toBe('table scan');
  });

  it.each([
    [undefined],
    ['Users'],
    [{}],
    [{ tableName: 'Users' }],
    [{ tableName: 'Users', indexes: ['email'] }],
    [{ tableName: 'Users', indexes: [[]] }],
    [{ tableName: 'Users', indexes: [['email', 1]] }],
    [{ tableName: 'Users', indexes: [['em ail']] }],
    [{ indexes: [['email']] }],
  ])('refuses %j, and changes nothing', async (wrong) => {
    await account.updateIndexes(users);
    expect(await errorCode(account.updateIndexes(wrong as typeof users))).toBe('InvalidInput');
    expect((await table.explain({ where: "team eq 'a'" })).access).toBe('index');
  });
});

describe('an index', () => {
  beforeEach(async () => {
    await account.updateIndexes(users);
    await table.insertMany(Array.from({ length: 300 }, (_, n) => row(n)));
  });

  it('serves lists, counts, sums and changes by a filter', async () => {
    const where = users.where(({ team, joined }) => and(team.eq('t3'), joined.lt(day(100))));

    expect(await table.explain({ where })).toMatchObject({ index: 'team,joined desc', count: 10 });
    const keys = [43, 13, 83, 53, 23, 93, 63, 33, 3, 73];
    const inOrder = keys.sort((a, b) => (a % 7) - (b % 7) || (`${a}` < `${b}` ? -1 : 1));
    expect(rowKeys(await table.list({ where }))).toEqual(inOrder.map(String));
    expect(await table.aggregate({ where, groupBy: ['team'] })).toEqual([{ team: 't3' }]);

    expect(await table.updateMany({ where, set: { team: 'moved' } })).toMatchObject({
      updated: 10,
    });
    const moved = users.where(({ team }) => team.eq('moved'));
    expect(await table.explain({ where: moved })).toMatchObject({ access: 'index', count: 10 });
    expect(await table.deleteMany({ where: moved })).toMatchObject({ deleted: 10 });
    expect(await table.count({ where: moved })).toBe(0);
  });

  it('gives the first entities of an order', async () => {
    const where = users.where(({ team }) => team.eq('t3'));
    const newest = await table.list({ where, orderBy: ['joined desc'], limit: 3 });
    expect(rowKeys(newest)).toEqual(['293', '283', '273']);
  });
});

describe('an index that includes properties', () => {
  const included = async (indexes: NonNullable<TableOptions['indexes']>) => {
    await account.updateIndexes({ tableName: 'Users', indexes });
    const plan = await table.explain({ where: ({ team }) => team.eq('t3') });
    return plan.included;
  };

  it('answers lists and counts as without it, after every change', async () => {
    await table.insertMany(Array.from({ length: 40 }, (_, n) => row(n)));
    const answers = async () => {
      const where = plain.where(({ team }) => team.eq('t3'));
      return [
        await table.list({ where }),
        await table.list({ where, select: ['email', 'etag', 'timestamp'] }),
        await table.list({ orderBy: ['team', 'joined desc'], limit: 7 }),
        await table.list({ orderBy: ['team', 'joined desc'], limit: 7, select: ['joined'] }),
        await table.count({ where }),
      ];
    };
    const declarations = [
      [{ by: ['team', 'joined desc'], include: 'all' }],
      [{ by: ['team', 'joined desc'], include: ['email'] }],
    ] as const;
    for (const indexes of declarations) {
      await account.updateIndexes({ tableName: 'Users', indexes });
      await table.update(row(3), { email: 'changed@x' });
      await table.delete(row(13));
      await table.insert({ ...row(13), team: 't3', email: 'again@x' });
      const covered = await answers();
      await account.updateIndexes({ tableName: 'Users', indexes: [] });
      expect(covered).toEqual(await answers());
    }
  });

  it('is told by `explain`', async () => {
    await table.insert(row(3));
    expect(await included([['team']])).toBeUndefined();
    expect(await included([{ by: ['team'], include: ['email'] }])).toBe('team,email');
    expect(await included([{ by: ['team'], include: 'all' }])).toBe('*');
  });

  it('has all of a row if it includes every property', async () => {
    const indexes = [{ by: ['team'], include: ['email', 'joined'] }] as const;
    await account.updateIndexes(defineTable('Users', PROPERTIES, { indexes }));
    const plan = await table.explain({ where: ({ team }) => team.eq('t3') });
    expect(plan.included).toBe('*');
  });
});
