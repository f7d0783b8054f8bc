// The composables for Vue that show a sync.

import { describe, expect, onTestFinished, test } from 'vitest';
import { createApp, createSSRApp, defineComponent, h, ref, type Ref } from 'vue';
import { renderToString } from 'vue/server-renderer';

import {
  accountPlugin,
  useAccount,
  useLive,
  useRowStates,
  useSync,
  type AccountSource,
  type SyncSource,
} from '../../../js/src/vue.js';
import { followersOf, makePlace } from './support.js';
import { expectStates, listenersOf, openSynced, syncText, todo, todosOf } from './sync-support.js';

type Given = Ref<SyncSource> | SyncSource;

const list = (sync: Given, table = 'Todos') =>
  defineComponent({
    setup() {
      const account = useAccount();
      const { value: entities } = useLive(() => todosOf(account.value));
      const status = useSync(sync);
      const { stateOf, isLoaded } = useRowStates(sync, table);
      return () => `${syncText(status.value, entities.value ?? [], stateOf)};${isLoaded.value}`;
    },
  });

function render(account: AccountSource, sync: Given, table?: string) {
  const place = makePlace();
  const app = createApp(list(sync, table)).use(accountPlugin(account));
  const errors: unknown[] = [];
  app.config.errorHandler = (error) => errors.push(error);
  app.mount(place);
  onTestFinished(() => app.unmount());
  return { app, errors, text: () => place.textContent };
}

describe('the composables for Vue', () => {
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
    const sync = ref<SyncSource>();
    const { text } = render(other.account, sync as Ref<SyncSource>);
    await expect.poll(text).toBe('stopped 0 0,a;false');

    sync.value = one.sync;
    await expect.poll(text).toBe('idle 0 0,a;true');
    sync.value = other.sync;
    await expect.poll(text).toBe('idle 0 0,a pending;true');
    sync.value = undefined;
    await expect.poll(text).toBe('stopped 0 0,a;false');
  });

  test('listen no longer than the component is mounted', async () => {
    const { account, sync } = await openSynced();
    await sync.once();
    const [listeners, followers] = [listenersOf(sync), followersOf(account)];
    const { app, text } = render(account, sync);
    await expect.poll(text).toBe('idle 0 0;true');
    await expect.poll(followers).toBe(2);

    app.unmount();

    await expect.poll(followers).toBe(0);
    await expect.poll(listeners).toBe(0);
  });

  test('hydrate what a server has rendered, which is stopped', async () => {
    const { account, sync } = await openSynced();
    await sync.once();
    const listeners = listenersOf(sync);
    const make = () => createSSRApp(h(list(sync))).use(accountPlugin(account));
    const html = await renderToString(make());
    expect(html).toBe('stopped 0 0;false');
    await expect.poll(listeners).toBe(0);

    const place = makePlace(html);
    const app = make();
    const warnings: string[] = [];
    app.config.warnHandler = (message) => warnings.push(message);
    app.mount(place);
    onTestFinished(() => app.unmount());

    await expect.poll(() => place.textContent).toBe('idle 0 0;true');
    expect(warnings).toEqual([]);
  });

  test('throw when the table is not one of the sync', async () => {
    const { account, sync, todos } = await openSynced();
    await todos.createEntity(todo('a'));
    const { errors } = render(account, sync, 'None');

    await expect.poll(() => errors[0]).toMatchObject({ code: 'InvalidInput' });
  });
});
