// What compiles, and what does not: declared tables and their typed clients. Compilers check this
// program; nobody runs it.

import {
  TableTransaction,
  type EnforcedSchema,
  type InvalidEntity,
  type LiveEntities,
  type TableServiceClient,
} from 'entitable';
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

declare const account: TableServiceClient;
const keys = { partitionKey: 'p', rowKey: 'r' };
declare const row: InferInput<typeof pets>;
const table = account.table(pets);

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
  const pet = await table.getEntity('p', 'r');
  hasType<Pet & System>()(pet);
  hasType<bigint | undefined>()(pet.chip);
  hasType<number>()(pet.weight);
  hasType<Date>()(pet.born);
  // @ts-expect-error: a row has no such property.
  pet.owner;

  const part = await table.getEntity('p', 'r', { select: ['name', 'age'] });
  hasType<Pick<Pet & System, 'name' | 'age' | 'etag'>>()(part);
  // @ts-expect-error: it is not selected.
  part.weight;
  hasType<Pet & System>()(await table.getEntity('p', 'r', { select: [] }));
  // @ts-expect-error: there is no such property.
  await table.getEntity('p', 'r', { select: ['nmae'] });
  // @ts-expect-error: a typed client knows the types already.
  await table.getEntity('p', 'r', { typed: true });

  for await (const one of table.listEntities({ select: ['rowKey', 'born'] })) {
    hasType<{ rowKey: string; born: Date; etag: string }>()(one);
  }
  for await (const page of table.listEntities().byPage()) hasType<Pet & System>()(page[0]!);
  // @ts-expect-error: there is no such property.
  table.listEntities({ select: ['name', 'nmae'] });

  hasType<LiveEntities<Pet>>()(table.liveEntities());
  for await (const [first] of table.liveEntities({ select: ['chip'] })) {
    hasType<Pick<Pet, 'partitionKey' | 'rowKey' | 'chip'> & System>()(
      first! as Flat<NonNullable<typeof first>>,
    );
  }
  // @ts-expect-error: there is no such property.
  table.liveEntities({ select: ['nmae'] });
  table.subscribe({}, ({ inserted }) => hasType<bigint | undefined>()(inserted[0]?.chip));
  hasType<number>()(table.liveCount().getSnapshot());
}

export async function writeRows(): Promise<void> {
  const { vaccinated: _, ...withoutDefault } = row;
  await table.createEntity(withoutDefault);
  await table.createEntity(await table.getEntity('p', 'r'));
  const { rowKey: __, ...withoutKey } = row;
  // @ts-expect-error: a write has both keys.
  await table.createEntity(withoutKey);
  // @ts-expect-error: a write has both keys.
  await table.updateEntity(withoutKey);
  // @ts-expect-error: a write has both keys.
  await table.upsertEntity({ partitionKey: 'p', age: 5 });
  // @ts-expect-error: a new row has all required properties.
  await table.createEntity({ ...keys, name: 'Ada' });
  // @ts-expect-error: there is no such property.
  await table.createEntity({ ...row, nmae: 'Ada' });
  // @ts-expect-error: a kind is one of the enum.
  await table.createEntity({ ...row, kind: 'bird' });
  // @ts-expect-error: an Int64 is a bigint.
  await table.createEntity({ ...row, chip: 5 });
  // @ts-expect-error: a DateTime is a Date.
  await table.createEntity({ ...row, born: '2020-01-01T00:00:00Z' });
  // @ts-expect-error: a required property is not null.
  await table.createEntity({ ...row, weight: null });

  await table.updateEntity({ ...keys, age: 5 });
  await table.updateEntity({ ...keys, weight: 5 }, 'Merge', { etag: '*' });
  await table.upsertEntity({ ...keys, chip: 5n }, 'Merge');
  await table.upsertEntity(row, 'Replace');
  // @ts-expect-error: Replace takes a whole row.
  await table.updateEntity({ ...keys, age: 5 }, 'Replace');
  // @ts-expect-error: there is no such property.
  await table.updateEntity({ ...keys, aeg: 5 });
  await table.deleteEntity('p', 'r', { etag: '*' });

  await table.submitTransaction([
    ['create', row],
    ['update', { ...keys, age: 5 }],
    ['upsert', row, 'Replace'],
    ['delete', keys],
  ]);
  // @ts-expect-error: a row has other properties.
  await table.submitTransaction([['create', keys]]);
  const transaction = new TableTransaction<InferInput<typeof pets>>();
  transaction.createEntity(row);
  transaction.updateEntity({ ...keys, age: 5 });
  // @ts-expect-error: a new row has all required properties.
  transaction.createEntity(keys);
  await table.submitTransaction(transaction);
  // @ts-expect-error: these are other rows.
  await table.submitTransaction(new TableTransaction<{ owner: string }>());
  await table.importEntities([row]);
  // @ts-expect-error: a row has other properties.
  await table.importEntities([keys]);
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
  for await (const found of account.listViolations(pets)) hasType<InvalidEntity>()(found);
  // @ts-expect-error: a name is not a definition.
  account.listViolations('Pets');
}
