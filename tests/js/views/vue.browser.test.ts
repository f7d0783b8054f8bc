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

import {
  accountPlugin,
  provideAccount,
  useAccount,
  useCount,
  useLive,
  useRow,
  useRows,
  useStatus,
  useTable,
  type AccountSource,
  type Rows,
} from '../../../js/src/vue.js';
import { followersOf, makePlace, namesOf, openPets, pet, pets, shown, textsOf } from './support.js';

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
const textOf = ({ rows, isLoaded, isStale, error }: Rows<{ name: string }>) =>
  (error.value as { code?: string } | undefined)?.code ??
  shown({ rows: rows.value, isLoaded: isLoaded.value, isStale: isStale.value });

describe('the composables for Vue', () => {
  test('show two tables, one row, a count, an aggregate and each change', async () => {
    const { account, table } = await openPets();
    const App = component(() => {
      const all = useRows(reactive(pets));
      const others = useRows(() => account.tables.cats);
      const one = useRow(pets, () => ({ kind: 'dog', id: 'a' }));
      const { count } = useCount(pets);
      const table = useTable(pets);
      const names = useLive(() => namesOf(table.value));
      const opened = useAccount();
      const status = useStatus();
      return () =>
        [
          textOf(all),
          `${others.isLoaded.value} ${others.rows.value.length}`,
          one.row.value?.name,
          count.value,
          names.value.value?.map(({ name }) => name),
          opened.value === account,
          status.value ?? 'none',
        ].join(';');
    });
    const { text } = render(App, Promise.resolve(account));

    await expect.poll(text).toBe('a;true 0;a;1;a;true;none');
    await table.put(pet('a', 'A'));
    await table.insert(pet('b'));
    await account.tables.cats.insert(pet('cat'));
    await expect.poll(text).toBe('A,b;true 1;A;2;A,b;true;none');
  });

  test('keep the result when the filter changes, until the new one is there', async () => {
    const { account, table } = await openPets();
    await table.insert(pet('b'));
    const wanted = ref('a');
    const App = component(() => {
      const rows = useRows(pets, { where: ({ name }) => name.eq(wanted.value) });
      return () => textOf(rows);
    });
    const { place, text } = render(App, account);
    const seen = textsOf(place);
    await expect.poll(text).toBe('a');

    wanted.value = 'b';

    await expect.poll(text).toBe('b');
    expect(seen.slice(seen.indexOf('a'))).toEqual(['a', 'a (stale)', 'b']);
  });

  test('end what they follow when the component is unmounted', async () => {
    const { account } = await openPets();
    const open = followersOf(account);
    const isShown = ref(true);
    const List = component(() => {
      const rows = useRows(pets);
      return () => textOf(rows);
    });
    const App = component(() => () => (isShown.value ? [h(List), h(List)] : 'none'));
    const { text } = render(App, account);
    await expect.poll(text).toBe('aa');
    expect(open()).toBe(1);

    isShown.value = false;

    await expect.poll(open).toBe(0);
  });

  test('report that the table was deleted, or the account did not open', async () => {
    const { account } = await openPets();
    const App = component(() => {
      const rows = useRows(pets);
      return () => textOf(rows);
    });
    const { text } = render(App, account);
    await expect.poll(text).toBe('a');
    await account.deleteTable('Pets');
    await expect.poll(text).toBe('TableNotFound');

    const failed = Promise.reject(Object.assign(new Error(), { code: 'Failed' }));
    await expect.poll(render(App, failed).text).toBe('Failed');
    expect(`${render(App).errors}`).toContain('Provide an account first');
  });

  test('keep a row that did not change, and take tables in reactive objects', async () => {
    const { account, table } = await openPets();
    await table.insert(pet('b'));
    const state = reactive({ table });
    const results: (readonly object[])[] = [];
    const App = component(() => {
      provideAccount(account);
      const { rows } = useRows(() => state.table as typeof table);
      watch(rows, (newest) => results.push(newest));
      return () => rows.value.map(({ name }) => name).join();
    });
    const { text } = render(App);
    await expect.poll(text).toBe('a,b');
    await table.put(pet('b', 'B'));
    await expect.poll(text).toBe('a,B');

    const [before, after] = results.slice(-2);
    expect(after![0]).toBe(before![0]);
    expect(after![1]).not.toBe(before![1]);
  });

  test.each([undefined, 'early'])('hydrate what a server has rendered: %s', async (name) => {
    const { account, table } = await openPets();
    const open = followersOf(account);
    const initial = name === undefined ? undefined : [{ ...(await table.get(pet('a')))!, name }];
    const App = component(() => {
      const rows = useRows(pets, { initial });
      const one = useRow(pets, pet('a'), { initial: initial?.[0] });
      const total = useCount(pets, { initial: initial?.length });
      return () => h('p', [textOf(rows), one.row.value?.name, total.count.value].join());
    });
    const make = () => createSSRApp(App).use(accountPlugin(account));
    const html = await renderToString(make());
    expect(html).toBe(name === undefined ? '<p>loading,,0</p>' : '<p>early,early,1</p>');
    await nextTick();
    expect(open()).toBe(0);

    const place = makePlace(html);
    const [paragraph] = place.children;
    const app = make();
    const warnings: string[] = [];
    app.config.warnHandler = (message) => warnings.push(message);
    app.mount(place);
    onTestFinished(() => app.unmount());

    await expect.poll(() => place.textContent).toBe('a,a,1');
    expect(place.children[0]).toBe(paragraph);
    expect(warnings).toEqual([]);
  });
});
