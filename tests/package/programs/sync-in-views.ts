// What compiles, and what does not: components that show a sync. Compilers check this program;
// nobody runs it.

import type { TableServiceClient } from 'entitable';
import * as angular from 'entitable/angular';
import {
  useRow,
  useRows,
  useRowStates,
  useSync,
  type RowState,
  type SyncStatus,
} from 'entitable/react';
import { defineTable, t } from 'entitable/schema';
import * as solid from 'entitable/solid';
import * as svelte from 'entitable/svelte';
import type { AccountSync } from 'entitable/sync';
import * as vue from 'entitable/vue';
import { ref, type Ref } from 'vue';

const declared = defineTable('Pets', { kind: t.string(), id: t.string() }, { key: ['kind', 'id'] });

export function useStates(account: TableServiceClient, sync: AccountSync | undefined): unknown[] {
  const pets = account.tableClient('Pets');
  const { state, pending, error }: SyncStatus = useSync(sync);
  // @ts-expect-error: a status cannot be changed.
  useSync(sync).pending = 0;
  const { stateOf, isLoaded } = useRowStates(sync, 'Pets');
  useRowStates(sync, pets).stateOf({ partitionKey: 'p', rowKey: 'a' });
  const states = useRowStates(sync, account.table(declared));
  const [first] = useRows(declared).rows;
  const { row } = useRow(declared, { kind: 'dog', id: 'a' });
  const ofRow = useRowStates(sync, declared).stateOf;
  const known: RowState | undefined = states.stateOf(first) ?? ofRow(row);
  // @ts-expect-error: the keys have the names of the app.
  ofRow({ partitionKey: 'p', rowKey: 'a' });
  const reason: string | undefined = stateOf({ partitionKey: 'p', rowKey: 'a' })?.reason;
  if (known?.state === 'rejected') {
    const text: string = known.reason;
    console.log(text);
  }
  // @ts-expect-error: a row has both keys.
  stateOf({ partitionKey: 'p' });
  // @ts-expect-error: a table has a name.
  useRowStates(sync, 5);
  const later: Ref<AccountSync | undefined> = ref();
  const inVue: number = vue.useSync(later).value.pending + vue.useSync(() => sync).value.pending;
  const inSvelte: number = svelte.useSync(() => sync).current.pending;
  const inSolid: number = solid.useSync(() => sync)().pending;
  const inAngular: number = angular.injectSync(sync)().pending;
  const loaded: boolean[] = [
    vue.useRowStates(later, 'Pets').isLoaded.value,
    svelte.useRowStates(() => sync, declared).isLoaded,
    solid.useRowStates(() => sync, declared).isLoaded,
    angular.injectRowStates(() => sync, 'Pets').isLoaded(),
  ];
  const inOthers: (RowState | undefined)[] = [
    vue.useRowStates(later, declared).stateOf(first),
    svelte.useRowStates(sync, declared).stateOf(first),
    solid.useRowStates(sync, () => declared).stateOf(first),
    angular.injectRowStates(sync, declared).stateOf(first),
  ];
  return [
    state,
    pending,
    error,
    isLoaded,
    reason,
    inVue,
    inSvelte,
    inSolid,
    inAngular,
    loaded,
    inOthers,
  ];
}
