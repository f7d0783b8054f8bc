// Changes of all entities that fit a filter.

import { beforeEach, describe, expect, expectTypeOf, it, vi } from 'vitest';

import { odata, type DeleteEntitiesProgress, type TableClient } from '../../../js/src/index.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { collect, openForTest, openTable } from '../support/accounts.js';
import { errorCode, rejection, tableError } from '../support/rejection.js';
import { STORAGES } from '../support/storages.js';

// Three partitions: of 250 entities, of one, and of 1,300.
const SIZES = { a: 250, b: 1, c: 1300 };
const ALL = 1551;

function* pets() {
  for (const [partitionKey, size] of Object.entries(SIZES)) {
    for (let index = 0; index < size; index++) {
      const rowKey = `${index}`.padStart(5, '0');
      yield { partitionKey, rowKey, age: index, weight: 1.5, kind: index % 2 ? 'dog' : 'cat' };
    }
  }
}

describe.each(STORAGES)('changes by a filter in $adapter storage', ({ open }) => {
  let table: TableClient;

  beforeEach(async () => {
    table = await openTable({ storage: open() });
    await table.importEntities(pets());
  });

  it('delete what fits, and nothing else', async () => {
    const onProgress = vi.fn<(progress: DeleteEntitiesProgress) => void>();

    const filter = odata`kind eq ${'dog'}`;
    const result = await table.deleteEntities({ filter, onProgress });

    expect(result).toEqual({ found: 775, deleted: 775 });
    expect(onProgress).toHaveBeenLastCalledWith(result);
    expect(await table.countEntities({ filter })).toBe(0);
    expect(await table.countEntities()).toBe(ALL - 775);
    expect(await table.deleteEntities({ filter })).toEqual({ found: 0, deleted: 0 });
  });

  it('delete a whole partition, and a whole table', async () => {
    const onProgress = vi.fn<(progress: DeleteEntitiesProgress) => void>();

    expect(await table.deleteEntities({ filter: "PartitionKey eq 'a'" })).toMatchObject({
      deleted: 250,
    });
    expect(await table.deleteEntities({ filter: 'true', onProgress })).toMatchObject({
      deleted: ALL - 250,
    });

    expect(await table.countEntities()).toBe(0);
    // A step is a page.
    expect(onProgress.mock.calls.map(([{ deleted }]) => deleted)).toEqual([1000, ALL - 250]);
  });

  it('merge properties with their exact types', async () => {
    const set = { weight: 2, chip: 5n, born: new Date(0), tag: { type: 'Int64', value: '7' } };

    const result = await table.updateEntities({ filter: "PartitionKey eq 'c'", set });

    expect(result).toEqual({ found: 1300, updated: 1300, refused: 0 });
    expect(await table.getEntity('c', '00000', { typed: true })).toMatchObject({
      age: { type: 'Int32', value: 0 },
      // A stored Double stays one.
      weight: { type: 'Double', value: 2 },
      chip: { type: 'Int64', value: 5n },
      born: { type: 'DateTime', value: new Date(0) },
      tag: { type: 'Int64', value: 7n },
      kind: { type: 'String', value: 'cat' },
    });
    expect(await table.countEntities({ filter: 'chip eq 5L' })).toBe(1300);
  });

  it('calculate new values of the old ones', async () => {
    const set = vi.fn((pet: Record<string, unknown>) =>
      pet['kind'] === 'dog' ? { ...pet, age: Number(pet['age']) + 1000 } : undefined,
    );

    const result = await table.updateEntities({ filter: "PartitionKey eq 'a'", set });

    expect(result).toEqual({ found: 250, updated: 125, refused: 0 });
    expect(set).toHaveBeenCalledTimes(250);
    expect(await table.getEntity('a', '00007')).toMatchObject({ age: 1007, kind: 'dog' });
    expect(await table.getEntity('a', '00008')).toMatchObject({ age: 8, kind: 'cat' });
  });

  it('leave alone what somebody changed so that it no longer fits', async () => {
    const other = { partitionKey: 'a', rowKey: '00003' };
    const writes: Promise<unknown>[] = [];
    const set = (pet: { rowKey: string }) => {
      if (pet.rowKey === other.rowKey) {
        writes.push(table.updateEntity({ ...other, kind: 'fox' }));
        writes.push(table.deleteEntity('a', '00205'));
        writes.push(table.updateEntity({ partitionKey: 'a', rowKey: '00007', name: 'Rex' }));
      }
      return { seen: true };
    };

    const filter = "PartitionKey eq 'a' and kind eq 'dog'";
    const result = await table.updateEntities({ filter, set });
    await Promise.all(writes);

    expect(writes).toHaveLength(3);
    expect(result).toEqual({ found: 125, updated: 123, refused: 0 });
    expect(await table.getEntity('a', '00003')).not.toHaveProperty('seen');
    expect(await errorCode(table.getEntity('a', '00205'))).toBe('ResourceNotFound');
    // It still fits, so it was read again.
    expect(await table.getEntity('a', '00007')).toMatchObject({ seen: true, name: 'Rex' });
    expect(await table.countEntities({ filter: 'seen eq true' })).toBe(123);
  });

  it('end after a step if they are aborted, and go on when they are called again', async () => {
    const abort = new AbortController();
    const filter = 'not (done eq true)';
    const set = { done: true };

    const error = await rejection(
      table.updateEntities({
        filter,
        set,
        abortSignal: abort.signal,
        onProgress: () => abort.abort(),
      }),
    );

    expect(error).toMatchObject({ name: 'AbortError', stored: 1000 });
    expect(await table.countEntities({ filter: 'done eq true' })).toBe(1000);
    expect(await table.updateEntities({ filter, set })).toMatchObject({ updated: ALL - 1000 });
    expect(await table.countEntities({ filter })).toBe(0);
    const early = table.deleteEntities({ filter: 'true', abortSignal: AbortSignal.abort() });
    expect(await rejection(early)).toMatchObject({ name: 'AbortError', stored: 0 });
    expect(await table.countEntities()).toBe(ALL);
  });
});

