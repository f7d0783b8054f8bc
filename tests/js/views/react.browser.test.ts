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
import { createRoot, hydrateRoot } from 'react-dom/client';
import { renderToString } from 'react-dom/server.browser';
import { describe, expect, expectTypeOf, onTestFinished, test, vi } from 'vitest';

import {
  AccountProvider,
  useAccount,
  useCount,
  useEntities,
  useEntity,
  useStatus,
  type AccountSource,
} from '../../../js/src/react.js';
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

const Names: FunctionComponent<{ table?: string; filter?: string; suspense?: boolean }> = ({
  table = 'Pets',
  filter,
  suspense,
}) => {
  return shown(useEntities<Pet>(table, { filter, suspense }));
};

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
  test('show the entities of a table by its name, and each change', async () => {
    const { account, table } = await openPets();
    const { text } = render(within(account, h(Names)));

    await expect.poll(text).toBe('a');
    await table.createEntity(pet('b'));
    await expect.poll(text).toBe('a,b');
  });

  test('show two tables, one entity, a count, and the account of a promise', async () => {
    const { account, table } = await openPets();
    const cats = account.tableClient<Pet>('Cats');
    await cats.createTable();
    await cats.createEntity(pet('cat'));
    const All = () => {
      const one = useEntity(account.tableClient<Pet>('Pets'), 'p', 'a');
      const none = useEntity<Pet>('Pets', 'p', 'none');
      const { count } = useCount(account.tableClient<Pet>('Pets'), { filter: "name ne 'x'" });
      const isOpen = useAccount() === account;
      return [one.entity?.name, none.isLoaded && !none.entity, count, isOpen].join();
    };
    const source = Promise.resolve(account);
    const names = h(Names, { table: 'Cats' });
    const { text } = render(within(source, h(Names), ';', names, ';', h(All)));

    await expect.poll(text).toBe('a;cat;a,true,1,true');
    await table.updateEntity(pet('a', 'A'), 'Replace');
    await table.createEntity(pet('b'));
    await cats.deleteEntity('p', 'cat');
    await expect.poll(text).toBe('A,b;;A,true,2,true');
    await table.createEntity(pet('x'));
    await table.deleteEntity('p', 'a');
    await expect.poll(text).toBe('b,x;;,true,1,true');
  });

  test('show the rows of a declared table beside its entities', async () => {
    const { account } = await openNameless();
    const All = () => {
      const rows = useEntities(declared);
      const names = useEntities(account.table(declared), { select: ['name'] });
      const one = useEntity(declared, 'p', 'b').entity;
      const { count } = useCount(declared);
      expectTypeOf<(typeof rows.entities)[0]['weight']>().toEqualTypeOf<number | undefined>();
      expectTypeOf<(typeof names.entities)[0]['name']>().toEqualTypeOf<string>();
      const texts = [rows, names, useEntities<Pet>('Pets')].map(shown);
      return [...texts, one?.name, count].join(';');
    };
    const { text } = render(within(Promise.resolve(account), h(All)));

    await expect.poll(text).toBe('a,nameless;a,nameless;a,;nameless;2');
    await account.table(declared).createEntity({ partitionKey: 'p', rowKey: 'c', weight: 1 });
    await expect.poll(text).toBe('a,nameless,nameless;a,nameless,nameless;a,,nameless;nameless;3');
  });

  test('keep the result when the filter changes, until the new one is there', async () => {
    const { account, table } = await openPets();
    await table.createEntity(pet('b'));
    const { place, root, text } = render(within(account, h(Names, { filter: "name eq 'a'" })));
    const seen = textsOf(place);
    await expect.poll(text).toBe('a');

    root.render(within(account, h(Names, { filter: "name eq 'b'" })));

    await expect.poll(text).toBe('b');
    expect(seen.slice(seen.indexOf('a'))).toEqual(['a', 'a (stale)', 'b']);
  });

  test('show the first entities, with the selected properties', async () => {
    const { account, table } = await openPets();
    const pets = account.tableClient<Pet & { age: number }>('Pets');
    await pets.createEntity({ ...pet('b'), age: 1 });
    const First = () => {
      const { entities } = useEntities(pets, { select: ['name'], top: 1 });
      return JSON.stringify(entities.map(({ etag: _, timestamp: __, ...others }) => others));
    };
    const { text } = render(h(First));
    await expect.poll(text).toBe(JSON.stringify([pet('a')]));
    await table.deleteEntity('p', 'a');
    await expect.poll(text).toBe(JSON.stringify([pet('b')]));
  });

  test('show nothing of one table in another', async () => {
    const { account } = await openPets();
    await account.createTable('Cats');
    const seen: string[] = [];
    const Seen: FunctionComponent<{ table: string }> = ({ table }) => {
      const { entities, isLoaded } = useEntities(table);
      seen.push(`${table} ${entities.length} ${isLoaded}`);
      return `${table} ${isLoaded}`;
    };
    const { root, text } = render(within(account, h(Seen, { table: 'Pets' })));
    await expect.poll(text).toBe('Pets true');
    root.render(within(account, h(Seen, { table: 'Cats' })));
    await expect.poll(text).toBe('Cats true');

    expect(seen).not.toContain('Cats 1 true');
    expect(seen).toContain('Cats 0 false');
  });

  test('keep an entity that did not change, so that memo works', async () => {
    const { account, table } = await openPets();
    await table.createEntity(pet('b'));
    const renders: string[] = [];
    const Row = memo(({ row }: { row: Pet }) => {
      renders.push(row.name);
      return row.name;
    });
    const List = () => {
      const { entities } = useEntities(account.tableClient<Pet>('Pets'));
      return entities.map((row) => h(Row, { key: row.rowKey, row }));
    };
    const { text } = render(h(List));
    await expect.poll(text).toBe('ab');

    await table.updateEntity(pet('b', 'B'));

    await expect.poll(text).toBe('aB');
    expect(renders).toEqual(['a', 'b', 'B']);
  });

  test('wait in Suspense for the account and the first result, and not again', async () => {
    const { account, table } = await openPets();
    await table.createEntity(pet('b'));
    const app = (filter?: string) =>
      h(Suspense, { fallback: 'waiting' }, within(source, h(Names, { suspense: true, filter })));
    const source = new Promise<typeof account>((resolve) => setTimeout(() => resolve(account)));
    const { place, root, text } = render(app());
    const seen = textsOf(place);

    await expect.poll(text).toBe('a,b');
    root.render(app("name eq 'b'"));
    await expect.poll(text).toBe('b');
    await table.createEntity(pet('c'));
    await table.updateEntity(pet('b', 'B'));
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

      await table.deleteTable();
      await expect.poll(text).toBe('TableNotFound');
      await table.createTable();
      await table.createEntity(pet('again'));
      place.querySelector('button')!.click();

      await expect.poll(text).toBe('again');
    },
  );

  test('throw into the error boundary when the first result fails, and when the account does', async () => {
    const { account } = await openPets();
    const failed = Promise.reject(Object.assign(new Error(), { code: 'Failed' }));
    const inBoundary = (source: AccountSource, props: object) =>
      within(source, h(Boundary, null, h(Suspense, null, h(Names, props))));
    const { text } = render([
      h('p', { key: 1 }, inBoundary(account, { table: 'None', suspense: true })),
      h('p', { key: 2 }, inBoundary(account, { table: 'None' })),
      h('p', { key: 3 }, inBoundary(account, { filter: 'wrong(' })),
      h('p', { key: 4 }, inBoundary(failed, {})),
      h('p', { key: 5 }, inBoundary(failed, { suspense: true })),
    ]);

    await expect.poll(text).toBe('TableNotFoundTableNotFoundNotImplementedFailedFailed');
  });

  test('follow a table once in StrictMode, and no longer than they are mounted', async () => {
    const { account, table } = await openPets();
    const open = followersOf(table);
    const app = within(account, h(Names), ';', h(Names));
    const { root, text, unmount } = render(h(StrictMode, null, app));
    await expect.poll(text).toBe('a;a');
    await expect.poll(open).toBe(1);

    root.render(null);
    await expect.poll(open).toBe(0);
    await table.createEntity(pet('b'));
    root.render(h(StrictMode, null, app));
    await expect.poll(text).toBe('a,b;a,b');
    await expect.poll(open).toBe(1);
    unmount();
    await expect.poll(open).toBe(0);
  });

  test('follow nothing after a component was removed while it waited', async () => {
    const { account, table } = await openPets();
    const open = followersOf(table);
    const { root } = render(within(account, h(Suspense, null, h(Names, { suspense: true }))));
    await expect.poll(open).toBe(1);
    root.render(null);
    await expect.poll(open).toBe(0);
  });

  test('hydrate what a server has rendered, which is empty', async () => {
    const { account } = await openPets();
    const App = ({ source }: { source: AccountSource }) =>
      within(source, h('p', null, h(Names)), h(Suspense, { fallback: h('i', null, 'later') }));
    const html = renderToString(h(App, { source: undefined }));
    expect(html).toContain('<p>loading</p>');
    // The client has a result already, which another root shows.
    const other = render(within(account, h(Names)));
    await expect.poll(other.text).toBe('a');

    const errors: unknown[] = [];
    const place = makePlace(html);
    const [paragraph] = place.children;
    const root = hydrateRoot(place, h(App, { source: account }), {
      onRecoverableError: (error) => errors.push(error),
    });
    onTestFinished(() => root.unmount());

    await expect.poll(() => place.textContent).toBe('a');
    expect(place.children[0]).toBe(paragraph);
    expect(errors).toEqual([]);
  });

  test('render the fallback of Suspense on a server', async () => {
    const { account } = await openPets();
    for (const source of [undefined, account]) {
      const names = within(source, h(Names, { suspense: true }));
      expect(renderToString(h(Suspense, { fallback: 'later' }, names))).toContain('later');
    }
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

  test('take options and clients that are made with each render', async () => {
    const { account, table } = await openPets();
    let set!: (value: number) => void;
    const Inline = () => {
      const [, setValue] = useState(0);
      set = setValue;
      const pets = useEntities(account.tableClient<Pet>('Pets'), { filter: "name ne 'x'" });
      return pets.isLoaded ? `${pets.entities.length}` : 'loading';
    };
    const open = followersOf(table);
    const { text } = render(h(Inline));
    await expect.poll(text).toBe('1');
    set(1);
    await table.createEntity(pet('b'));
    await expect.poll(text).toBe('2');
    expect(open()).toBe(1);
  });
});
