// The signals for Angular, in a page, with components that its compiler makes in the page.

import '@angular/compiler';

import {
  Component,
  provideZonelessChangeDetection,
  signal,
  type ApplicationRef,
  type Type,
} from '@angular/core';
import { bootstrapApplication } from '@angular/platform-browser';
import { describe, expect, onTestFinished, test } from 'vitest';

import {
  injectAccount,
  injectCount,
  injectLive,
  injectRow,
  injectRows,
  injectStatus,
  injectTable,
  provideAccount,
  type AccountSource,
  type Rows,
} from '../../../js/src/angular.js';
import { followersOf, makePlace, namesOf, openPets, pet, pets, shown, textsOf } from './support.js';

const textOf = ({ rows, isLoaded, isStale, error }: Rows<{ name: string }>) =>
  (error() as { code?: string } | undefined)?.code ??
  shown({ rows: rows(), isLoaded: isLoaded(), isStale: isStale() });

/** A component without a decorator, which esbuild would have to know. */
function component<T>(template: string, type: Type<T>): Type<T> {
  Component({ selector: 'test-app', template })(type);
  return type;
}

async function render(account: AccountSource, root: Type<unknown>) {
  const place = makePlace('<test-app></test-app>');
  const app: ApplicationRef = await bootstrapApplication(root, {
    providers: [provideZonelessChangeDetection(), provideAccount(account)],
  });
  onTestFinished(() => void (app.destroyed || app.destroy()));
  return { app, place, text: () => place.textContent!.trim() };
}

describe('the signals for Angular', () => {
  test('show two tables, one row, a count, an aggregate and each change', async () => {
    const { account, table } = await openPets();
    class App {
      pets = injectRows(pets);
      cats = injectRows(account.tables.cats);
      one = injectRow(pets, () => ({ kind: 'dog', id: 'a' }));
      total = injectCount(pets);
      table = injectTable(pets);
      names = injectLive(() => namesOf(this.table()));
      opened = injectAccount();
      status = injectStatus();
      text = () =>
        [
          textOf(this.pets),
          `${this.cats.isLoaded()} ${this.cats.rows().length}`,
          this.one.row()?.name,
          this.total.count(),
          this.names.value()?.map(({ name }) => name),
          this.opened() === account,
          this.status() ?? 'none',
        ].join(';');
    }
    const { text } = await render(Promise.resolve(account), component('{{ text() }}', App));

    await expect.poll(text).toBe('a;true 0;a;1;a;true;none');
    await table.put(pet('a', 'A'));
    await table.insert(pet('b'));
    await account.tables.cats.insert(pet('cat'));
    await expect.poll(text).toBe('A,b;true 1;A;2;A,b;true;none');
  });

  test('keep the result when the filter changes, until the new one is there', async () => {
    const { account, table } = await openPets();
    await table.insert(pet('b'));
    const wanted = signal('a');
    class App {
      pets = injectRows(pets, { where: ({ name }) => name.eq(wanted()) });
      text = () => textOf(this.pets);
    }
    const { place, text } = await render(account, component('{{ text() }}', App));
    const seen = textsOf(place);
    await expect.poll(text).toBe('a');

    wanted.set('b');

    await expect.poll(text).toBe('b');
    expect(`${seen}`).toContain('a (stale)');
    expect(`${seen.slice(seen.indexOf('a') + 1)}`).not.toContain('loading');
  });

  test('keep the elements of rows that did not change', async () => {
    const { account, table } = await openPets();
    await table.insert(pet('b'));
    class App {
      rows = injectRows(pets).rows;
    }
    const template = '@for (pet of rows(); track pet) {<p>{{ pet.name }}</p>}';
    const { place, text } = await render(account, component(template, App));
    await expect.poll(text).toBe('ab');
    const [first, second] = place.querySelectorAll('p');
    await table.put(pet('b', 'B'));
    await expect.poll(text).toBe('aB');

    expect(place.querySelectorAll('p')[0]).toBe(first);
    expect(place.querySelectorAll('p')[1]).not.toBe(second);
  });

  test('end what they follow when the application ends', async () => {
    const { account } = await openPets();
    const open = followersOf(account);
    class App {
      pets = injectRows(pets);
      text = () => textOf(this.pets);
    }
    const { app, text } = await render(account, component('{{ text() }}', App));
    await expect.poll(text).toBe('a');
    expect(open()).toBe(1);

    app.destroy();

    await expect.poll(open).toBe(0);
  });

  test('report that the table was deleted, or the account did not open', async () => {
    const { account } = await openPets();
    class App {
      pets = injectRows(pets);
      text = () => textOf(this.pets);
    }
    const { app, place, text } = await render(account, component('{{ text() }}', App));
    await expect.poll(text).toBe('a');
    await account.deleteTable('Pets');
    await expect.poll(text).toBe('TableNotFound');
    app.destroy();
    place.remove();

    const failed = Promise.reject(Object.assign(new Error(), { code: 'Failed' }));
    const other = await render(failed, component('{{ text() }}', App));
    await expect.poll(other.text).toBe('Failed');
  });

  test('show what a server has sent, until the first result is there', async () => {
    const { account, table } = await openPets();
    const initial = [{ ...(await table.get(pet('a')))!, name: 'early' }];
    const seen: string[] = [];
    class App {
      pets = injectRows(pets, { initial });
      one = injectRow(pets, pet('a'), { initial: initial[0] });
      total = injectCount(pets, { initial: 5 });
      text = () => {
        const text = [textOf(this.pets), this.one.row()?.name, this.total.count()].join();
        seen.push(text);
        return text;
      };
    }
    const { text } = await render(account, component('{{ text() }}', App));

    await expect.poll(text).toBe('a,a,1');
    expect(seen[0]).toBe('early,early,5');
    expect(seen.join(';')).not.toContain('loading');
  });
});
