import { beforeEach, describe, expect, it } from 'vitest';

import { TableError } from '../../../js/src/base/errors.js';
import type { TableClient } from '../../../js/src/client/table-client.js';
import type { ImportProgress, ImportSource } from '../../../js/src/transfer/models.js';
import { collect, openForTest, openTable } from '../support/accounts.js';
import { errorCode, rejection, tableError } from '../support/rejection.js';
import { STORAGES } from '../support/storages.js';
import {
  type Dog,
  dog,
  dogs,
  later,
  arrayOf,
  linesOf,
  chunksOf,
  streamOf,
  contents,
} from '../support/dogs.js';

describe.each(STORAGES)('an import into $adapter storage', ({ open }) => {
  let table: TableClient;

  beforeEach(async () => {
    table = await openTable({ storage: open() });
  });

  const many = [...dogs(3000)];
  const sources: Record<string, () => ImportSource> = {
    'an array of entities': () => many,
    'a generator of entities': () => dogs(3000),
    'an async generator of entities': () => later(many),
    'the bytes of an array': () => arrayOf(many),
    'the bytes of lines': () => linesOf(many),
    'chunks of bytes': () => chunksOf(arrayOf(many), 1001),
    'async chunks of bytes': () => later(chunksOf(linesOf(many), 1001)),
    'a stream': () => streamOf(chunksOf(arrayOf(many), 70_001)),
  };

  it.each(Object.entries(sources))('reads %s', async (_name, source) => {
    expect(await table.importEntities(source())).toEqual({ read: 3000, stored: 3000 });

    expect(await contents(table)).toEqual(many);
  });

  it('accepts a source without entities', async () => {
    for (const source of [[], new Uint8Array(), streamOf([])]) {
      expect(await table.importEntities(source)).toEqual({ read: 0, stored: 0 });
    }
  });

  it('inserts, replaces or merges', async () => {
    await table.createEntity(dog(1, { Old: true }));

    const error = await tableError(table.importEntities(dogs(3)));
    expect(error.code).toBe('EntityAlreadyExists');
    expect(error.details).toMatchObject({ entityIndex: 1, stored: 1 });
    expect(error.message).toBe(
      `The specified entity already exists. Table "Pets", PartitionKey "dogs", RowKey "${dog(1).rowKey}", entity 1 of the input.`,
    );
    expect(await contents(table)).toEqual([dog(0), dog(1, { Old: true })]);

    await table.importEntities(dogs(2, { New: 1 }), { mode: 'Merge' });
    expect(await contents(table)).toEqual([dog(0, { New: 1 }), dog(1, { New: 1, Old: true })]);

    await table.importEntities(dogs(2, { New: 2 }), { mode: 'Replace' });
    expect(await contents(table)).toEqual([...dogs(2, { New: 2 })]);

    expect(await errorCode(table.importEntities([], { mode: 'Other' as never }))).toBe(
      'InvalidInput',
    );
  });

  it('treats each entity like an insert', async () => {
    class Dated {
      readonly partitionKey = 'dogs';
      rowKey = 'n';
      get Inherited() {
        return 5;
      }
    }
    const long = (units: number) => 'é'.repeat(units);
    const values: object = {
      zero: [0, -0, 1, 2 ** 31, -(2 ** 31), 0.1, 2 ** 53, NaN, Infinity],
      large: [2n ** 63n - 1n, -(2n ** 63n), 2n ** 63n, 10n ** 40n],
      text: [
        '',
        'é',
        '€ to 😀',
        'x'.repeat(49),
        long(100),
        long(32_768),
        long(32_769),
        '\ud800',
        '"\\\n\0',
      ],
      bytes: [new Uint8Array(), new Uint8Array(200).fill(255), new Uint8Array(65_537)],
      dates: [0, -11_644_473_600_000, -11_644_473_600_001, 253_402_300_799_999, 8.64e15, NaN, -1]
        .concat(1_391_400_306_789)
        .map((time) => new Date(time)),
      rest: [true, false, null, undefined, {}, [], () => 0, Symbol(), Object(1)],
      typed: [
        { type: 'Guid', value: '7b0b7a3e-52d7-4a43-9c1b-51e6f3f0c001' },
        { type: 'Double', value: 3 },
        { type: 'Int32', value: '5' },
        { type: 'Int32', value: 'x' },
        { type: 'Other', value: 1 },
      ],
    };
    const names = ['é', 'a-b', '_', '__proto__', 'PartitionKey', 'RowKey', 'Timestamp', 'etag'];
    names.push('timestamp', 'odata.type', 'A@odata.type', 'a'.repeat(255), 'a'.repeat(256), '');
    const all: object[] = Object.values(values)
      .flat()
      .map((A: unknown) => ({ partitionKey: 'dogs', rowKey: 'n', A, B: 'b' }));
    for (const name of names) {
      const one = { partitionKey: 'dogs', rowKey: 'n', B: 1 };
      for (const value of ['Edm.String', 5, '2024-01-01T00:00:00Z', 'W/""']) {
        all.push(Object.defineProperty({ ...one }, name, { value, enumerable: true }));
      }
    }
    for (const key of ['', 'a/b', '\ud800', '😀', 'x'.repeat(1024), 'x'.repeat(1025), 5, null]) {
      all.push({ partitionKey: key, rowKey: 'n' }, { B: 1, rowKey: key, partitionKey: 'dogs' });
    }
    const many = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`P${i}`, i]));
    const texts = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`P${i}`, 'x'.repeat(30_000)]));
    all.push(new Dated(), { rowKey: 'n' }, {}, [], new Date());
    for (const more of [many(252), many(253), texts(17), texts(40), texts(160)]) {
      all.push({ partitionKey: 'dogs', rowKey: 'n', ...more });
    }
    let stored = 0;
    for (const [at, entity] of all.entries()) {
      const outcomes = [];
      for (const work of [
        () => table.createEntity(entity as Dog),
        () => table.importEntities([entity]),
      ]) {
        const code = await work().then(
          () => (stored++, 'stored'),
          (error: unknown) => (error as TableError).code,
        );
        outcomes.push([at, code, await contents(table)]);
        const { partitionKey, rowKey } = (await collect(table.listEntities()))[0] ?? {};
        if (typeof partitionKey === 'string')
          await table.deleteEntity(partitionKey, rowKey as string);
      }
      expect(outcomes[1]).toEqual(outcomes[0]);
    }
    expect(stored).toBeGreaterThan(80);
  });

  it('refuses values that are no source, and a missing table', async () => {
    for (const source of [5, 'text', null, undefined, {}]) {
      expect(await errorCode(table.importEntities(source as never))).toBe('InvalidInput');
    }
    await table.deleteTable();
    expect(await errorCode(table.importEntities(dogs(3)))).toBe('TableNotFound');
    expect(await errorCode(table.importEntities([]))).toBe('TableNotFound');
  });

  // About 12 MB of JSON: three steps.
  const large = () => dogs(3000, { Text: 'x'.repeat(4000) });

  it('reports its progress, and always stores a prefix', async () => {
    const progress: ImportProgress[] = [];

    await table.importEntities(large(), { onProgress: (now) => progress.push(now) });

    // At least every 512 KiB.
    expect(progress.length).toBeGreaterThan(24);
    expect(progress.at(-1)).toEqual({ read: 3000, stored: 3000 });
    for (const [at, { read, stored }] of progress.entries()) {
      const last = progress[at - 1] ?? { read: 0, stored: 0 };
      expect(read + stored).toBeGreaterThan(last.read + last.stored);
      expect(read).toBeGreaterThanOrEqual(last.read);
      expect(stored).toBeGreaterThanOrEqual(last.stored);
      expect(read).toBeGreaterThanOrEqual(stored);
    }
  });

  it('ends at once when it is aborted, and reports what is stored', async () => {
    const abort = new AbortController();
    const reason = (await rejection(
      table.importEntities(large(), {
        abortSignal: abort.signal,
        onProgress: ({ stored }) => stored > 0 && abort.abort(),
      }),
    )) as DOMException & ImportProgress;

    expect(reason).toBeInstanceOf(DOMException);
    expect(reason.name).toBe('AbortError');
    expect(reason.stored).toBeGreaterThan(0);
    expect(reason.stored).toBeLessThan(3000);
    const keys = (await collect(table.listEntities({ select: ['rowKey'] }))).map(({ rowKey }) =>
      Number(rowKey),
    );
    expect(keys).toEqual([...Array(reason.stored).keys()]);
  });

  it('ends when the account is closed, although its source never answers', async () => {
    const account = await openForTest({ storage: open() });
    const silent: AsyncIterable<object> = {
      [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => undefined) }),
    };
    const error = tableError(account.tableClient('Pets').importEntities(silent));
    await account.close();
    expect(await error).toMatchObject({ code: 'AccountClosed', details: { stored: 0 } });
  });

  it('passes on every error of an account that is its source', async () => {
    const known = { storageKey: 'pages/17', room: { needed: 3 } };
    const source = (async function* () {
      yield* dogs(2);
      throw new TableError('StorageQuotaExceeded', 'full', known);
    })();

    const { code, details } = await tableError(table.importEntities(source));

    expect(code).toBe('StorageQuotaExceeded');
    expect(details).toMatchObject({ ...known, stored: 0 });
  });

  it('passes on errors of its source and its listener', async () => {
    const fault = new Error('the source is gone');
    function* failing() {
      yield* dogs(100);
      throw fault;
    }
    expect(await rejection(table.importEntities(failing()))).toBe(fault);
    const onProgress = () => {
      throw fault;
    };
    expect(await rejection(table.importEntities(large(), { onProgress }))).toBe(fault);
    // It leaves nothing behind: the table can be used as before.
    await table.createEntity(dog(1, { partitionKey: 'cats' }));
  });

  it('does not wait for other writes, and they do not wait for it', async () => {
    const loading = table.importEntities(large());
    const order: string[] = [];
    await Promise.all([
      loading.then(() => order.push('import')),
      table.createEntity(dog(0, { partitionKey: 'a' })).then(() => order.push('insert')),
    ]);
    expect(order).toEqual(['insert', 'import']);
  });

  it('comes back equal from an export, in both formats', async () => {
    const all = [
      {
        partitionKey: 'p"',
        rowKey: '\u{1F600}',
        String: 'a\u0000é😀\n"\\',
        Int32: -2147483648,
        Beyond: 2147483648,
        Tiny: 5e-324,
        Whole: { type: 'Double', value: 3 },
        NaN: NaN,
        Minus: -Infinity,
        Int64: 2n ** 63n - 1n,
        Boolean: false,
        Date: new Date('1601-01-01T00:00:00.001Z'),
        Ticks: { type: 'DateTime', value: '9999-12-31T23:59:59.9999999Z' },
        Guid: { type: 'Guid', value: '7b0b7a3e-52d7-4a43-9c1b-51e6f3f0c001' },
        Binary: Uint8Array.of(0, 1, 254, 255),
        ['__proto__x']: 1,
      },
      ...dogs(2500),
    ];
    await table.importEntities(all);
    const before = await contents(table);
    expect(before).toHaveLength(2501);
    for (const format of ['array', 'lines'] as const) {
      const other = await openTable({ storage: open() });

      await other.importEntities(table.exportEntities({ format }));

      expect(await contents(other)).toEqual(before);
    }
  });
});
