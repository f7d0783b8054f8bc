// The hooks for React that show a sync.

import { Component, StrictMode, createElement as h, memo, useState, type ReactNode } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { renderToString } from 'react-dom/server.browser';
import { describe, expect, onTestFinished, test } from 'vitest';

import {
  AccountProvider,
  useAccount,
  useLive,
  useRow,
  useRowStates,
  useSync,
  type RowState,
  type SyncSource,
} from '../../../js/src/react.js';
import { defineTable, t } from '../../../js/src/schema.js';
import { followersOf, makePlace } from './support.js';
import {
  expectStates,
  listenersOf,
  openSynced,
  syncText,
  todo,
  todosOf,
  type Synced,
} from './sync-support.js';

const table = 'Todos';

function List({ sync }: { sync: SyncSource }) {
  const account = useAccount();
  const { value = [] } = useLive(() => todosOf(account));
  return syncText(useSync(sync), value, useRowStates(sync, table).stateOf);
}

function render(account: Synced['account'], ...children: ReactNode[]) {
  const place = makePlace();
  const root = createRoot(place);
  const show = (...shown: ReactNode[]) => root.render(h(AccountProvider, { account }, ...shown));
  onTestFinished(() => root.unmount());
  show(...children);
  return { place, show, text: () => place.textContent };
}

class Boundary extends Component<{ children: ReactNode }> {
  override state: { error?: { code?: string } } = {};
  static getDerivedStateFromError(error: unknown) {
    return { error };
  }
  override render() {
    return this.state.error ? this.state.error.code : this.props.children;
  }
}

describe('the hooks for React', () => {
  test('show a sync and the states of rows', async () => {
    const synced = await openSynced();
    const { text } = render(synced.account, h(StrictMode, null, h(List, { sync: synced.sync })));

    await expectStates(synced, text);
  });

  test('show a sync that comes later, and another one', async () => {
    const [one, other] = [await openSynced(), await openSynced()];
    await one.sync.once();
    await other.sync.once();
    await other.todos.createEntity(todo('a'));
    let set!: (sync: SyncSource) => void;
    const Later = () => {
      const [sync, setSync] = useState<SyncSource>();
      set = setSync;
      const { isLoaded } = useRowStates(sync, table);
      return [h(List, { key: 1, sync }), `;${isLoaded}`];
    };
    const { text } = render(other.account, h(Later));
    await expect.poll(text).toBe('stopped 0 0,a;false');

    set(one.sync);
    await expect.poll(text).toBe('idle 0 0,a;true');
    set(other.sync);
    await expect.poll(text).toBe('idle 0 0,a pending;true');
    set(undefined);
    await expect.poll(text).toBe('stopped 0 0,a;false');
  });

  test('show the newest status in the first render', async () => {
    const { account, sync } = await openSynced();
    await sync.once();
    const states: string[] = [];
    const Status = () => {
      states.push(useSync(sync).state);
      return states.join();
    };
    const { text } = render(account, h(Status));

    await expect.poll(text).toContain('idle');
    expect(states).not.toContain('stopped');
  });

  test('listen once for all components, and no longer than they are mounted', async () => {
    const { account, sync } = await openSynced();
    await sync.once();
    const [listeners, followers] = [listenersOf(sync), followersOf(account)];
    const { show, text } = render(
      account,
      h(StrictMode, null, h(List, { sync }), ';', h(List, { sync })),
    );
    await expect.poll(text).toBe('idle 0 0;idle 0 0');
    // The entities, and the states of rows.
    await expect.poll(followers).toBe(2);
    // The status, the states, and the status for these.
    await expect.poll(listeners).toBe(3);

    show();

    await expect.poll(followers).toBe(0);
    await expect.poll(listeners).toBe(0);
  });

  test('keep the state of a row that did not change, so that memo works', async () => {
    const { account, sync, todos } = await openSynced();
    await sync.once();
    await todos.createEntity(todo('a'));
    const renders: string[] = [];
    const Row = memo(({ rowKey, state }: { rowKey: string; state: RowState | undefined }) => {
      renders.push(`${rowKey} ${state?.state}`);
      return rowKey;
    });
    const Rows = () => {
      const { stateOf } = useRowStates(sync, table);
      return ['a', 'b'].map((rowKey) =>
        h(Row, { key: rowKey, rowKey, state: stateOf(todo(rowKey)) }),
      );
    };
    render(account, h(Rows));
    await expect.poll(() => renders).toContain('a pending');

    await todos.createEntity(todo('b'));

    await expect.poll(() => renders).toContain('b pending');
    expect(renders.filter((text) => text === 'a pending')).toHaveLength(1);
  });

  test('take a client, a table of the app and its declaration, and a row that is not loaded', async () => {
    const { account, sync, todos } = await openSynced();
    await sync.once();
    await todos.createEntity(todo('a'));
    const properties = { list: t.string(), id: t.string() };
    const declared = defineTable(table, properties, { key: ['list', 'id'] });
    await account.openTables({ declared });
    const One = () => {
      const { row } = useRow(declared, { list: 'p', id: 'a' });
      const states = [declared, account.table(declared)].map(
        (each) => useRowStates(sync, each).stateOf(row)?.state,
      );
      return [...states, useRowStates(sync, todos).stateOf(todo('a'))?.state].join();
    };
    const { text } = render(account, h(One));

    await expect.poll(text).toBe('pending,pending,pending');
  });

  test('hydrate what a server has rendered, which is stopped', async () => {
    const { account, sync, todos } = await openSynced();
    await todos.createEntity(todo('a'));
    await sync.once();
    const App = ({ sync }: { sync: SyncSource }) => {
      const { stateOf, isLoaded } = useRowStates(sync, table);
      return h('p', null, `${syncText(useSync(sync), [todo('b')], stateOf)} ${isLoaded}`);
    };
    const html = renderToString(h(App, { sync: undefined }));
    expect(html).toBe('<p>stopped 0 0,b false</p>');
    // Another root has listened already.
    await todos.createEntity(todo('b'));
    const other = render(account, h(App, { sync }));
    await expect.poll(other.text).toBe('idle 0 0,b pending true');

    const errors: unknown[] = [];
    const place = makePlace(html);
    const root = hydrateRoot(place, h(App, { sync }), {
      onRecoverableError: (error) => errors.push(error),
    });
    onTestFinished(() => root.unmount());

    await expect.poll(() => place.textContent).toBe('idle 0 0,b pending true');
    expect(errors).toEqual([]);
  });

  test('throw into the error boundary when the table is not one of the sync', async () => {
    const { account, sync } = await openSynced();
    const Wrong = () => String(useRowStates(sync, 'None').isLoaded);
    const { text } = render(account, h(Boundary, null, h(Wrong)));

    await expect.poll(text).toBe('InvalidInput');
  });
});
