import { beforeEach, describe, expect, it } from 'vitest';

import { TableError } from '../../../js/src/base/errors.js';
import type { TableClient } from '../../../js/src/client/table-client.js';
import { openAccount } from '../../../js/src/index.js';
import type { CommitResult, PageStorage } from '../../../js/src/storage/page-storage.js';
import type { ImportProgress, ImportSource } from '../../../js/src/transfer/models.js';
import { collect, openForTest, openTable } from '../support/accounts.js';
import { errorCode, rejection, tableError } from '../support/rejection.js';
import { STORAGES, WatchedStorage } from '../support/storages.js';

interface Dog {
  partitionKey: string;
  rowKey: string;
  Number: number;
  Text?: string;
}

const dog = (number: number, more: object = {}): Dog => ({
  partitionKey: 'dogs',
  rowKey: String(number).padStart(6, '0'),
  Number: number,
  ...more,
});

function* dogs(count: number, more: object = {}): Generator<Dog> {
  for (let number = 0; number < count; number++) yield dog(number, more);
}

async function* later<T>(all: Iterable<T>): AsyncGenerator<T> {
  for (const one of all) {
    if (Math.random() < 0.01) await new Promise((resolve) => setTimeout(resolve));
    yield one;
  }
}

const wire = ({ partitionKey, rowKey, ...rest }: Dog) => ({
  PartitionKey: partitionKey,
  RowKey: rowKey,
  ...rest,
});
const utf8 = (text: string) => new TextEncoder().encode(text);
const arrayOf = (all: Dog[]) => utf8(JSON.stringify(all.map(wire)));
const linesOf = (all: Dog[]) => utf8(all.map((one) => JSON.stringify(wire(one))).join('\n'));

function* chunksOf(bytes: Uint8Array, size: number): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size);
}

