// What compiles, and what does not: declared tables. Compilers check this program; nobody runs it.

import type { EnforcedSchema, InvalidEntity, TableOf, TableServiceClient } from 'entitable';
import { and, defineTable, t, type Infer, type InferInput } from 'entitable/schema';

const pets = defineTable('Pets', {
  partitionKey: t.string({ maxLength: 40 }),
  rowKey: t.string(),
  name: t.string({ minLength: 1 }),
  kind: t.string({ enum: ['dog', 'cat'] }),
  age: t.int32().optional(),
  chip: t.int64().optional(),
  weight: t.double(),
  vaccinated: t.boolean().default(false),
  born: t.dateTime(),
  seen: t.dateTime({ precise: true }).optional(),
  photo: t.binary().optional(),
  tag: t.guid().optional(),
});

interface Pet {
  partitionKey: string;
  rowKey: string;
  name: string;
  kind: 'dog' | 'cat';
  age?: number;
  chip?: bigint;
  weight: number;
  vaccinated: boolean;
  born: Date;
  seen?: string;
  photo?: Uint8Array;
  tag?: string;
}
interface System {
  etag: string;
  timestamp: string;
}

declare const account: TableServiceClient<{ pets: typeof pets }>;
const keys = { partitionKey: 'p', rowKey: 'r' };
declare const row: InferInput<typeof pets>;
const table: TableOf<typeof pets> = account.table(pets);

type Equal<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
type Flat<T> = { [Name in keyof T]: T[Name] };

/** Compiles only if the value has exactly this type. */
function hasType<Expected>() {
  return <T>(_value: T, ..._isEqual: Equal<Flat<Expected>, Flat<T>> extends true ? [] : [never]) =>
    undefined;
}

export async function readRows(): Promise<void> {
  hasType<Pet>()({} as Infer<typeof pets>);
  const pet = await table.get(keys);
  hasType<Pet & System>()(pet!);
  hasType<bigint | undefined>()(pet!.chip);
  hasType<number>()(pet!.weight);
  hasType<Date>()(pet!.born);
  // @ts-expect-error: a row has no such property.
  pet!.owner;
  // @ts-expect-error: there may be no such row.
  pet.name;

  const part = await table.get(keys, { select: ['name', 'age'] });
  type Keys = 'partitionKey' | 'rowKey' | 'etag';
  hasType<Pick<Pet & System, 'name' | 'age' | Keys>>()(part!);
  // @ts-expect-error: it is not selected.
  part!.weight;
  hasType<Pet & System>()((await table.get(keys, { select: [] }))!);
  // @ts-expect-error: there is no such property.
  await table.get(keys, { select: ['nmae'] });
  // @ts-expect-error: a key has both fields.
  await table.get({ rowKey: 'r' });

  for await (const one of table.rows({ select: ['born'], orderBy: 'born desc' })) {
    hasType<Pick<Pet & System, 'born' | Keys>>()(one);
  }
  hasType<Pet & System>()((await table.list({ where: ({ age }) => age.gt(5) }))[0]!);
  // @ts-expect-error: there is no such property.
  await table.list({ select: ['name', 'nmae'] });
  // @ts-expect-error: there is no such property.
  await table.list({ where: ({ nmae }) => nmae.eq('x') });

  hasType<Pet & System>()(table.live().getSnapshot()[0]!);
  for await (const [first] of table.live({ select: ['chip'] })) {
    hasType<Pick<Pet & System, 'chip' | Keys>>()(first!);
  }
  // @ts-expect-error: there is no such property.
  table.live({ select: ['nmae'] });
  table.subscribe({}, ({ inserted }) => hasType<bigint | undefined>()(inserted[0]?.chip));
  hasType<number>()(table.liveCount().getSnapshot());
}

export async function writeRows(): Promise<void> {
  const { vaccinated: _, ...withoutDefault } = row;
  hasType<Pet & System>()(await table.insert(withoutDefault));
  await table.put((await table.get(keys))!);
  const { rowKey: __, ...withoutKey } = row;
  // @ts-expect-error: a write has both keys.
  await table.insert(withoutKey);
  // @ts-expect-error: a write has both keys.
  await table.upsert({ partitionKey: 'p', age: 5 });
  // @ts-expect-error: a new row has all required properties.
  await table.insert({ ...keys, name: 'Ada' });
  // @ts-expect-error: there is no such property.
  await table.insert({ ...row, nmae: 'Ada' });
  // @ts-expect-error: a kind is one of the enum.
  await table.insert({ ...row, kind: 'bird' });
  // @ts-expect-error: an Int64 is a bigint.
  await table.insert({ ...row, chip: 5 });
  // @ts-expect-error: a DateTime is a Date.
  await table.insert({ ...row, born: '2020-01-01T00:00:00Z' });
  // @ts-expect-error: a required property is not null.
  await table.insert({ ...row, weight: null });

  const pet = (await table.get(keys))!;
  await table.update(keys, { age: 5 });
  await table.update(pet, { age: null }, { ifUnchanged: pet });
  await table.update(pet, ({ weight }) => ({ weight: weight + 1 }));
  await table.upsert({ ...keys, chip: 5n, tag: null });
  await table.put(row, { ifUnchanged: pet });
  // @ts-expect-error: a required property is not removed.
  await table.update(keys, { weight: null });
  // @ts-expect-error: a put has a whole row.
  await table.put({ ...keys, age: 5 });
  // @ts-expect-error: there is no such property.
  await table.update(keys, { aeg: 5 });
  // @ts-expect-error: an etag is in a row.
  await table.update(keys, { age: 5 }, { ifUnchanged: '*' });
  hasType<boolean>()(await table.delete(pet));

  await table.insertMany([row]);
  // @ts-expect-error: a row has other properties.
  await table.insertMany([keys]);
  await account.transaction(async (tx) => {
    await tx.pets.update(keys, { age: 5 });
    // @ts-expect-error: a transaction has no live views.
    tx.pets.live();
  });
}

export function filterRows(): string {
  // @ts-expect-error: there is no such property.
  pets.where(({ nmae }) => nmae.eq('x'));
  // @ts-expect-error: an Int64 is compared with a bigint.
  pets.where(({ chip }) => chip.gt(5));
  return pets.where(({ age, kind }) => and(age.gt(5), kind.eq('dog')));
}

export async function enforce(): Promise<void> {
  await account.enforce(pets);
  hasType<EnforcedSchema | undefined>()(await account.enforcedSchema('Pets'));
  for await (const found of account.listIssues(pets)) hasType<InvalidEntity>()(found);
  // @ts-expect-error: a name is not a definition.
  account.listIssues('Pets');
}
