// The results for Solid, in a page, with Solid itself. No element needs its compiler.

import { createComponent, createEffect, createSignal, For, Show, type JSX } from 'solid-js';
import { insert, render as renderSolid } from 'solid-js/web';
import { describe, expect, onTestFinished, test } from 'vitest';

import {
  AccountProvider,
  useAccount,
  useCount,
  useEntities,
  useEntity,
  useStatus,
  type AccountSource,
  type EntitiesResult,
  type Failable,
} from '../../../js/src/solid.js';
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

const textOf = (result: EntitiesResult<Pet> & Failable) =>
  (result.error as { code?: string } | undefined)?.code ?? shown(result);

function render(account: AccountSource, Child: () => JSX.Element) {
  const place = makePlace();
  const end = renderSolid(
    () =>
      createComponent(AccountProvider, {
        account,
        get children() {
          return createComponent(Child, {});
        },
      }),
    place,
  );
  onTestFinished(end);
  return { end, place, text: () => place.textContent };
}

describe('the results for Solid', () => {
  test('show two tables, one entity, a count and each change', async () => {
    const { account, table } = await openPets();
    await account.createTable('Cats');
    const { text } = render(Promise.resolve(account), () => {
      const pets = useEntities<Pet>('Pets');
      const cats = useEntities(account.tableClient<Pet>('Cats'));
      const one = useEntity<Pet>('Pets', 'p', 'a');
      const total = useCount('Pets');
      const opened = useAccount();
      const status = useStatus();
      return (() =>
        [
          textOf(pets),
          `${cats.isLoaded} ${cats.entities.length}`,
          one.entity?.name,
          total.count,
          opened() === account,
          status() ?? 'none',
        ].join(';')) as unknown as JSX.Element;
    });

    await expect.poll(text).toBe('a;true 0;a;1;true;none');
    await table.updateEntity(pet('a', 'A'));
    await table.createEntity(pet('b'));
    await account.tableClient('Cats').createEntity(pet('cat'));
    await expect.poll(text).toBe('A,b;true 1;A;2;true;none');
  });

  test('show the rows of a declared table beside its entities', async () => {
    const { account } = await openNameless();
    const { text } = render(Promise.resolve(account), () => {
      const rows = useEntities(declared);
      const names = useEntities(() => account.table(declared), { select: ['name'] });
      const untyped = useEntities<Pet>('Pets');
      const one = useEntity(declared, 'p', 'b');
      const total = useCount(declared);
      return (() =>
        [textOf(rows), textOf(names), textOf(untyped), one.entity?.name, total.count].join(
          ';',
        )) as unknown as JSX.Element;
    });

    await expect.poll(text).toBe('a,nameless;a,nameless;a,;nameless;2');
    await account.table(declared).createEntity({ partitionKey: 'p', rowKey: 'c', weight: 1 });
    await expect.poll(text).toBe('a,nameless,nameless;a,nameless,nameless;a,,nameless;nameless;3');
  });

  test('keep the result when the filter changes, until the new one is there', async () => {
    const { account, table } = await openPets();
    await table.createEntity(pet('b'));
    const [filter, setFilter] = createSignal("name eq 'a'");
    const { place, text } = render(account, () => {
      const pets = useEntities<Pet>('Pets', () => ({ filter: filter() }));
      return (() => textOf(pets)) as unknown as JSX.Element;
    });
    const seen = textsOf(place);
    await expect.poll(text).toBe('a');

    setFilter("name eq 'b'");

    await expect.poll(text).toBe('b');
    expect(seen.slice(seen.indexOf('a'))).toEqual(['a', 'a (stale)', 'b']);
  });

  test('keep the elements of entities that did not change', async () => {
    const { account, table } = await openPets();
    await table.createEntity(pet('b'));
    const { place, text } = render(account, () => {
      const pets = useEntities<Pet>('Pets');
      return For({
        get each() {
          return pets.entities;
        },
        children: ({ name }) => {
          const element = document.createElement('p');
          element.textContent = name;
          return element;
        },
      });
    });
    await expect.poll(text).toBe('ab');
    const [first, second] = place.children;
    await table.updateEntity(pet('b', 'B'));
    await expect.poll(text).toBe('aB');

    expect(place.children[0]).toBe(first);
    expect(place.children[1]).not.toBe(second);
  });

  test('end what they follow when the component is removed', async () => {
    const { account, table } = await openPets();
    const open = followersOf(table);
    const [isShown, setShown] = createSignal(true);
    const List = () => {
      const pets = useEntities<Pet>('Pets');
      const element = document.createElement('p');
      insert(element, () => textOf(pets));
      return element;
    };
    const { text } = render(account, () =>
      Show({
        get when() {
          return isShown();
        },
        get children() {
          return [createComponent(List, {}), createComponent(List, {})];
        },
      }),
    );
    await expect.poll(text).toBe('aa');
    expect(open()).toBe(1);

    setShown(false);

    await expect.poll(open).toBe(0);
  });

  test('report that the table was deleted, or the account did not open', async () => {
    const { account, table } = await openPets();
    const codes: unknown[] = [];
    const List = () => {
      const pets = useEntities<Pet>('Pets');
      createEffect(() => codes.push(pets.error));
      return (() => textOf(pets)) as unknown as JSX.Element;
    };
    const { text } = render(account, List);
    await expect.poll(text).toBe('a');
    await table.deleteTable();
    await expect.poll(text).toBe('TableNotFound');
    expect(codes.at(-1)).toMatchObject({ code: 'TableNotFound' });

    const failed = Promise.reject(Object.assign(new Error(), { code: 'Failed' }));
    await expect.poll(render(failed, List).text).toBe('Failed');
  });
});
