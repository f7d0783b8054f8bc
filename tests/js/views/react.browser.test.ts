// The hooks for React, in a page, with React itself.

import {
  Component,
  StrictMode,
  Suspense,
  createElement as h,
  memo,
  useState,
  type FunctionComponent,
  type ReactNode,
} from 'react';
import { createRoot } from 'react-dom/client';
import { describe, expect, expectTypeOf, onTestFinished, test, vi } from 'vitest';

import {
  AccountProvider,
  useAccount,
  useCount,
  useLive,
  useRow,
  useRows,
  useStatus,
  useTable,
  type AccountSource,
} from '../../../js/src/react.js';
import { defineTable } from '../../../js/src/schema.js';
import {
  cats,
  followersOf,
  makePlace,
  namesOf,
  openPets,
  pet,
  pets,
  shown,
  textsOf,
} from './support.js';

/** Renders into the page until the test ends. */
function render(element: ReactNode, onUncaughtError?: (error: unknown) => void) {
  const place = makePlace();
  const root = createRoot(place, onUncaughtError && { onUncaughtError });
  let isMounted = true;
  const unmount = () => {
    if (isMounted) root.unmount();
    isMounted = false;
  };
  onTestFinished(unmount);
  root.render(element);
  return { text: () => place.textContent, root, place, unmount };
}

const within = (account: AccountSource, ...children: ReactNode[]) =>
  h(AccountProvider, { account }, ...children);

const Names: FunctionComponent<{ table?: typeof pets; where?: string; suspense?: boolean }> = ({
  table = pets,
  where,
  suspense,
}) => shown(useRows(table, { where, suspense }));

class Boundary extends Component<{ children: ReactNode }> {
  override state: { error?: { code?: string } } = {};
  static getDerivedStateFromError(error: unknown) {
    return { error };
  }
  override render() {
    const { error } = this.state;
    if (!error) return this.props.children;
    return h('button', { onClick: () => this.setState({ error: undefined }) }, error.code);
  }
}

