// What compiles, and what does not: components that show a sync. Compilers check this program;
// nobody runs it.

import type { TableServiceClient } from 'entitable';
import * as angular from 'entitable/angular';
import {
  useEntities,
  useEntity,
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

const declared = defineTable('Pets', { partitionKey: t.string(), rowKey: t.string() });

interface Pet {
  name: string;
}

export function useStates(account: TableServiceClient, sync: AccountSync | undefined): unknown[] {
  const pets = account.tableClient<Pet>('Pets');
  const { state, pending, error }: SyncStatus = useSync(sync);
  // @ts-expect-error: a status cannot be changed.
  useSync(sync).pending = 0;
  const { stateOf, isLoaded } = useRowStates(sync, 'Pets');
  useRowStates(sync, declared);
  useRowStates(sync, pets);
  useRowStates(sync, account.table(declared));
  const [first] = useEntities(declared).entities;
  const one = useEntity(pets, 'p', 'a').entity;
  const known: RowState | undefined = stateOf(first) ?? stateOf(one);
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
  const states: (RowState | undefined)[] = [
    vue.useRowStates(later, 'Pets').stateOf(first),
    svelte.useRowStates(sync, 'Pets').stateOf(first),
    solid.useRowStates(sync, 'Pets').stateOf(first),
    angular.injectRowStates(sync, 'Pets').stateOf(first),
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
    states,
  ];
}
