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
  injectEntities,
  injectEntity,
  injectStatus,
  provideAccount,
  type AccountSource,
  type Entities,
} from '../../../js/src/angular.js';
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

const textOf = ({ entities, isLoaded, isStale, error }: Entities<Pet>) =>
  (error() as { code?: string } | undefined)?.code ??
  shown({ entities: entities(), isLoaded: isLoaded(), isStale: isStale() });

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
  test('show two tables, one entity, a count and each change', async () => {
    const { account, table } = await openPets();
    await account.createTable('Cats');
    class App {
      pets = injectEntities<Pet>('Pets');
      cats = injectEntities(account.tableClient<Pet>('Cats'));
      one = injectEntity<Pet>('Pets', 'p', 'a');
      total = injectCount('Pets');
      opened = injectAccount();
      status = injectStatus();
      text = () =>
        [
          textOf(this.pets),
          `${this.cats.isLoaded()} ${this.cats.entities().length}`,
          this.one.entity()?.name,
          this.total.count(),
          this.opened() === account,
          this.status() ?? 'none',
        ].join(';');
    }
    const { text } = await render(Promise.resolve(account), component('{{ text() }}', App));

    await expect.poll(text).toBe('a;true 0;a;1;true;none');
    await table.updateEntity(pet('a', 'A'));
    await table.createEntity(pet('b'));
    await account.tableClient('Cats').createEntity(pet('cat'));
    await expect.poll(text).toBe('A,b;true 1;A;2;true;none');
  });

  test('show the rows of a declared table beside its entities', async () => {
    const { account } = await openNameless();
    class App {
      rows = injectEntities(declared);
      names = injectEntities(() => account.table(declared), { select: ['name'] });
      untyped = injectEntities<Pet>('Pets');
      one = injectEntity(declared, 'p', 'b');
      total = injectCount(declared);
      text = () =>
        [
          ...[textOf(this.rows), textOf(this.names), textOf(this.untyped)],
          ...[this.one.entity()?.name, this.total.count()],
        ].join(';');
    }
    const { text } = await render(Promise.resolve(account), component('{{ text() }}', App));

    await expect.poll(text).toBe('a,nameless;a,nameless;a,;nameless;2');
    await account.table(declared).createEntity({ partitionKey: 'p', rowKey: 'c', weight: 1 });
    await expect.poll(text).toBe('a,nameless,nameless;a,nameless,nameless;a,,nameless;nameless;3');
  });

  test('keep the result when the filter changes, until the new one is there', async () => {
    const { account, table } = await openPets();
    await table.createEntity(pet('b'));
    const filter = signal("name eq 'a'");
    class App {
      pets = injectEntities<Pet>('Pets', () => ({ filter: filter() }));
      text = () => textOf(this.pets);
    }
    const { place, text } = await render(account, component('{{ text() }}', App));
    const seen = textsOf(place);
    await expect.poll(text).toBe('a');

    filter.set("name eq 'b'");

    await expect.poll(text).toBe('b');
    expect(`${seen}`).toContain('a (stale)');
    expect(`${seen.slice(seen.indexOf('a') + 1)}`).not.toContain('loading');
  });

  test('keep the elements of entities that did not change', async () => {
    const { account, table } = await openPets();
    await table.createEntity(pet('b'));
    class App {
      entities = injectEntities<Pet>('Pets').entities;
    }
    const template = '@for (pet of entities(); track pet) {<p>{{ pet.name }}</p>}';
    const { place, text } = await render(account, component(template, App));
    await expect.poll(text).toBe('ab');
    const [first, second] = place.querySelectorAll('p');
    await table.updateEntity(pet('b', 'B'));
    await expect.poll(text).toBe('aB');

    expect(place.querySelectorAll('p')[0]).toBe(first);
    expect(place.querySelectorAll('p')[1]).not.toBe(second);
  });

  test('end what they follow when the application ends', async () => {
    const { account, table } = await openPets();
    const open = followersOf(table);
    class App {
      pets = injectEntities<Pet>('Pets');
      text = () => textOf(this.pets);
    }
    const { app, text } = await render(account, component('{{ text() }}', App));
    await expect.poll(text).toBe('a');
    expect(open()).toBe(1);

    app.destroy();

    await expect.poll(open).toBe(0);
  });

  test('report that the table was deleted, or the account did not open', async () => {
    const { account, table } = await openPets();
    class App {
      pets = injectEntities<Pet>('Pets');
      text = () => textOf(this.pets);
    }
    const { app, place, text } = await render(account, component('{{ text() }}', App));
    await expect.poll(text).toBe('a');
    await table.deleteTable();
    await expect.poll(text).toBe('TableNotFound');
    app.destroy();
    place.remove();

    const failed = Promise.reject(Object.assign(new Error(), { code: 'Failed' }));
    const other = await render(failed, component('{{ text() }}', App));
    await expect.poll(other.text).toBe('Failed');
  });
});
