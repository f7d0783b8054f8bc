// What compiles, and what does not: components that show rows. Compilers check this program; nobody
// runs it.

import { count, type LiveEntities, type TableServiceClient } from 'entitable';
import { injectCount, injectLive, injectRow, injectRows, provideAccount } from 'entitable/angular';
import {
  AccountProvider,
  useAccount,
  useCount,
  useLive,
  useRow,
  useRows,
  useTable,
} from 'entitable/react';
import * as solid from 'entitable/solid';
import * as svelte from 'entitable/svelte';
import { defineTable, t, type Infer } from 'entitable/schema';
import * as vue from 'entitable/vue';

const declared = defineTable(
  'Pets',
  {
    kind: t.string(),
    id: t.string(),
    name: t.string(),
    chip: t.int64().optional(),
    born: t.dateTime(),
  },
  { key: ['kind', 'id'] },
);
type Pet = Infer<typeof declared> & { etag: string; timestamp: string };

export function useAll(account: TableServiceClient, initial: readonly Pet[]): unknown[] {
  const { rows, isLoaded, isStale } = useRows(declared, { orderBy: 'born desc', suspense: true });
  const born: Date | undefined = rows[0]?.born;
  // @ts-expect-error: the rows of a live result cannot be changed.
  rows.push(rows[0]);
  const table = useTable(declared);
  useRows(account.table(declared), {
    where: ({ name, chip }) => name.eq('Ada') && chip.gt(5n),
    initial,
  });
  // @ts-expect-error: a row has no such property.
  useRows(declared, { where: ({ nmae }) => nmae.eq('') });
  // @ts-expect-error: a name is a text.
  useRows(declared, { where: ({ name }) => name.eq(5) });
  // @ts-expect-error: an option of the official client.
  useRows(declared, { filter: '' });
  const part = useRows(declared, { select: ['chip'], where: ({ name }) => name.eq('Ada') }).rows;
  const chip: bigint | undefined = part[0]?.chip;
  const kind: string | undefined = part[0]?.kind;
  // @ts-expect-error: it was not selected.
  part[0]?.name;
  // @ts-expect-error: a row has no such property.
  useRows(declared, { select: ['nmae'] });
  const row: Pet | undefined = useRow(
    declared,
    { kind: 'dog', id: 'a' },
    { initial: initial[0] },
  ).row;
  useRow(declared, row, { suspense: false });
  // @ts-expect-error: a part of the key is missing.
  useRow(declared, { kind: 'dog' });
  const total: number = useCount(declared, {
    where: ({ born }) => born.gt(new Date()),
    initial: 0,
  }).count;
  const entities = account.tableClient<{ name: string }>('Pets').liveEntities();
  const untyped: LiveEntities<{ name: string }> = entities;
  const name: string | undefined = useLive(untyped).value?.[0]?.name;
  const groups = useLive(() =>
    table?.liveAggregate({ groupBy: ['kind'], select: { pets: count() } }),
  );
  const pets: number | undefined = groups.value?.[0]?.pets;
  AccountProvider({ account: Promise.resolve(account), children: 'text' });
  const opened: TableServiceClient | undefined = useAccount();
  const where = ({
    id,
  }: Parameters<typeof declared.where>[0] extends (given: infer Given) => unknown
    ? Given
    : never) => id.eq('a');
  const inAll = [
    vue.useRows(
      () => declared,
      () => ({ where }),
    ).rows.value,
    svelte.useRows(() => declared, { where }).rows,
    solid.useRows(declared, () => ({ where, select: ['born'] }) as const).rows,
    injectRows(account.table(declared), { where }).rows(),
  ].map((found): Date | undefined => found[0]?.born);
  const one = [
    vue.useRow(declared, () => row).row.value,
    svelte.useRow(declared, () => row).row,
    solid.useRow(declared, row).row,
    injectRow(declared, row).row(),
  ].map((found): Date | undefined => found?.born);
  const counts: (number | undefined)[] = [
    vue.useLive(() => table?.liveCount()).value.value,
    svelte.useLive(() => table?.liveCount()).value,
    solid.useLive(() => table?.liveCount()).value,
    injectLive(() => table?.liveCount()).value(),
  ];
  // @ts-expect-error: it was not selected.
  [vue.useRows(declared, { select: ['chip'] }).rows.value[0]?.name, provideAccount(account)];
  const tables = [vue.useTable(declared).value, svelte.useTable(declared).current];
  return [
    ...[born, isLoaded, isStale, chip, kind, total, name, pets, opened, inAll, one, counts],
    ...[tables, solid.useTable(declared)(), injectCount(declared).count()],
  ];
}
