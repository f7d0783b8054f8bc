// The signals for Angular that show a sync.

import '@angular/compiler';

import {
  Component,
  ErrorHandler,
  provideZonelessChangeDetection,
  signal,
  type Type,
} from '@angular/core';
import { bootstrapApplication } from '@angular/platform-browser';
import { describe, expect, onTestFinished, test } from 'vitest';

import {
  injectAccount,
  injectLive,
  injectRowStates,
  injectSync,
  provideAccount,
  type AccountSource,
  type SyncSource,
  type ValueOrGetter,
} from '../../../js/src/angular.js';
import { followersOf, makePlace } from './support.js';
import { expectStates, listenersOf, openSynced, syncText, todo, todosOf } from './sync-support.js';

async function render(account: AccountSource, sync: ValueOrGetter<SyncSource>, table = 'Todos') {
  class App {
    account = injectAccount();
    todos = injectLive(() => todosOf(this.account()));
    status = injectSync(sync);
    states = injectRowStates(sync, table);
    text = () =>
      `${syncText(this.status(), this.todos.value() ?? [], this.states.stateOf)};${this.states.isLoaded()}`;
  }
  // Without a decorator, which esbuild would have to know.
  Component({ selector: 'test-app', template: '{{ text() }}' })(App);
  const place = makePlace('<test-app></test-app>');
  const errors: unknown[] = [];
  const app = await bootstrapApplication(App as Type<unknown>, {
    providers: [
      provideZonelessChangeDetection(),
      provideAccount(account),
      {
        provide: ErrorHandler,
        useValue: { handleError: (error: unknown) => errors.push(error) },
      },
    ],
  });
  onTestFinished(() => void (app.destroyed || app.destroy()));
  return { app, errors, text: () => place.textContent!.trim() };
}

describe('the signals for Angular', () => {
  test('show a sync and the states of rows', async () => {
    const synced = await openSynced();
    const { text } = await render(synced.account, synced.sync);

    await expectStates(synced, () => text().replace(/;.*/, ''));
  });

  test('show a sync that comes later, and another one', async () => {
    const [one, other] = [await openSynced(), await openSynced()];
    await one.sync.once();
    await other.sync.once();
    await other.todos.createEntity(todo('a'));
    const sync = signal<SyncSource>(undefined);
    const { text } = await render(other.account, sync);
    await expect.poll(text).toBe('stopped 0 0,a;false');

    sync.set(one.sync);
    await expect.poll(text).toBe('idle 0 0,a;true');
    sync.set(other.sync);
    await expect.poll(text).toBe('idle 0 0,a pending;true');
    sync.set(undefined);
    await expect.poll(text).toBe('stopped 0 0,a;false');
  });

  test('listen no longer than the application is there', async () => {
    const { account, sync } = await openSynced();
    await sync.once();
    const [listeners, followers] = [listenersOf(sync), followersOf(account)];
    const { app, text } = await render(account, sync);
    await expect.poll(text).toBe('idle 0 0;true');
    await expect.poll(followers).toBe(2);

    app.destroy();

    await expect.poll(followers).toBe(0);
    await expect.poll(listeners).toBe(0);
  });

  test('throw when the table is not one of the sync', async () => {
    const { account, sync, todos } = await openSynced();
    await todos.createEntity(todo('a'));
    const { errors } = await render(account, sync, 'None');

    await expect.poll(() => errors[0]).toMatchObject({ code: 'InvalidInput' });
  });
});