describe('the hooks for React', () => {
  test('show the rows of a declared table, and each change', async () => {
    const { account, table } = await openPets();
    const { text } = render(within(account, h(Names)));

    await expect.poll(text).toBe('a');
    await table.insert(pet('b'));
    await expect.poll(text).toBe('a,b');
  });

  test('show two tables, one row, a count, and the account of a promise', async () => {
    const { account, table, cats: catTable } = await openPets();
    await catTable.insert(pet('cat'));
    const All = () => {
      const one = useRow(table, { kind: 'dog', id: 'a' });
      const none = useRow(pets, { kind: 'dog', id: 'none' });
      const { count } = useCount(pets, { where: ({ name }) => name.ne('x') });
      const isOpen = [useAccount() === account, useTable(pets) === table];
      return [one.row?.name, none.isLoaded && !none.row, count, isOpen].join();
    };
    const source = Promise.resolve(account);
    const names = h(Names, { table: cats });
    const { text } = render(within(source, h(Names), ';', names, ';', h(All)));

    await expect.poll(text).toBe('a;cat;a,true,1,true,true');
    await table.put(pet('a', 'A'));
    await table.insert(pet('b'));
    await catTable.delete(pet('cat'));
    await expect.poll(text).toBe('A,b;;A,true,2,true,true');
    await table.insert(pet('x'));
    await table.delete(pet('a'));
    await expect.poll(text).toBe('b,x;;,true,1,true,true');
  });

  test('show selected properties of the first rows of an order', async () => {
    const { account, table } = await openPets();
    await table.insertMany([pet('b', 'z'), pet('c', 'y')].map((one) => ({ ...one, weight: 1 })));
    const First = () => {
      const { rows } = useRows(pets, { orderBy: 'name desc', limit: 2, select: ['name'] });
      expectTypeOf(rows).toEqualTypeOf<
        readonly { kind: string; id: string; name: string; etag: string }[]
      >();
      return rows.map((row) => `${row.id} ${row.name} ${'weight' in row}`).join();
    };
    const { text } = render(within(account, h(First)));

    await expect.poll(text).toBe('b z false,c y false');
    await table.delete(pet('b'));
    await expect.poll(text).toBe('c y false,a a false');
  });

  test('show no other row when the key changes, and none without a key', async () => {
    const { account, table } = await openPets();
    await table.insert(pet('b'));
    const seen: string[] = [];
    const One: FunctionComponent<{ id?: string }> = ({ id }) => {
      const { row, isLoaded } = useRow(pets, id === undefined ? undefined : { kind: 'dog', id });
      seen.push(`${id} ${row?.name} ${isLoaded}`);
      return `${row?.name} ${isLoaded}`;
    };
    const { root, text } = render(within(account, h(One)));
    await expect.poll(text).toBe('undefined false');
    for (const id of ['a', 'b']) {
      root.render(within(account, h(One, { id })));
      await expect.poll(text).toBe(`${id} true`);
    }

    expect(seen.filter((one) => one.startsWith('b'))).not.toContainEqual(
      expect.stringContaining('b a'),
    );
  });

  test('show any live result, made in each render', async () => {
    const { account, table } = await openPets();
    const open = followersOf(account);
    const Totals = () => {
      const own = useTable(pets);
      const { value = [] } = useLive(() => namesOf(own));
      const client = useAccount()?.tableClient<{ name: string }>('Pets');
      const untyped = useLive(() => client?.liveEntities({ filter: "name ne 'x'" }));
      return [
        ...value.map((group) => `${group.name} ${group.pets}`),
        ...(untyped.value ?? []).map(({ rowKey }) => rowKey),
      ].join();
    };
    const { text } = render(within(Promise.resolve(account), h(Totals), ';', h(Totals)));

    await expect.poll(text).toBe('a 1,a;a 1,a');
    await table.insert(pet('b', 'a'));
    await expect.poll(text).toBe('a 2,a,b;a 2,a,b');
    await expect.poll(open).toBe(2);
  });

  test('show a live result of the app, whose query it changes', async () => {
    const { table } = await openPets();
    await table.insert(pet('b'));
    const live = table.live({ where: "name eq 'a'" });
    const Own = () => shown({ ...useLive(live), rows: useLive(live).value ?? [] });
    const { text } = render(h(Own));
    await expect.poll(text).toBe('a');

    live.update({ where: ({ name }) => name.eq('b') });

    await expect.poll(text).toBe('b');
  });

  test('keep the result when the filter changes, until the new one is there', async () => {
    const { account, table } = await openPets();
    await table.insert(pet('b'));
    const { place, root, text } = render(within(account, h(Names, { where: "name eq 'a'" })));
    const seen = textsOf(place);
    await expect.poll(text).toBe('a');

    root.render(within(account, h(Names, { where: "name eq 'b'" })));

    await expect.poll(text).toBe('b');
    expect(seen.slice(seen.indexOf('a'))).toEqual(['a', 'a (stale)', 'b']);
  });

  test('show nothing of one table in another', async () => {
    const { account } = await openPets();
    const seen: string[] = [];
    const Seen: FunctionComponent<{ table: typeof pets }> = ({ table }) => {
      const { rows, isLoaded } = useRows(table);
      seen.push(`${table.tableName} ${rows.length} ${isLoaded}`);
      return `${table.tableName} ${isLoaded}`;
    };
    const { root, text } = render(within(account, h(Seen, { table: pets })));
    await expect.poll(text).toBe('Pets true');
    root.render(within(account, h(Seen, { table: cats })));
    await expect.poll(text).toBe('Cats true');

    expect(seen).not.toContain('Cats 1 true');
    expect(seen).toContain('Cats 0 false');
  });

  test('keep a row that did not change, so that memo works', async () => {
    const { table } = await openPets();
    await table.insert(pet('b'));
    const renders: string[] = [];
    const Row = memo(({ row }: { row: { name: string } }) => {
      renders.push(row.name);
      return row.name;
    });
    const List = () => useRows(table).rows.map((row) => h(Row, { key: row.id, row }));
    const { text } = render(h(List));
    await expect.poll(text).toBe('ab');

    await table.update(pet('b'), { name: 'B' });

    await expect.poll(text).toBe('aB');
    expect(renders).toEqual(['a', 'b', 'B']);
  });

  test('wait in Suspense for the account and the first result, and not again', async () => {
    const { account, table } = await openPets();
    await table.insert(pet('b'));
    const app = (where?: string) =>
      h(Suspense, { fallback: 'waiting' }, within(source, h(Names, { suspense: true, where })));
    const source = new Promise<typeof account>((resolve) => setTimeout(() => resolve(account)));
    const { place, root, text } = render(app());
    const seen = textsOf(place);

    await expect.poll(text).toBe('a,b');
    root.render(app("name eq 'b'"));
    await expect.poll(text).toBe('b');
    await table.insert(pet('c'));
    await table.update(pet('b'), { name: 'B' });
    await expect.poll(text).toBe('');
    expect(new Set(seen)).toEqual(new Set(['waiting', 'a,b', 'a,b (stale)', 'b', '']));
  });

  test.each([false, true])(
    'throw into the error boundary when the table is deleted; suspense: %s',
    async (suspense) => {
      const { account, table } = await openPets();
      const app = within(account, h(Boundary, null, h(Names, { suspense })));
      const { place, text } = render(h(Suspense, null, app));
      await expect.poll(text).toBe('a');

      await account.deleteTable('Pets');
      await expect.poll(text).toBe('TableNotFound');
      await account.createTable('Pets');
      await table.insert(pet('again'));
      place.querySelector('button')!.click();

      await expect.poll(text).toBe('again');
    },
  );

  test('throw into the error boundary what is wrong with a query, and with the account', async () => {
    const { account } = await openPets();
    const failed = Promise.reject(Object.assign(new Error(), { code: 'Failed' }));
    const inBoundary = (source: AccountSource, child: ReactNode) =>
      within(source, h(Boundary, null, h(Suspense, null, child)));
    const unknown = defineTable('Unknown', pets.properties, { key: ['kind', 'id'] });
    const Misspelt = () => shown(useRows(pets, { where: ({ nmae }: never) => nmae as never }));
    const Keyless = () => useRow(pets, { kind: 'dog' } as never).row?.name;
    const { text } = render([
      h('p', { key: 1 }, inBoundary(account, h(Names, { table: unknown, suspense: true }))),
      h('p', { key: 2 }, inBoundary(account, h(Names, { table: unknown }))),
      h('p', { key: 3 }, inBoundary(account, h(Names, { where: 'wrong(' }))),
      h('p', { key: 4 }, inBoundary(account, h(Misspelt))),
      h('p', { key: 5 }, inBoundary(account, h(Keyless))),
      h('p', { key: 6 }, inBoundary(failed, h(Names))),
      h('p', { key: 7 }, inBoundary(failed, h(Names, { suspense: true }))),
    ]);

    await expect.poll(text).toBe(`${'InvalidInput'.repeat(5)}FailedFailed`);
  });

  test('follow a table once in StrictMode, and no longer than they are mounted', async () => {
    const { account, table } = await openPets();
    const open = followersOf(account);
    const app = within(account, h(Names), ';', h(Names));
    const { root, text, unmount } = render(h(StrictMode, null, app));
    await expect.poll(text).toBe('a;a');
    await expect.poll(open).toBe(1);

    root.render(null);
    await expect.poll(open).toBe(0);
    await table.insert(pet('b'));
    root.render(h(StrictMode, null, app));
    await expect.poll(text).toBe('a,b;a,b');
    await expect.poll(open).toBe(1);
    unmount();
    await expect.poll(open).toBe(0);
  });

  test('follow nothing after a component was removed while it waited', async () => {
    const { account } = await openPets();
    const open = followersOf(account);
    const { root } = render(within(account, h(Suspense, null, h(Names, { suspense: true }))));
    await expect.poll(open).toBe(1);
    root.render(null);
    await expect.poll(open).toBe(0);
  });

  test('report the events of the storage', async () => {
    const { account } = await openPets();
    const listeners = vi.spyOn(account, 'onStatus');
    const Status = () => useStatus() ?? 'none';
    const { text } = render(within(account, h(Status)));
    await expect.poll(() => listeners.mock.calls.length).toBe(1);
    expect(text()).toBe('none');

    listeners.mock.calls[0]![0]('blocked');

    await expect.poll(text).toBe('blocked');
  });

  test('name the missing provider', async () => {
    const errors: unknown[] = [];
    render(h(Names), (error) => errors.push(error));

    await expect.poll(() => `${errors}`).toContain('Provide an account first');
  });

  test('share one result of functions that are made with each render', async () => {
    const { account, table } = await openPets();
    let set!: (value: number) => void;
    const Inline = () => {
      const [, setValue] = useState(0);
      set = setValue;
      const { rows, isLoaded } = useRows(table, { where: ({ name }) => name.ne('x') });
      return isLoaded ? `${rows.length}` : 'loading';
    };
    const open = followersOf(account);
    const { text } = render([h(Inline, { key: 1 }), h(Inline, { key: 2 })]);
    await expect.poll(text).toBe('11');
    set(1);
    await table.insert(pet('b'));
    await expect.poll(text).toBe('22');
    expect(open()).toBe(1);
  });
});
