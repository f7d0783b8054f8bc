// types.test-d.ts - checked by the compiler alone: the types that a definition gives.

import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec';
import { expectTypeOf } from 'vitest';

import type { TableOf } from '../../../js/src/index.js';
import {
  and,
  defineTable,
  t,
  whereExtended,
  type Infer,
  type InferInput,
  type TableDefinition,
} from '../../../js/src/schema.js';

import { pets } from './pets.js';

expectTypeOf<Infer<typeof pets>>().toEqualTypeOf<{
  partitionKey: string;
  rowKey: string;
  name: string;
  kind: 'dog' | 'cat';
  age?: number;
  chip?: bigint;
  weight: number;
  vaccinated: boolean;
  born: Date;
  photo?: Uint8Array;
  tag?: string;
}>();

expectTypeOf<InferInput<typeof pets>>().toEqualTypeOf<{
  partitionKey: string;
  rowKey: string;
  name: string;
  kind: 'dog' | 'cat';
  age?: number | undefined;
  chip?: bigint | undefined;
  weight: number;
  vaccinated?: boolean | undefined;
  born: Date;
  photo?: Uint8Array | undefined;
  tag?: string | undefined;
}>();

pets satisfies StandardJSONSchemaV1<InferInput<typeof pets>, Infer<typeof pets>>;
pets satisfies StandardSchemaV1<InferInput<typeof pets>, Infer<typeof pets>>;

const KEYS = { partitionKey: t.string(), rowKey: t.string() };
const more = defineTable('More', {
  ...KEYS,
  level: t.int32({ enum: [1, 2] }),
  exact: t.dateTime({ precise: true }),
});
expectTypeOf<Infer<typeof more>['level']>().toEqualTypeOf<1 | 2>();
expectTypeOf<Infer<typeof more>['exact']>().toEqualTypeOf<string>();

// @ts-expect-error: a table has both keys.
defineTable('Pets', { rowKey: t.string() });
// @ts-expect-error: a key is a text.
defineTable('Pets', { ...KEYS, rowKey: t.int32() });
// @ts-expect-error: a key is always there.
defineTable('Pets', { ...KEYS, rowKey: t.string().optional() });
// @ts-expect-error: a limit has the type of the property.
t.int64({ maximum: 5 });
// @ts-expect-error: a text has no minimum.
t.string({ minimum: 5 });
// @ts-expect-error: a default has the type of the property.
t.boolean().default('no');
t.int32().refine((age) => age.toFixed() !== '5', 'is 5');
// @ts-expect-error: a check takes the type of the property.
t.int32().refine((age: string) => age !== '5', 'is 5');

pets.where(({ name }) => name.startsWith('a'));
// @ts-expect-error: a number has no start.
pets.where(({ age }) => age.startsWith('a'));
// @ts-expect-error: a Boolean has no order.
pets.where(({ vaccinated }) => vaccinated.gt(false));
// @ts-expect-error: a value has the type of the property.
pets.where(({ age }) => age.gt('5'));
// @ts-expect-error: a value is one of the enum.
pets.where(({ kind }) => kind.eq('bird'));
// @ts-expect-error: there is no such property.
pets.where(({ nmae }) => nmae.eq('x'));
// @ts-expect-error: a text is not a condition.
pets.where(() => "name eq 'x'");

// As tRPC and others infer the type of a Standard Schema.
type OutputOf<T> = T extends StandardSchemaV1<infer _, infer Output> ? Output : never;
expectTypeOf<OutputOf<typeof pets>>().toEqualTypeOf<Infer<typeof pets>>();

// Tables of any kind are in one list.
const withKeys = defineTable(
  'Visits',
  { user: t.string(), at: t.dateTime(), page: t.string().optional() },
  { key: ['user', 'at desc'] },
);
const plain = defineTable('Plain', { partitionKey: t.string(), rowKey: t.string() });
[plain, pets, withKeys] satisfies TableDefinition[];

// The error of an import is about the property.
declare const petsTable: TableOf<typeof pets>;
const wolf = {
  ...{ partitionKey: 'p', rowKey: 'r', name: 'Wolf', weight: 40, born: new Date(0) },
  kind: 'dog',
} as const;
void petsTable.import([wolf]);
void petsTable.insertMany([wolf] as const);
void petsTable.insertMany([
  {
    ...wolf,
    // @ts-expect-error: no such property.
    agee: 5,
  },
]);
void petsTable.insertMany([
  {
    ...wolf,
    // @ts-expect-error: a number.
    weight: 'heavy',
  },
]);

