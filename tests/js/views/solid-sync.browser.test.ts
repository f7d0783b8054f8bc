// The results for Solid that show a sync.

import { createComponent, createMemo, createSignal, ErrorBoundary, type JSX } from 'solid-js';
import { render as renderSolid } from 'solid-js/web';
import { describe, expect, onTestFinished, test } from 'vitest';

import {
  AccountProvider,
  useAccount,
  useLive,
  useRowStates,
  useSync,
  type AccountSource,
  type SyncSource,
  type ValueOrGetter,
} from '../../../js/src/solid.js';
import { followersOf, makePlace } from './support.js';
import { expectStates, listenersOf, openSynced, syncText, todo, todosOf } from './sync-support.js';

function render(account: AccountSource, sync: ValueOrGetter<SyncSource>, table = 'Todos') {
  const place = makePlace();
  const List = () => {
    const opened = useAccount();
    const todos = useLive(() => todosOf(opened()));
    const status = useSync(sync);
    const states = useRowStates(sync, table);
    return createMemo(
      () => `${syncText(status(), todos.value ?? [], states.stateOf)};${states.isLoaded}`,
    ) as unknown as JSX.Element;
  };
  const end = renderSolid(
    () =>
      createComponent(AccountProvider, {
        account,
        get children() {
          return createComponent(ErrorBoundary, {
            fallback: (error: { code: string }) => error.code,
            get children() {
              return createComponent(List, {});
            },
          });
        },
      }),
    place,
  );
  onTestFinished(end);
  return { end, text: () => place.textContent };
}

describe('the results for Solid', () => {
  test('show a sync and the states of rows', async () => {
    const synced = await openSynced();
    const { text } = render(synced.account, synced.sync);

    await expectStates(synced, () => text()!.replace(/;.*/, ''));
  });

  test('show a sync that comes later, and another one', async () => {
    const [one, other] = [await openSynced(), await openSynced()];
    await one.sync.once();
    await other.sync.once();
    await other.todos.createEntity(todo('a'));
    const [sync, setSync] = createSignal<SyncSource>();
    const { text } = render(other.account, sync);
    await expect.poll(text).toBe('stopped 0 0,a;false');

    setSync(() => one.sync);
    await expect.poll(text).toBe('idle 0 0,a;true');
    setSync(() => other.sync);
    await expect.poll(text).toBe('idle 0 0,a pending;true');
    setSync(undefined);
    await expect.poll(text).toBe('stopped 0 0,a;false');
  });

  test('listen no longer than the component is there', async () => {
    const { account, sync } = await openSynced();
    await sync.once();
    const [listeners, followers] = [listenersOf(sync), followersOf(account)];
    const { end, text } = render(account, sync);
    await expect.poll(text).toBe('idle 0 0;true');
    await expect.poll(followers).toBe(2);

    end();

    await expect.poll(followers).toBe(0);
    await expect.poll(listeners).toBe(0);
  });

  test('throw when the table is not one of the sync', async () => {
    const { account, sync, todos } = await openSynced();
    await todos.createEntity(todo('a'));
    const { text } = render(account, sync, 'None');

    await expect.poll(text).toBe('InvalidInput');
  });
});