describe('changes by a filter', () => {
  let table: TableClient;

  beforeEach(async () => {
    table = await openTable({ storage: memoryStorage() });
    await table.importEntities(pets());
  });

  it('see what another account has written', async () => {
    const storage = memoryStorage();
    const [mine, theirs] = [await openForTest({ storage }), await openForTest({ storage })];
    await mine.createTable('Pets');
    const [here, there] = [mine.tableClient('Pets'), theirs.tableClient('Pets')];
    await here.createEntity({ partitionKey: 'p', rowKey: '1', n: 1 });
    expect(await here.countEntities()).toBe(1);
    await there.createEntity({ partitionKey: 'p', rowKey: '2', n: 1 });

    const set = async (n: number) => await here.updateEntities({ filter: 'n ge 1', set: { n } });
    expect(await set(2)).toMatchObject({ found: 2, updated: 2 });
    await there.updateEntities({ filter: "RowKey eq '1'", set: { n: 0 } });
    expect(await set(3)).toMatchObject({ found: 1, updated: 1 });
    expect((await collect(there.listEntities({ fresh: true }))).map(({ n }) => n)).toEqual([0, 3]);
  });

  it('repeat a step that another change of the same entities has overtaken', async () => {
    const requests = vi.spyOn(table.requests.session, 'request');
    const filter = "PartitionKey eq 'a'";
    const progress = await Promise.all(
      [1, 2, 3, 4].map((n) => table.updateEntities({ filter, set: { n } })),
    );

    expect(progress.map(({ updated }) => updated)).toEqual([250, 250, 250, 250]);
    // None of them is a change of a single entity.
    expect(requests.mock.calls.length).toBeLessThanOrEqual(16);
  });

  it('report each entity that is refused, and go on', async () => {
    const long = 'x'.repeat(32_769);
    const set = (pet: Record<string, unknown>) => ({
      note: Number(pet['age']) === 120 ? long : 'short',
    });
    const refusals: unknown[] = [];

    const filter = "PartitionKey eq 'a'";
    const result = await table.updateEntities({
      filter,
      set,
      onRefused: ({ code, details: { partitionKey, rowKey } }) =>
        refusals.push([code, partitionKey, rowKey]),
    });

    expect(result).toEqual({ found: 250, updated: 249, refused: 1 });
    expect(refusals).toEqual([['PropertyValueTooLarge', 'a', '00120']]);
    expect(await table.getEntity('a', '00120')).not.toHaveProperty('note');
  });

  it('end at the first entity that is refused, if nobody asks for them', async () => {
    const set = (pet: Record<string, unknown>) => ({
      note: 'x'.repeat(32_650 + Number(pet['age'])),
    });

    const error = await tableError(
      table.updateEntities({ filter: "PartitionKey eq 'a' and age gt 110", set }),
    );

    expect(error).toMatchObject({
      code: 'PropertyValueTooLarge',
      details: { table: 'Pets', partitionKey: 'a', rowKey: '00119', stored: 8 },
    });
    // No number of an operation that the caller does not know.
    expect(error.message).not.toMatch(/^\d+:|operation/);
    expect(error.message.match(/Table "Pets"/g)).toHaveLength(1);
    expect(await table.countEntities({ filter: "note gt ''" })).toBe(8);
  });

  it('divide what is too large for one transaction', async () => {
    // 100 of them are 6 MB.
    const set = { note: 'ä'.repeat(30_000) };

    expect(await table.updateEntities({ filter: "PartitionKey eq 'a'", set })).toMatchObject({
      updated: 250,
    });
    expect(await table.countEntities({ filter: "note gt ''" })).toBe(250);
  });

  it('reach only the entity that a function was called for, whatever it does to it', async () => {
    const set = (entity: object) =>
      Object.assign(entity, { rowKey: '00007', etag: '*' }) && { n: 1 };
    const result = await table.updateEntities({ filter: "RowKey eq '00003'", set });

    expect(result).toEqual({ found: 2, updated: 2, refused: 0 });
    const changed = await collect(table.listEntities({ filter: 'n eq 1' }));
    expect(changed.map(({ rowKey }) => rowKey)).toEqual(['00003', '00003']);
  });

  it('end with an error if the function changes its own entity each time', async () => {
    let calls = 0;
    const set = (pet: { partitionKey: string; rowKey: string }) => {
      const { partitionKey, rowKey } = pet;
      void table.updateEntity({ partitionKey, rowKey, calls: ++calls });
      return { done: true };
    };

    const error = await tableError(table.updateEntities({ filter: 'age eq 3', set: set as never }));

    expect(error.code).toBe('UpdateConditionNotSatisfied');
    expect(error.message).toContain('set must not write to the table');
    expect(error.details.stored).toBe(0);
  });

  it('refuse a function that returns a promise', async () => {
    const set = () => Promise.resolve({ n: 1 });
    const call = table.updateEntities({ filter: 'age eq 3', set: set as never });

    expect(await errorCode(call)).toBe('InvalidInput');
  });

  it('need a filter, and properties or a function that keeps the keys', async () => {
    const none = { filter: undefined as unknown as string };
    const missing = await tableError(table.deleteEntities(none));
    expect(missing.message).toContain("'true' is the filter of all entities");
    expect(await errorCode(table.deleteEntities({ filter: ' ' }))).toBe('InvalidInput');
    expect(await errorCode(table.updateEntities({ filter: '', set: {} }))).toBe('InvalidInput');
    const unclosed = 'age eq 1) or (age eq 2';
    expect(await errorCode(table.deleteEntities({ filter: unclosed }))).toBe('InvalidInput');
    const filter = "PartitionKey eq 'b'";
    const keys = [{ rowKey: 'x' }, { PartitionKey: 'x' }, () => ({ rowKey: 'x' })];
    for (const set of [undefined, 5, [], ...keys, () => 5]) {
      const call = table.updateEntities({ filter, set: set as never });
      expect(await errorCode(call)).toBe('InvalidInput');
    }
    const own = new Error('mine');
    const failing = () => {
      throw own;
    };
    expect(await rejection(table.updateEntities({ filter, set: failing }))).toBe(own);
    expect(await table.countEntities()).toBe(ALL);
    expect(await table.countEntities({ filter: 'age lt 2000' })).toBe(ALL);
  });

  it('fail with the errors of a query', async () => {
    const gone = await openTable({ storage: memoryStorage() }, 'Other');
    await gone.deleteTable();

    expect(await errorCode(gone.deleteEntities({ filter: 'true' }))).toBe('TableNotFound');
    const error = await tableError(table.deleteEntities({ filter: 'age eq' }));
    expect(error.message).toContain('Position 6 is the end of the filter.');
    expect(error.details.stored).toBe(0);
  });

  it('do not take what the caller changes later', async () => {
    const set = { kind: 'fox' };
    const call = table.updateEntities({ filter: "PartitionKey eq 'b'", set });
    set.kind = 'owl';
    await call;

    expect(await table.getEntity('b', '00000')).toMatchObject({ kind: 'fox' });
  });

  it('have types', () => {
    interface Pet {
      name: string;
      age?: number;
    }
    const pets = table as unknown as TableClient<Pet>;
    const filter = 'true';
    const calls = () => [
      pets.updateEntities({ filter, set: { name: 'Rex' } }),
      pets.updateEntities({
        filter,
        set: (pet) => {
          expectTypeOf(pet.age).toEqualTypeOf<number | undefined>();
          return { ...pet, age: (pet.age ?? 0) + 1 };
        },
      }),
      // @ts-expect-error -- a name is a text
      pets.updateEntities({ filter, set: { name: 5 } }),
      // @ts-expect-error -- it is misspelt
      pets.updateEntities({ filter, set: { nam: 'Rex' } }),
      // @ts-expect-error -- keys do not change
      pets.updateEntities({ filter, set: { rowKey: 'rex' } }),
      // @ts-expect-error -- a name is a text
      pets.updateEntities({ filter, set: () => ({ name: 5 }) }),
      // @ts-expect-error -- an array is no value
      table.updateEntities({ filter, set: { name: ['Rex'] } }),
      // @ts-expect-error -- a filter is needed
      table.deleteEntities({}),
      table.updateEntities({ filter, set: ({ rowKey }) => ({ name: rowKey }) }),
    ];
    expect(calls).toBeTypeOf('function');
  });
});
