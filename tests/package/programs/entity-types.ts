// What compiles, and what does not: the types of entities, in calls of typed and untyped clients.
// Compilers check this program; nobody runs it.

import {
  TableTransaction,
  type GetTableEntityOptions,
  type TableClient,
  type TableEntity,
  type TableServiceClient,
  type TypedValue,
  type UpdateMode,
} from 'entitable';

// An interface has no index signature.
interface Pet {
  name: string;
  age?: number;
  chip: bigint;
}
interface System {
  etag: string;
  partitionKey: string;
  rowKey: string;
  timestamp: string;
}

declare const account: TableServiceClient;
declare const untyped: TableClient;
declare const pets: TableClient<Pet>;
declare const pet: Pet;
declare const whole: { partitionKey: string; rowKey: string } & Pet;
declare const unknownValues: TableEntity;
declare const mode: UpdateMode;
const keys = { partitionKey: 'p', rowKey: 'r' };

type Equal<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
type Flat<T> = { [Name in keyof T]: T[Name] };

/** Compiles only if the value has exactly this type. */
function hasType<Expected>() {
  return <T>(_value: T, ..._isEqual: Equal<Flat<Expected>, Flat<T>> extends true ? [] : [never]) =>
    undefined;
}

export async function createAnEntity(): Promise<void> {
  hasType<TableClient<Pet>>()(account.tableClient<Pet>('Pets'));
  hasType<TableClient>()(account.tableClient('Pets'));

  const text = 'x';
  const plain = { a: text, b: 1, c: 1n, d: true, e: new Date(), f: new Uint8Array(1), g: null };
  await untyped.createEntity({ ...keys, ...plain, h: undefined });
  await untyped.createEntity({ ...keys, id: { type: 'Guid', value: 'x' } });
  await untyped.createEntity({ ...keys, chip: { type: 'Int64', value: 5n } });
  const elsewhere = { ...keys, id: { type: 'Guid', value: 'x' } };
  await untyped.createEntity(elsewhere);
  await untyped.createEntity(whole);
  await untyped.createEntity({ ...keys, ...pet });
  await untyped.createEntity(unknownValues);
  await untyped.createEntity<Pet>({ ...keys, name: 'Ada', chip: 1n });
  // @ts-expect-error: an array
  await untyped.createEntity({ ...keys, list: [1] });
  // @ts-expect-error: a function
  await untyped.createEntity({ ...keys, bark() {} });
  // @ts-expect-error: a symbol
  await untyped.createEntity({ ...keys, mark: Symbol() });
  // @ts-expect-error: an object
  await untyped.createEntity({ ...keys, owner: { name: 'Ann' } });
  // @ts-expect-error: a type that the service does not have
  await untyped.createEntity({ ...keys, age: { type: 'Int16', value: 1 } });
  // @ts-expect-error: a key is missing
  await untyped.createEntity({ rowKey: 'r', age: 1 });
  // @ts-expect-error: Pet has no such property
  await untyped.createEntity<Pet>({ ...keys, name: 'Ada', chip: 1n, nmae: 'Ada' });

  await pets.createEntity({ ...keys, name: 'Ada', chip: 1n });
  await pets.createEntity({ ...keys, name: 'Ada', chip: 1n, age: 7 });
  await pets.createEntity({ ...keys, name: 'Ada', chip: 1n, age: undefined });
  await pets.createEntity({ ...keys, name: 'Ada', chip: 1n, age: null });
  await pets.createEntity({ ...keys, ...pet });
  await pets.createEntity(whole);
  // @ts-expect-error: a misspelt property
  await pets.createEntity({ ...keys, name: 'Ada', chip: 1n, nmae: 'Ada' });
  // @ts-expect-error: a value of another type
  await pets.createEntity({ ...keys, name: 'Ada', chip: 1n, age: 'seven' });
  // @ts-expect-error: a property is missing
  await pets.createEntity({ ...keys, name: 'Ada' });
}

