// Filters beyond the service: dialect 'extended'.

import { beforeEach, describe, expect, it } from 'vitest';

import { count, odata, TableError, type TableClient } from '../../../js/src/index.js';
import { remoteAccount } from '../../../js/src/remote.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { collect, openTable } from '../support/accounts.js';
import { errorCode, tableError } from '../support/rejection.js';
import { STORAGES } from '../support/storages.js';

const dialect = 'extended';

describe.each(STORAGES)('the extended dialect over $adapter storage', ({ open }) => {
  let table: TableClient;

  beforeEach(async () => {
    table = await openTable({ storage: open() });
    await table.importEntities([
      { partitionKey: 'cats', rowKey: '1', name: 'Ada', weight: 32, born: new Date('2021-05-06Z') },
      { partitionKey: 'cats', rowKey: '2', name: 'Béla', weight: 31.2, chip: 2n ** 53n + 1n },
      { partitionKey: 'dogs', rowKey: '3', name: 'ADAM', weight: 31n, tag: 'x' },
      { partitionKey: 'dogs', rowKey: '4', name: 7, weight: 'heavy', tag: 'adam' },
      { partitionKey: 'owls', rowKey: '5', loud: true },
    ]);
  });

  const found = async (filter: string) => {
    const entities = await collect(table.listEntities({ filter, dialect }));
    return entities.map(({ rowKey }) => rowKey).join('');
  };

  it.each([
    // Numbers of any type, by their values.
    ['weight gt 31.2', '1'],
    ['weight ge 31.2', '12'],
    ['weight eq 31.0', '3'],
    ['weight lt 31.5', '23'],
    ['chip gt 9007199254740992L', '2'],
    ['chip gt 9007199254740992.0', '2'],
    ['chip eq 9007199254740992.0', ''],
    // Missing properties, and other types, are equal to nothing.
    ['weight ne 31.2', '13'],
    ['not (weight ne 31.2)', '245'],
    ["weight ne 'heavy'", ''],
    // Texts.
    ["startswith(name,'A')", '13'],
    ["endswith(name,'la')", '2'],
    ["contains(name,'d')", '1'],
    ["contains(tolower(name),'ada')", '13'],
    ["not contains(tolower(name),'ada')", '245'],
    ["toupper(name) eq 'BÉLA'", '2'],
    ['length(name) eq 4', '23'],
    ["contains(name,'d') eq false", '2345'],
    // Lists.
    ["name in ('ADAM','Ada')", '13'],
    ['weight in (31, 32.0)', '13'],
    ['name in (7L)', '4'],
    ["tolower(name) in ('adam')", '3'],
    // Properties with one another.
    ['tolower(name) eq tag', ''],
    ['weight gt length(name)', '123'],
    // Arithmetic.
    ['weight mul 2 sub 1 eq 63', '1'],
    ['weight div 2 eq 15', '3'],
    ['weight mod 2 eq 1', '3'],
    ['weight div 0 eq 1', ''],
    ['weight add 9223372036854775807L gt 0', '2'],
    // Dates.
    ['year(born) eq 2021 and month(born) eq 5 and day(born) eq 6', '1'],
    ['hour(born) add minute(born) add second(born) eq 0', '1'],
    ['year(Timestamp) gt 2000', '12345'],
    // Keys.
    ["startswith(PartitionKey,'c')", '12'],
    ["contains(PartitionKey,'og') and RowKey in ('4','5')", '4'],
    ['length(RowKey) eq 1', '12345'],
    ['loud', '5'],
    ['', '12345'],
  ])('finds by %s', async (filter, rows) => {
    expect(await found(filter)).toBe(rows);
    expect(await table.countEntities({ filter, dialect })).toBe(rows.length);
    // Also before the entities are in pages.
    for (const entity of await collect(table.listEntities())) await table.updateEntity(entity);
    expect(await found(filter)).toBe(rows);
  });

  it('is one of every query', async () => {
    const filter = "startswith(name,'A')";
    const query = { filter, dialect } as const;

    const ordered = table.listEntities({ ...query, orderBy: ['name desc'] });
    expect((await collect(ordered)).map(({ name }) => name)).toEqual(['Ada', 'ADAM']);
    expect(await table.aggregate({ ...query, select: { n: count() } })).toEqual([{ n: 2 }]);
    const exported = await new Response(table.exportEntities(query)).text();
    expect(exported.trim().split('\n')).toHaveLength(2);
    const { updated } = await table.updateEntities({ ...query, set: { seen: true } });
    expect(updated).toBe(2);
    expect(await table.deleteEntities(query)).toEqual({ found: 2, deleted: 2 });
    expect(await table.countEntities()).toBe(3);
  });

  it('is one of live results, which may change it', async () => {
    const filter = "endswith(RowKey,'5')";
    const abort = new AbortController();
    const live = table.liveEntities({ filter, dialect, abortSignal: abort.signal });
    const counts = table.liveCount({ filter, dialect })[Symbol.asyncIterator]();
    const rows = live[Symbol.asyncIterator]();
    const next = async () =>
      ((await rows.next()).value as { rowKey: string }[]).map((row) => row.rowKey);

    expect(await next()).toEqual(['5']);
    expect((await counts.next()).value).toBe(1);
    await table.createEntity({ partitionKey: 'owls', rowKey: '65' });
    expect(await next()).toEqual(['5', '65']);
    expect((await counts.next()).value).toBe(2);
    live.update({ filter: 'length(RowKey) eq 2', dialect });
    expect(await next()).toEqual(['65']);
    await counts.return?.();
    abort.abort();
  });

  it('limits what is read by the beginnings of keys', async () => {
    const explain = async (filter: string) => (await table.explain({ filter, dialect })).access;

    expect(await explain("startswith(PartitionKey,'d')")).toBe('partition range');
    expect(await explain("PartitionKey eq 'dogs' and startswith(RowKey,'3')")).toBe('row range');
    expect(await explain("PartitionKey in ('dogs','owls')")).toBe('partition scan');
    expect(await explain("contains(PartitionKey,'d')")).toBe('table scan');
  });
});

