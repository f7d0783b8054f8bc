import { beforeEach, describe, expect, it } from 'vitest';

import type { TableClient } from '../../../js/src/client/table-client.js';
import { openAccount } from '../../../js/src/index.js';
import type { CommitResult, PageStorage } from '../../../js/src/storage/page-storage.js';
import { openTable } from '../support/accounts.js';
import { tableError } from '../support/rejection.js';
import { STORAGES, WatchedStorage } from '../support/storages.js';
import { dog, dogs, wire, utf8, contents } from '../support/dogs.js';

describe.each(STORAGES)('an entity at fault, in an import into $adapter storage', ({ open }) => {
  let table: TableClient;

  beforeEach(async () => {
    table = await openTable({ storage: open() });
  });

  it('stores all entities before an entity at fault, and names that one', async () => {
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

  it('names keys that begin with a U+FEFF', async () => {
    const keys = { partitionKey: '\ufeffdogs', rowKey: '\ufeffrex' };
    const error = await tableError(
      table.importEntities([{ ...keys, Text: 'x'.repeat(40_000) }], { mode: 'Replace' }),
    );

    expect(error.details).toMatchObject(keys);
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

      expect(inserted.issues).toHaveLength(2);
      expect(imported.issues).toEqual(inserted.issues);
      expect(imported.message).toBe(
        inserted.message.replace(/\.$/, `, entity ${at} of the input.`),
      );
    },
  );

  it('names the right entity if the source changes an earlier one', async () => {
    const one = dog(0);
    function* source() {
      yield Object.assign(one, { 'a b': 1 });
      delete (one as object as Record<string, unknown>)['a b'];
      yield Object.assign(one, { rowKey: 'x', 'c d': 1 });
    }
    const error = await tableError(table.importEntities(source()));

    expect(error.details).toMatchObject({ entityIndex: 0, rowKey: '000000' });
    expect(error.issues).toEqual([]);
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

  it('names the form that bytes must have: other encodings', async () => {
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

  it('names the line of an entity in JSON Lines, and how keys are named there', async () => {
    const lines = [wire(dog(1)), {}, dog(2)].map((entity) => JSON.stringify(entity));
    const error = await tableError(table.importEntities(utf8(lines.toSpliced(1, 1).join('\n'))));
    expect(error.code).toBe('PropertiesNeedValue');
    expect(error.details).toMatchObject({ entityIndex: 1, line: 2, stored: 1 });
    expect(error.message).toMatch(
      / In JSON, the keys are named PartitionKey and RowKey\. Table "Pets", entity 1 of the input, line 2\.$/,
    );

    const pieces = [...utf8(`\ufeff\n${lines[1]}`)].map((byte) => Uint8Array.of(byte));
    expect((await tableError(table.importEntities(pieces))).details.line).toBe(1);
    const array = await tableError(table.importEntities(utf8(` [${lines[1]}]`)));
    expect(array.details).not.toHaveProperty('line');
  });

  it('has no keys if the entity has none', async () => {
    const withoutRowKey = { partitionKey: 'dogs' };
    const error = await tableError(table.importEntities([dog(0), withoutRowKey]));
    expect(error.details).toMatchObject({ entityIndex: 1, partitionKey: 'dogs' });
    expect(error.details).not.toHaveProperty('rowKey');

    const bytes = utf8(JSON.stringify([wire(dog(1)), wire({ ...dog(2), rowKey: 'a/b' })]));
    const inBytes = await tableError(table.importEntities(bytes));
    expect(inBytes.details.entityIndex).toBe(1);
    expect(inBytes.details).not.toHaveProperty('rowKey');
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

  it('reports how much is stored when there is no room', async () => {
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

  it('reports how much is stored when the account is closed', async () => {
    const { table, account, inner } = await withCommits((_count, store) => store());
    let closing: Promise<void> | undefined;
    const error = await tableError(
      table.importEntities(large(), {
        onProgress: ({ stored }) => {
          if (stored > 0) closing ??= account.close();
        },
      }),
    );
    expect(error.code).toBe('AccountClosed');
    await closing;
    const again = await openAccount({ storage: inner });
    expect(error.details.stored).toBeGreaterThan(0);
    expect(await contents(again.tableClient('Pets'))).toHaveLength(error.details.stored!);
    await again.close();
  });
});