export async function updateAnEntity(): Promise<void> {
  await untyped.updateEntity({ ...keys, age: 1 });
  await untyped.updateEntity(whole, 'Replace');
  await untyped.updateEntity(unknownValues, mode);
  await untyped.updateEntity<Pet>({ ...keys, name: 'Ada' });
  await untyped.upsertEntity<Pet>({ ...keys, name: 'Ada' }, 'Merge');
  // @ts-expect-error: Replace needs the whole Pet
  await untyped.updateEntity<Pet>({ ...keys, name: 'Ada' }, 'Replace');
  // @ts-expect-error: Pet has no such property
  await untyped.updateEntity<Pet>({ ...keys, nmae: 'Ada' });
  // @ts-expect-error: an array
  await untyped.updateEntity({ ...keys, list: [1] });
  // @ts-expect-error: an array
  await untyped.upsertEntity({ ...keys, list: [1] }, 'Replace');

  await pets.updateEntity({ ...keys, name: 'Ada' });
  await pets.updateEntity({ ...keys, age: null }, 'Merge');
  await pets.updateEntity({ ...keys, name: 'Ada' }, 'Merge', { etag: '*' });
  await pets.upsertEntity({ ...keys, name: 'Ada' });
  await pets.upsertEntity({ ...keys, ...pet }, 'Replace');
  // @ts-expect-error: Replace needs all required properties
  await pets.updateEntity({ ...keys, name: 'Ada' }, 'Replace');
  // @ts-expect-error: it may be Replace
  await pets.upsertEntity({ ...keys, name: 'Ada' }, mode);
  // @ts-expect-error: a misspelt property
  await pets.updateEntity({ ...keys, nmae: 'Ada' });
  // @ts-expect-error: a value of another type
  await pets.upsertEntity({ ...keys, age: 'seven' });
  // @ts-expect-error: the keys are missing
  await pets.updateEntity({ name: 'Ada' });
}

export async function submitATransaction(): Promise<void> {
  const transaction = new TableTransaction<Pet>();
  transaction.createEntity({ ...keys, ...pet });
  transaction.updateEntity({ ...keys, name: 'Ada' });
  transaction.updateEntity({ ...keys, name: 'Ada' }, { etag: '*' });
  transaction.updateEntity({ ...keys, name: 'Ada' }, 'Merge', { etag: '*' });
  transaction.upsertEntity({ ...keys, ...pet }, 'Replace');
  // @ts-expect-error: Replace needs all required properties
  transaction.updateEntity({ ...keys, name: 'Ada' }, 'Replace');
  // @ts-expect-error: a misspelt property
  transaction.upsertEntity({ ...keys, nmae: 'Ada' });
  // @ts-expect-error: properties are missing
  transaction.createEntity(keys);
  await pets.submitTransaction(transaction);
  await pets.submitTransaction(transaction.actions);
  await pets.submitTransaction([
    ['create', { ...keys, ...pet }],
    ['delete', keys],
    ['update', { ...keys, name: 'Ada' }],
    ['upsert', { ...keys, name: 'Ada' }, 'Merge'],
    ['upsert', { ...keys, ...pet }, 'Replace'],
    ['update', { ...keys, ...pet }, mode, { etag: '*' }],
  ]);
  // @ts-expect-error: Replace needs all required properties
  await pets.submitTransaction([['update', { ...keys, name: 'Ada' }, 'Replace']]);
  // @ts-expect-error: a value of another type
  await pets.submitTransaction([['update', { ...keys, age: 'seven' }]]);
  const any = new TableTransaction();
  any.upsertEntity({ ...keys, age: 1 });
  // @ts-expect-error: an array
  any.upsertEntity({ ...keys, list: [1] });
  await untyped.submitTransaction(any);
}

export async function readAnEntity(): Promise<void> {
  hasType<Pet & System>()(await pets.getEntity('p', 'r'));
  hasType<Pet & System>()(await pets.getEntity('p', 'r', { fresh: true }));
  hasType<Pet & System>()(await untyped.getEntity<Pet>('p', 'r', { fresh: true }));
  for await (const entity of pets.listEntities()) hasType<Pet & System>()(entity);
  for await (const entity of untyped.listEntities<Pet>()) hasType<Pet & System>()(entity);

  // What was read can be written.
  const read = await pets.getEntity('p', 'r');
  await pets.updateEntity(read);
  await pets.updateEntity(read, 'Replace');
  await pets.createEntity(read);
  await untyped.updateEntity(await untyped.getEntity('p', 'r'));
  await untyped.updateEntity(await untyped.getEntity<Pet>('p', 'r'), 'Replace');
  for await (const entity of pets.listEntities()) await pets.updateEntity(entity);
  for await (const page of pets.listEntities().byPage()) await pets.upsertEntity(page[0]!);
  for await (const [entity] of pets.liveEntities()) await pets.updateEntity(entity!);
  const writes: Promise<unknown>[] = [];
  pets.subscribe({}, ({ inserted, deleted }) => {
    writes.push(pets.updateEntity({ ...inserted[0]!, name: 'Ada' }));
    writes.push(pets.deleteEntity(deleted[0]!.partitionKey, deleted[0]!.rowKey));
  });
  await Promise.all(writes);
}