describe('the extended dialect', () => {
  it('names the place of an error', async () => {
    const table = await openTable({ storage: memoryStorage() });
    const messageOf = async (filter: string) => {
      const error = await tableError(table.countEntities({ filter, dialect }));
      expect(error.code).toBe('InvalidInput');
      return error.message;
    };

    expect(await messageOf('age add')).toContain('Position 7 is the end of the filter.');
    expect(await messageOf("age eq 5 and concat(a,'b')")).toContain(
      "Unrecognized function 'concat' at '13'",
    );
    expect(await messageOf('name in ()')).toContain('Syntax error at position 10');
    expect(await messageOf('tolower(name)')).toContain('Syntax error at position 13');
  });

  it('is no default, and no dialect of a remote account', async () => {
    const table = await openTable({ storage: memoryStorage() });
    const filter = "contains(name,'x')";

    const error = await tableError(table.countEntities({ filter }));
    expect(error.code).toBe('NotImplemented');
    expect(error.message).toContain("dialect 'extended'");
    expect(await errorCode(table.countEntities({ filter, dialect: 'service' }))).toBe(
      'NotImplemented',
    );
    const other = { filter, dialect: 'odata' as 'service' };
    expect(await errorCode(table.countEntities(other))).toBe('InvalidInput');
    const url = 'https://contoso.table.core.windows.net';
    const remote = remoteAccount({ url, key: btoa('key') }).tableClient('Pets');
    const list = remote.listEntities as (options: object) => unknown;
    expect(() => list.call(remote, { filter, dialect })).toThrow(TableError);
  });

  it('changes the case of letters as the platform does', async () => {
    // Letters of Latin, Greek, Cyrillic, Armenian, Georgian, Deseret and others.
    const ranges = [
      [0x20, 0x58f],
      [0x10a0, 0x10ff],
      [0x1e00, 0x1fff],
      [0x2c00, 0x2d2f],
      [0x10400, 0x1044f],
    ];
    const letters = ranges.flatMap(([first, last]) =>
      Array.from({ length: last! - first! + 1 }, (_, i) => String.fromCodePoint(first! + i)),
    );
    // One letter becomes one letter.
    const isOne = (text: string) => [...text].length === 1;
    const cased = letters.filter((one) => isOne(one.toLowerCase()) && isOne(one.toUpperCase()));
    const table = await openTable({ storage: memoryStorage() });
    const text = cased.join('');
    await table.createEntity({
      ...{ partitionKey: 'p', rowKey: '1', text },
      // Letter by letter: at the end of a word, the platform has another sigma.
      ...{ lower: cased.map((one) => one.toLowerCase()).join('') },
      ...{ upper: cased.map((one) => one.toUpperCase()).join('') },
    });

    expect(cased.length).toBeGreaterThan(1500);
    for (const filter of ['tolower(text) eq lower', 'toupper(text) eq upper']) {
      expect(await table.countEntities({ filter, dialect })).toBe(1);
    }
  });

  it('warns in development of what the filter can never find', async () => {
    const warnings: string[] = [];
    const table = await openTable({
      storage: memoryStorage(),
      developmentWarnings: ({ code, property }) => warnings.push(`${code} ${property}`),
    });
    await table.createEntity({ partitionKey: 'p', rowKey: '1', age: 5, name: 'Rex' });

    await table.countEntities({ filter: 'age lt 5.5 and length(name) eq 3', dialect });
    await table.countEntities({ filter: "contains(nme,'x')", dialect });
    await expect.poll(() => warnings).toEqual(['unknown-property nme']);
  });

  it('takes values from the odata tag', async () => {
    const table = await openTable({ storage: memoryStorage() });
    await table.createEntity({ partitionKey: 'p', rowKey: '1', name: "O'Neil" });

    const filter = odata`contains(name,${"'N"}) and PartitionKey in (${'p'},${'q'})`;
    expect(await table.countEntities({ filter, dialect })).toBe(1);
  });
});