whereExtended(pets, ({ name, age, chip, weight, born, kind, tag, vaccinated }) =>
  and(
    name.toLower().contains(kind),
    kind.in(['dog', name]),
    age.add(chip).mul(2).gt(weight.div(2n)),
    born.year().eq(name.length()),
    tag.eq(tag),
    vaccinated.in([true]),
  ),
);
expectTypeOf(whereExtended(pets, ({ name }) => name.contains('a'))).toEqualTypeOf<{
  readonly filter: string;
  readonly dialect: 'extended';
}>();
// @ts-expect-error: a number has no start.
whereExtended(pets, ({ age }) => age.startsWith('a'));
// @ts-expect-error: a text has no sum.
whereExtended(pets, ({ name }) => name.add(1).eq(2));
// @ts-expect-error: a text has no year.
whereExtended(pets, ({ name }) => name.year().eq(2021));
// @ts-expect-error: a Boolean has no order.
whereExtended(pets, ({ vaccinated }) => vaccinated.gt(false));
// @ts-expect-error: a number is compared with numbers.
whereExtended(pets, ({ age }) => age.gt('5'));
// @ts-expect-error: a number is compared with numbers.
whereExtended(pets, ({ age, name }) => age.gt(name));
// @ts-expect-error: a Guid is no text.
whereExtended(pets, ({ name, tag }) => name.eq(tag));
// @ts-expect-error: a value is one of the enum.
whereExtended(pets, ({ kind }) => kind.in(['bird']));
// @ts-expect-error: a value is no condition.
whereExtended(pets, ({ age }) => age.add(1));
// @ts-expect-error: the property is declared.
whereExtended(pets, ({ nmae }) => nmae.eq('x'));
// @ts-expect-error: where has none of it.
pets.where(({ name }) => name.contains('x'));

const values = defineTable('Values', {
  ...KEYS,
  tags: t.array(t.string({ enum: ['a', 'b'] })).default([]),
  ids: t.array(t.int64()),
  place: t.json<{ lat: number }>().optional(),
  notes: t.text().nullable(),
  photo: t.blob(),
  raw: t.bytes(),
});
expectTypeOf<Infer<typeof values>>().toEqualTypeOf<{
  partitionKey: string;
  rowKey: string;
  tags: ('a' | 'b')[];
  ids: bigint[];
  place?: { lat: number };
  notes: string | null;
  photo: Blob;
  raw: Uint8Array;
}>();
expectTypeOf<InferInput<typeof values>>().toEqualTypeOf<{
  partitionKey: string;
  rowKey: string;
  tags?: readonly ('a' | 'b')[] | undefined;
  ids: readonly bigint[];
  place?: { lat: number } | undefined;
  notes?: string | null | undefined;
  photo: Blob | Uint8Array;
  raw: Uint8Array;
}>();

declare const valueTable: TableOf<typeof values>;
const valueKeys = { partitionKey: 'p', rowKey: 'r' };
void valueTable.update(valueKeys, { place: null, notes: null });
// @ts-expect-error: a required property cannot be removed.
void valueTable.update(valueKeys, { ids: null });
// @ts-expect-error: nor has a whole row a null that means something.
void valueTable.insert({ ...valueKeys, ids: [], photo: new Blob([]), raw: null });
// @ts-expect-error: no filter of the service reads values in parts.
values.where(({ tags }) => tags.eq('a'));
// @ts-expect-error: a list has no boolean.
t.array(t.boolean());

whereExtended(values, ({ tags, ids, place, notes }) => {
  expectTypeOf(tags.has).parameter(0).toEqualTypeOf<'a' | 'b'>();
  expectTypeOf(ids.hasAny).parameter(0).toEqualTypeOf<readonly bigint[]>();
  expectTypeOf(place.get('lat').gt).parameter(0).toEqualTypeOf<number>();
  // @ts-expect-error: it has no such member.
  place.get('lon');
  // @ts-expect-error: a number is no text.
  place.get('lat').contains('x');
  // @ts-expect-error: an object is compared by its members.
  void place.eq;
  return notes.toLower().contains('x');
});
