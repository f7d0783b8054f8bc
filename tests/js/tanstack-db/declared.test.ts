import { and, createCollection, createTransaction, eq, gt } from '@tanstack/db';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { defineTable, t } from '../../../js/src/schema.js';
import type { TableOf } from '../../../js/src/tables/table.js';
import { tableCollectionOptions } from '../../../js/src/tanstack-db.js';
import { pets } from '../schema/pets.js';
import { tableError } from '../support/rejection.js';
import { live, openTasks } from './support.js';

const TAG = 'a455c695-df98-5678-aaaa-81d3367e5a34';

const declared = {
  tasks: defineTable(
    'Tasks2',
    {
      id: t.string().default(() => 'made'),
      list: t.string(),
      title: t.string(),
      done: t.boolean().default(false),
      owner: t.string().optional(),
    },
    { key: ['list', 'id'] },
  ),
  notes: defineTable('Notes', { id: t.string(), text: t.string() }, { key: 'id' }),
};

async function openDeclared() {
  const { account } = await openTasks();
  const { tasks, notes } = await account.openTables(declared);
  const options = tableCollectionOptions({ table: tasks, schema: declared.tasks });
  const collection = createCollection(options);
  onTestFinished(() => collection.cleanup());
  return { account, tasks, notes, collection };
}

function collectionOfTable(table: TableOf<(typeof declared)['notes']>) {
  const collection = createCollection(tableCollectionOptions({ table, autoIndex: 'off' }));
  onTestFinished(() => collection.cleanup());
  return collection;
}

/** Inserts a row without its id, and returns it as it was made. */
async function insertedInto(
  collection: Awaited<ReturnType<typeof openDeclared>>['collection'],
  row: { list: string; title: string },
) {
  const inserted = collection.insert(row);
  await inserted.when('settled');
  return inserted.mutations[0]!.modified as { id: string };
}

describe('a collection of a declared table', () => {
  it('has rows as they are declared, and checks what it writes', async () => {
    const { account } = await openTasks();
    const { pets: table } = await account.openTables({ pets });
    const collection = createCollection(tableCollectionOptions({ table, schema: pets }));
    onTestFinished(() => collection.cleanup());
    const weak = await live((q) =>
      q
        .from({ collection })
        .where(({ collection: pet }) => and(eq(pet.tag, TAG), eq(pet.vaccinated, false))),
    );
    const keys = { partitionKey: 'dogs', rowKey: 'ada' };
    const ada = { ...keys, name: 'Ada', kind: 'dog' as const, born: new Date(0), weight: 12 };
    expect(() => collection.insert({ ...ada, name: '' })).toThrow(
      expect.objectContaining({ name: 'SchemaValidationError' }),
    );

    await collection.insert({ ...ada, tag: TAG, chip: 5n }).when('settled');
    const untyped = account.tableClient('Pets');
    await untyped.createEntity({
      ...{ ...ada, rowKey: 'old', weight: { type: 'Double', value: 1 }, chip: 6 },
      tag: { type: 'Guid', value: TAG },
    });

    await vi.waitFor(() => expect(weak.size).toBe(2));
    expect(collection.get('dogs/ada')).toMatchObject({ weight: 12, vaccinated: false });
    expect(collection.get('dogs/old')).toMatchObject({ chip: 6n, tag: TAG, vaccinated: false });
    await collection.update('dogs/ada', (draft) => void (draft.weight = 13)).when('settled');
    expect((await untyped.getEntity('dogs', 'ada', { typed: true }))['weight']).toEqual({
      type: 'Double',
      value: 13,
    });
    const big = await live((q) =>
      q.from({ collection }).where(({ collection: pet }) => gt(pet.chip, 5n)),
    );
    expect(big.toArray.map(({ rowKey }) => rowKey)).toEqual(['old']);
  });

  it('has the keys of the app', async () => {
    const { account, tasks, collection } = await openDeclared();
    await tasks.insertMany(['a', 'b', 'c'].map((id) => ({ list: 'home', id, title: id })));
    const reads = vi.spyOn(tasks.requests, 'list');
    const open = await live((q) =>
      q
        .from({ collection })
        .where(({ collection: one }) => and(eq(one.list, 'home'), gt(one.id, 'a'))),
    );

    expect(reads.mock.lastCall![0].filter).toBe("(PartitionKey eq 'home' and RowKey gt 'a')");
    expect([...collection.keys()].sort()).toEqual(['home/b', 'home/c']);
    await tasks.delete({ list: 'home', id: 'b' });
    await vi.waitFor(() => expect(open.toArray.map(({ title }) => title)).toEqual(['c']));
    const { id } = await insertedInto(collection, { list: 'home', title: 'new' });
    await collection.update(`home/${id}`, (draft) => void (draft.done = true)).when('settled');
    expect(await tasks.get({ list: 'home', id })).toMatchObject({ title: 'new', done: true });
    await collection.delete('home/c').when('settled');
    expect(await account.tableClient('Tasks2').countEntities()).toBe(2);
  });

  it('has a key of one property as its key', async () => {
    const { notes } = await openDeclared();
    const collection = collectionOfTable(notes);
    await live((q) =>
      q
        .from({ collection })
        .orderBy(({ collection: one }) => one.id)
        .limit(1),
    );
    expect(collection.size).toBe(0);

    await collection.insert({ id: 'a', text: 'b' }).when('settled');
    await collection.update('a', (draft) => void (draft.text = 'c')).when('settled');

    expect(await notes.get('a')).toMatchObject({ id: 'a', text: 'c' });
    expect(collection.get('a')).toMatchObject({ id: 'a', text: 'c', $synced: true });
  });

  it('stores mutations of one partition together, with defaults', async () => {
    const { tasks, collection } = await openDeclared();
    await tasks.insert({ list: 'home', id: 'a', title: 'a', owner: 'ann' });
    await tasks.insert({ list: 'work', id: 'a', title: 'not loaded' });
    await live((q) => q.from({ collection }).where(({ collection: one }) => eq(one.list, 'home')));
    const transaction = createTransaction({
      mutationFn: ({ transaction }) => collection.utils.writeMutations(transaction),
    });
    transaction.mutate(() => {
      collection.insert({ list: 'home', id: 'b', title: 'b' });
      collection.update('home/a', (draft) => void delete draft.owner);
    });
    await transaction.when('settled');
    const inHome = { where: "list eq 'home'", select: ['title', 'done', 'owner'] } as const;
    expect(await tasks.list(inHome)).toMatchObject([
      { id: 'a', title: 'a', done: false },
      { id: 'b', title: 'b', done: false },
    ]);
    expect(await tasks.get({ list: 'home', id: 'a' })).not.toHaveProperty('owner');

    const refused = collection.insert([
      { list: 'work', id: 'c', title: 'c' },
      { list: 'work', id: 'a', title: 'a' },
    ]);

    const error = await tableError(refused.when('settled'));
    expect(error.code).toBe('EntityAlreadyExists');
    expect(await tasks.count()).toBe(3);
  });
});
