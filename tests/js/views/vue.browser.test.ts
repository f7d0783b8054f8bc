// The composables for Vue, in a page, with Vue itself.

import { describe, expect, onTestFinished, test } from 'vitest';
import {
  createApp,
  createSSRApp,
  defineComponent,
  h,
  nextTick,
  reactive,
  ref,
  watch,
  type Component,
} from 'vue';
import { renderToString } from 'vue/server-renderer';

import type { TableClient } from '../../../js/src/client/table-client.js';
import {
  accountPlugin,
  provideAccount,
  useAccount,
  useCount,
  useEntities,
  useEntity,
  useStatus,
  type AccountSource,
  type Entities,
} from '../../../js/src/vue.js';
import {
  declared,
  followersOf,
  makePlace,
  openNameless,
  openPets,
  pet,
  shown,
  textsOf,
  type Pet,
} from './support.js';

const component = (setup: () => () => unknown) => defineComponent({ setup });

function render(root: Component, account?: AccountSource) {
  const place = makePlace();
  const app = createApp(root);
  if (account) app.use(accountPlugin(account));
  const errors: unknown[] = [];
  app.config.errorHandler = (error) => errors.push(error);
  app.mount(place);
  onTestFinished(() => app.unmount());
  return { app, errors, place, text: () => place.textContent };
}

// What a template would read.
const textOf = ({ entities, isLoaded, isStale, error }: Entities<Pet>) =>
  (error.value as { code?: string } | undefined)?.code ??
  shown({ entities: entities.value, isLoaded: isLoaded.value, isStale: isStale.value });

describe('the composables for Vue', () => {
  test('show two tables, one entity, a count and each change', async () => {
    const { account, table } = await openPets();
    await account.createTable('Cats');
    const App = component(() => {
      const pets = useEntities<Pet>('Pets');
      const cats = useEntities(account.tableClient<Pet>('Cats'));
      const one = useEntity<Pet>('Pets', 'p', 'a');
      const { count } = useCount('Pets');
      const opened = useAccount();
      const status = useStatus();
      return () =>
        [
          textOf(pets),
          `${cats.isLoaded.value} ${cats.entities.value.length}`,
          one.entity.value?.name,
          count.value,
          opened.value === account,
          status.value ?? 'none',
        ].join(';');
    });
    const { text } = render(App, Promise.resolve(account));

    await expect.poll(text).toBe('a;true 0;a;1;true;none');
    await table.updateEntity(pet('a', 'A'));
    await table.createEntity(pet('b'));
    await account.tableClient('Cats').createEntity(pet('cat'));
    await expect.poll(text).toBe('A,b;true 1;A;2;true;none');
  });

  test('show the rows of a declared table beside its entities', async () => {
    const { account } = await openNameless();
    const App = component(() => {
      const rows = useEntities(reactive(declared));
      const names = useEntities(() => account.table(declared), { select: ['name'] });
      const untyped = useEntities<Pet>('Pets');
      const { entity } = useEntity(() => declared, 'p', 'b');
      const { count } = useCount(declared);
      return () =>
        [textOf(rows), textOf(names), textOf(untyped), entity.value?.name, count.value].join(';');
    });
    const { text } = render(App, Promise.resolve(account));

    await expect.poll(text).toBe('a,nameless;a,nameless;a,;nameless;2');
    await account.table(declared).createEntity({ partitionKey: 'p', rowKey: 'c', weight: 1 });
    await expect.poll(text).toBe('a,nameless,nameless;a,nameless,nameless;a,,nameless;nameless;3');
  });

  test('keep the result when the filter changes, until the new one is there', async () => {
    const { account, table } = await openPets();
    await table.createEntity(pet('b'));
    const filter = ref("name eq 'a'");
    const App = component(() => {
      const pets = useEntities<Pet>('Pets', () => ({ filter: filter.value }));
      return () => textOf(pets);
    });
    const { place, text } = render(App, account);
    const seen = textsOf(place);
    await expect.poll(text).toBe('a');

    filter.value = "name eq 'b'";

    await expect.poll(text).toBe('b');
    expect(seen.slice(seen.indexOf('a'))).toEqual(['a', 'a (stale)', 'b']);
  });

  test('end what they follow when the component is unmounted', async () => {
    const { account, table } = await openPets();
    const open = followersOf(table);
    const isShown = ref(true);
    const List = component(() => {
      const pets = useEntities<Pet>('Pets');
      return () => textOf(pets);
    });
    const App = component(() => () => (isShown.value ? [h(List), h(List)] : 'none'));
    const { text } = render(App, account);
    await expect.poll(text).toBe('aa');
    expect(open()).toBe(1);

    isShown.value = false;

    await expect.poll(open).toBe(0);
  });

  test('report that the table was deleted, or the account did not open', async () => {
    const { account, table } = await openPets();
    const App = component(() => {
      const pets = useEntities<Pet>('Pets');
      return () => textOf(pets);
    });
    const { text } = render(App, account);
    await expect.poll(text).toBe('a');
    await table.deleteTable();
    await expect.poll(text).toBe('TableNotFound');

    const failed = Promise.reject(Object.assign(new Error(), { code: 'Failed' }));
    await expect.poll(render(App, failed).text).toBe('Failed');
    expect(`${render(App).errors}`).toContain('Provide an account first');
  });

  test('keep an entity that did not change, and take clients in reactive objects', async () => {
    const { account, table } = await openPets();
    await table.createEntity(pet('b'));
    const state = reactive({ table: account.tableClient<Pet>('Pets') });
    const results: (readonly object[])[] = [];
    const App = component(() => {
      provideAccount(account);
      const { entities } = useEntities(() => state.table as TableClient<Pet>);
      watch(entities, (newest) => results.push(newest));
      return () => entities.value.map(({ name }) => name).join();
    });
    const { text } = render(App);
    await expect.poll(text).toBe('a,b');
    await table.updateEntity(pet('b', 'B'));
    await expect.poll(text).toBe('a,B');

    const [before, after] = results.slice(-2);
    expect(after![0]).toBe(before![0]);
    expect(after![1]).not.toBe(before![1]);
  });

  test('hydrate what a server has rendered, which is empty', async () => {
    const { account, table } = await openPets();
    const open = followersOf(table);
    const App = component(() => {
      const pets = useEntities<Pet>('Pets');
      return () => h('p', textOf(pets));
    });
    const make = () => createSSRApp(App).use(accountPlugin(account));
    const html = await renderToString(make());
    expect(html).toBe('<p>loading</p>');
    await nextTick();
    expect(open()).toBe(0);

    const place = makePlace(html);
    const [paragraph] = place.children;
    const app = make();
    const warnings: string[] = [];
    app.config.warnHandler = (message) => warnings.push(message);
    app.mount(place);
    onTestFinished(() => app.unmount());

    await expect.poll(() => place.textContent).toBe('a');
    expect(place.children[0]).toBe(paragraph);
    expect(warnings).toEqual([]);
  });
});