function streamOf(chunks: Iterable<Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = chunks[Symbol.iterator]();
  return new ReadableStream({
    pull(controller) {
      const { done, value } = iterator.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
}

const custom = ({ etag: _e, timestamp: _t, ...rest }: Record<string, unknown>) => rest;
const contents = async (table: TableClient) => (await collect(table.listEntities())).map(custom);

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

  it.each(Object.entries(sources))('takes %s', async (_name, source) => {
    expect(await table.importEntities(source())).toEqual({ read: 3000, stored: 3000 });

    expect(await contents(table)).toEqual(many);
  });

  it('takes nothing', async () => {
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

  it('stores all that comes before an entity at fault, and says which one is', async () => {
    const broken: [unknown, string][] = [
      [{ partitionKey: 'dogs', rowKey: 'a/b' }, 'OutOfRangeInput'],
      [{ partitionKey: 'dogs' }, 'PropertiesNeedValue'],
      [dog(5, { Text: '\ud800' }), 'InvalidInput'],
      [dog(5, { Text: Symbol() }), 'InvalidInput'],
      [dog(5, { etag: 5 }), 'PropertyNameInvalid'],
      [5, 'InvalidInput'],
      [null, 'InvalidInput'],
      [utf8('{}'), 'InvalidInput'],
    ];
    for (const [entity, code] of broken) {
      const source = [...dogs(5), entity, dog(6)] as object[];
      const error = await tableError(table.importEntities(source, { mode: 'Replace' }));
      expect([code, error.code]).toEqual([code, code]);
      expect(error.details.stored).toBe(5);
      expect(await contents(table)).toEqual([...dogs(5)]);
    }
    const error = await tableError(
      table.importEntities(utf8('[' + JSON.stringify(wire(dog(0))) + ','), { mode: 'Replace' }),
    );
    expect(error).toMatchObject({ code: 'InvalidInput', details: { entityIndex: 1, stored: 1 } });
  });

  it('names the keys of the entity at fault, wherever it is in the source', async () => {
    const last = dog(6000, { Text: 'x'.repeat(40_000) });
    const faults: Record<string, object> = {
      'for the core to find': last,
      'found before': dog(6000, { Text: Symbol() }),
    };
    for (const fault of Object.values(faults)) {
      const error = await tableError(
        table.importEntities([...dogs(6000), fault, dog(6001)], { mode: 'Replace' }),
      );

      const { partitionKey, rowKey } = last;
      expect(error.details).toMatchObject({ entityIndex: 6000, partitionKey, rowKey });
      expect(error.message).toContain(`RowKey "${rowKey}", entity 6000 of the input`);
    }
  });

  it.each([0, 1, 25_000])(
    'names the property at fault of entity %i, as an insert does',
    async (at) => {
      function* source() {
        yield* dogs(at);
        yield dog(at, { 'a b': 1, id: { type: 'Guid', value: '1' } });
        yield dog(at + 1);
      }
      const inserted = await tableError(table.createEntity([...source()].at(-2)!));
      const imported = await tableError(table.importEntities(source()));

      expect(inserted.violations).toHaveLength(2);
      expect(imported.violations).toEqual(inserted.violations);
      expect(imported.message).toBe(
        inserted.message.replace(/\.$/, `, entity ${at} of the input.`),
      );
    },
  );

  it('blames no other entity where the source changes one that it has given', async () => {
    const one = dog(0);
    function* source() {
      yield Object.assign(one, { 'a b': 1 });
      delete (one as object as Record<string, unknown>)['a b'];
      yield Object.assign(one, { rowKey: 'x', 'c d': 1 });
    }
    const error = await tableError(table.importEntities(source()));

    expect(error.details).toMatchObject({ entityIndex: 0, rowKey: '000000' });
    expect(error.violations).toEqual([]);
  });

  it.each([
    ['cut', '[{"PartitionKey":"p","RowKey":"r"}'],
    ['text behind the array', '[{"PartitionKey":"p","RowKey":"r"}] x'],
    ['no JSON', 'PartitionKey,RowKey'],
    ['no entity', '5'],
  ])('says which form bytes must have: %s', async (_what, text) => {
    const error = await tableError(table.importEntities(utf8(text)));

    expect(error.code).toBe('InvalidInput');
    expect(error.message).toContain('JSON in UTF-8');
  });

  it('says which form bytes must have: other encodings', async () => {
    const error = await tableError(table.importEntities(Uint8Array.of(0x5b, 0xff, 0xfe)));

    expect(error.message).toContain('JSON in UTF-8');
  });

  it.each([
    ['one that is twice in them', wire(dog(1)), 'EntityAlreadyExists'],
    ['one that is stored', wire(dog(0)), 'EntityAlreadyExists'],
    [
      'one with a value that is none',
      { ...wire(dog(2)), Age: 'x', 'Age@odata.type': 'Edm.Int64' },
      'InvalidInput',
    ],
    [
      'one that is too large',
      { ...wire(dog(2)), Name: 'x'.repeat(40_000) },
      'PropertyValueTooLarge',
    ],
  ])('names the keys of an entity of bytes: %s', async (_, faulty, code) => {
    await table.createEntity(dog(0));

    const error = await tableError(
      table.importEntities(utf8(JSON.stringify([wire(dog(1)), faulty]))),
    );

    const { PartitionKey: partitionKey, RowKey: rowKey } = faulty;
    expect(error.details).toMatchObject({ entityIndex: 1, partitionKey, rowKey });
    expect(error.code).toBe(code);
    expect(error.message).toMatch(
      new RegExp(
        ` Table "Pets", PartitionKey "${partitionKey}", RowKey "${rowKey}", entity 1 of the`,
      ),
    );
    expect(error.message).not.toContain('JSON in UTF-8');
  });

  it('names no keys where it has none', async () => {
    const withoutRowKey = { partitionKey: 'dogs' };
    const error = await tableError(table.importEntities([dog(0), withoutRowKey]));
    expect(error.details).toMatchObject({ entityIndex: 1, partitionKey: 'dogs' });
    expect(error.details).not.toHaveProperty('rowKey');

    const bytes = utf8(JSON.stringify([wire(dog(1)), wire({ ...dog(2), rowKey: 'a/b' })]));
    const inBytes = await tableError(table.importEntities(bytes));
    expect(inBytes.details.entityIndex).toBe(1);
    expect(inBytes.details).not.toHaveProperty('rowKey');
  });

  // Most entities cross the line in another form than that of an insert.
  it('does with each entity what an insert does', async () => {
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

  it('refuses what is no source, and a table that is not there', async () => {
    for (const source of [5, 'text', null, undefined, {}]) {
      expect(await errorCode(table.importEntities(source as never))).toBe('InvalidInput');
    }
    await table.deleteTable();
    expect(await errorCode(table.importEntities(dogs(3)))).toBe('TableNotFound');
    expect(await errorCode(table.importEntities([]))).toBe('TableNotFound');
  });

  // About 12 MB of JSON: three steps.
  const large = () => dogs(3000, { Text: 'x'.repeat(4000) });

  it('tells its progress, and never stores but a prefix', async () => {
    const progress: ImportProgress[] = [];

    await table.importEntities(large(), { onProgress: (now) => progress.push(now) });

    expect(progress.length).toBeGreaterThan(1);
    expect(progress.at(-1)).toEqual({ read: 3000, stored: 3000 });
    for (const [at, { read, stored }] of progress.entries()) {
      expect(stored).toBeGreaterThan(progress[at - 1]?.stored ?? 0);
      expect(read).toBeGreaterThanOrEqual(stored);
    }
  });

  it('ends at once when it is aborted, and says what is stored', async () => {
    const abort = new AbortController();
    const reason = (await rejection(
      table.importEntities(large(), {
        abortSignal: abort.signal,
        onProgress: () => abort.abort(),
      }),
    )) as DOMException & ImportProgress;

    expect(reason).toBeInstanceOf(DOMException);
    expect(reason.name).toBe('AbortError');
    expect(reason.stored).toBeGreaterThan(0);
    expect(reason.stored).toBeLessThan(3000);
    const keys = (await collect(table.listEntities({ queryOptions: { select: ['rowKey'] } }))).map(
      ({ rowKey }) => Number(rowKey),
    );
    expect(keys).toEqual([...Array(reason.stored).keys()]);
  });

  it('can be aborted while its source does not answer, and before it began', async () => {
    let isReturned = false;
    const silent: AsyncIterable<object> = {
      [Symbol.asyncIterator]: () => ({
        next: () => new Promise<never>(() => undefined),
        return: async () => {
          isReturned = true;
          return { done: true as const, value: undefined };
        },
      }),
    };
    const abort = new AbortController();
    const ended = rejection(table.importEntities(silent, { abortSignal: abort.signal }));
    abort.abort();
    expect(await ended).toMatchObject({ name: 'AbortError', stored: 0 });
    expect(isReturned).toBe(true);

    const early = table.importEntities(dogs(9), { abortSignal: AbortSignal.abort() });
    expect(await rejection(early)).toMatchObject({ name: 'AbortError', stored: 0 });
    expect(await contents(table)).toEqual([]);
  });

  it('ends when the account is closed at once, though its source never answers', async () => {
    const account = await openForTest({ storage: open() });
    const silent: AsyncIterable<object> = {
      [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => undefined) }),
    };
    const error = tableError(account.tableClient('Pets').importEntities(silent));
    await account.close();
    expect(await error).toMatchObject({ code: 'AccountClosed', details: { stored: 0 } });
  });

  it('hands on all that an account tells out of which it is fed', async () => {
    const known = { storageKey: 'pages/17', room: { needed: 3 } };
    const source = (async function* () {
      yield* dogs(2);
      throw new TableError('StorageQuotaExceeded', 'full', known);
    })();

    const { code, details } = await tableError(table.importEntities(source));

    expect(code).toBe('StorageQuotaExceeded');
    expect(details).toMatchObject({ ...known, stored: 0 });
  });

  it('hands on what its source or its listener throws', async () => {
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
    // Nothing is left of it: the table can be used as before.
    await table.createEntity(dog(1, { partitionKey: 'cats' }));
  });

  it('does not wait for other writes, nor they for it', async () => {
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

describe('an export', () => {
  const text = (stream: ReadableStream<Uint8Array>) => new Response(stream).text();
  let table: TableClient;

  beforeEach(async () => {
    table = await openTable({ storage: STORAGES[0]!.open() });
  });

  it('is JSON, of what was asked for, with the keys', async () => {
    expect(await text(table.exportEntities())).toBe('');
    expect(JSON.parse(await text(table.exportEntities({ format: 'array' })))).toEqual([]);

    await table.importEntities(dogs(2100, { Text: 'é' }));
    const queryOptions = { filter: 'Number ge 2098', select: ['Text'] };
    const expected = [2098, 2099].map((number) => wire({ ...dog(number), Text: 'é' } as Dog));
    for (const one of expected) delete (one as Partial<Dog>).Number;
    const lines = await text(table.exportEntities({ queryOptions }));
    expect(lines.endsWith('\n')).toBe(true);
    expect(
      lines
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual(expected);
    expect(JSON.parse(await text(table.exportEntities({ queryOptions, format: 'array' })))).toEqual(
      expected,
    );
  });

  it('reads no more than its reader wants', async () => {
    await table.importEntities(dogs(5000));
    const reader = table.exportEntities().getReader();
    const { value } = await reader.read();
    expect(new TextDecoder().decode(value).trim().split('\n')).toHaveLength(1000);
    await reader.cancel();
  });

  it('fails under the code of the service', async () => {
    const read = (options: object) => table.exportEntities(options).getReader().read();
    expect(await errorCode(read({ queryOptions: { filter: 'Number eq' } }))).toBe('InvalidInput');
    expect(() => table.exportEntities({ format: 'xml' as never })).toThrow(TableError);
    await table.deleteTable();
    expect(await errorCode(read({}))).toBe('TableNotFound');
  });
});

describe('an import into a storage that fails', () => {
  const large = () => dogs(3000, { Text: 'x'.repeat(4000) });

  async function withCommits(
    commit: (count: number, inner: () => Promise<CommitResult>) => Promise<CommitResult>,
  ) {
    const inner = STORAGES[0]!.open();
    let count = -1;
    const storage: PageStorage = Object.assign(new WatchedStorage(inner), {
      commit: (...given: Parameters<PageStorage['commit']>) =>
        commit(++count, () => inner.commit(...given)),
    });
    const account = await openAccount({ storage });
    await account.createTable('Pets');
    return { account, inner, table: account.tableClient('Pets') };
  }

  it('says how much is stored when there is no room', async () => {
    const { table, account } = await withCommits(async (count, inner) =>
      count < 3 ? inner() : { outcome: 'quota', cause: new Error('full') },
    );
    const error = await tableError(table.importEntities(large()));
    expect(error.code).toBe('StorageQuotaExceeded');
    expect(error.cause).toEqual(new Error('full'));
    const { stored } = error.details;
    expect(stored).toBeGreaterThan(0);
    expect(await contents(table)).toHaveLength(stored!);
    await account.close();
  });

  it('says how much is stored when the account is closed', async () => {
    const { table, account, inner } = await withCommits((_count, store) => store());
    let closing: Promise<void> | undefined;
    const error = await tableError(
      table.importEntities(large(), { onProgress: () => void (closing ??= account.close()) }),
    );
    expect(error.code).toBe('AccountClosed');
    await closing;
    const again = await openAccount({ storage: inner });
    expect(error.details.stored).toBeGreaterThan(0);
    expect(await contents(again.tableClient('Pets'))).toHaveLength(error.details.stored!);
    await again.close();
  });
});
