// What compiles, and what does not: collections of TanStack DB. Compilers check this program, but
// nobody runs it.

import { createCollection, createLiveQueryCollection, eq } from '@tanstack/db';
import type { TableServiceClient } from 'entitable';
import { defineTable, t } from 'entitable/schema';
import { tableCollectionOptions } from 'entitable/tanstack-db';

interface Pet {
  name: string;
  chip?: bigint;
}

const declared = defineTable(
  'Pets',
  {
    kind: t.string(),
    id: t.string(),
    name: t.string(),
    chip: t.int64().optional(),
    isWell: t.boolean().default(true),
  },
  { key: ['kind', 'id'] },
);

export function useAll(account: TableServiceClient): unknown[] {
  const pets = createCollection(
    tableCollectionOptions({ table: account.tableClient<Pet>('Pets'), id: 'pets', gcTime: 5 }),
  );
  pets.insert({ partitionKey: 'p', rowKey: 'a', name: 'Ada' });
  // @ts-expect-error: a pet has a name.
  pets.insert({ partitionKey: 'p', rowKey: 'a' });
  const chip: bigint | undefined = pets.get('p/a')?.chip;
  const etag: string | undefined = pets.get('p/a')?.etag;
  const typed = createCollection(tableCollectionOptions({ table: account.table(declared) }));
  const isWell: boolean | undefined = typed.get('p/a')?.isWell;
  // @ts-expect-error: a pet has no such property.
  typed.get('p/a')?.owner;
  const checked = createCollection(
    tableCollectionOptions({ table: account.table(declared), schema: declared }),
  );
  checked.insert({ kind: 'dog', id: 'a', name: 'Ada' });
  // @ts-expect-error: the name is a text.
  checked.insert({ kind: 'dog', id: 'a', name: 1 });
  const named = createLiveQueryCollection((q) =>
    q.from({ checked }).where(({ checked }) => eq(checked.name, 'Ada')),
  );
  const isShownWell: boolean | undefined = named.toArray[0]?.isWell;
  return [chip, etag, isWell, isShownWell, checked.utils.writeMutations];
}