export async function selectProperties(): Promise<void> {
  type NameAndChip = Pick<Pet, 'name' | 'chip'> & { etag: string };
  hasType<NameAndChip>()(await pets.getEntity('p', 'r', { select: ['name', 'chip'] }));
  const queryOptions = { select: ['name', 'chip'] } as const;
  hasType<NameAndChip>()(await pets.getEntity('p', 'r', { queryOptions }));
  hasType<NameAndChip>()(await pets.getEntity('p', 'r', queryOptions));
  for await (const entity of pets.listEntities({ filter: 'true', ...queryOptions })) {
    hasType<NameAndChip>()(entity);
  }
  for await (const page of pets.listEntities(queryOptions).byPage()) {
    hasType<NameAndChip>()(page[0]!);
  }
  for await (const [entity] of pets.liveEntities(queryOptions)) {
    hasType<Pick<Pet, 'name' | 'chip'> & System>()(entity!);
  }
  pets.subscribe(queryOptions, ({ updated }) => {
    hasType<Pick<Pet, 'name' | 'chip'> & System>()(updated[0]!);
  });
  // A selected property that the entity does not have is null.
  hasType<{ age: number | null; etag: string }>()(
    await pets.getEntity('p', 'r', { select: ['age'] }),
  );
  hasType<{ name: string; rowKey: string; etag: string }>()(
    await pets.getEntity('p', 'r', { select: ['name', 'rowKey'] }),
  );
  hasType<{ timestamp: string; etag: string }>()(
    await pets.getEntity('p', 'r', { select: ['timestamp', 'etag'] }),
  );
  // It is not known which of the names are in a list.
  const names: ('name' | 'chip')[] = ['name'];
  hasType<Partial<Pick<Pet, 'name' | 'chip'>> & { etag: string }>()(
    await pets.getEntity('p', 'r', { select: names }),
  );

  const selected = await pets.getEntity('p', 'r', { select: ['name'] });
  // @ts-expect-error: not selected
  console.log(selected.chip);
  // @ts-expect-error: not selected
  console.log(selected.rowKey);
  // @ts-expect-error: without keys, it cannot be written
  await pets.updateEntity(selected);
  // @ts-expect-error: a misspelt name
  await pets.getEntity('p', 'r', { select: ['nmae'] });
  // @ts-expect-error: a misspelt name
  await pets.getEntity('p', 'r', { queryOptions: { select: ['nmae'] } });
  // @ts-expect-error: a misspelt name
  pets.listEntities({ select: ['name', 'nmae'] });
  // @ts-expect-error: a misspelt name
  pets.liveEntities({ select: ['nmae'] });
  // @ts-expect-error: a misspelt option
  await pets.getEntity('p', 'r', { select: ['name'], frehs: true });
  // @ts-expect-error: a misspelt option
  await pets.getEntity('p', 'r', { frehs: true });

  hasType<{ a: unknown; etag: string }>()(await untyped.getEntity('p', 'r', { select: ['a'] }));
  hasType<{ a: unknown; partitionKey: string; etag: string }>()(
    await untyped.getEntity('p', 'r', { select: ['a', 'PartitionKey'] }),
  );
  // As in the official client, the caller says what a selection returns.
  const declared = await untyped.getEntity<{ name: string }>('p', 'r', {
    queryOptions: { select: ['PartitionKey', 'name'] },
  });
  hasType<{ name: string; etag: string } & Partial<System>>()(declared);
  const options: GetTableEntityOptions = {};
  hasType<string | undefined>()((await untyped.getEntity('p', 'r', options)).partitionKey);
}

export async function readTypedValues(): Promise<void> {
  const entity = await pets.getEntity('p', 'r', { typed: true });
  hasType<TypedValue<'String'>>()(entity.name);
  hasType<TypedValue<'Int64'>>()(entity.chip);
  hasType<TypedValue<'Int32' | 'Double'> | undefined>()(entity.age);
  hasType<string>()(entity.partitionKey);
  const [page] = [pets.listEntities({ typed: true, select: ['name'] })];
  for await (const { name } of page) hasType<TypedValue<'String'>>()(name);
  const any = await untyped.getEntity('p', 'r', { typed: true });
  hasType<TypedValue>()(any['name']!);
  // It can be written as it is.
  await untyped.updateEntity(any);
  await untyped.updateEntity(entity, 'Replace');
}

// A client of any rows is a parameter of a function.
export async function firstKey<Row extends object>(table: TableClient<Row>): Promise<string> {
  for await (const entity of table.listEntities()) return entity.rowKey;
  return '';
}
export const keyOfPet = () => firstKey(pets);
