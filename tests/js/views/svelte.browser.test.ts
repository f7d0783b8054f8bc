// The results for the runes of Svelte, in a page, with components that its compiler makes.

import { flushSync, mount, unmount } from 'svelte';
import { describe, expect, onTestFinished, test } from 'vitest';

import type { TableSource, AccountSource } from '../../../js/src/svelte.js';
import {
  declared,
  followersOf,
  makePlace,
  openNameless,
  openPets,
  pet,
  textsOf,
  type Pet,
} from './support.js';
import Provided from './svelte/provided.svelte';

interface Props {
  account?: AccountSource;
  table?: TableSource<Pet>;
  filter?: string;
  isShown?: boolean;
}

function render(given: Props) {
  const place = makePlace();
  const component = mount(Provided, { target: place, props: given });
  let isMounted = true;
  const end = () => {
    if (isMounted) void unmount(component);
    isMounted = false;
  };
  onTestFinished(end);
  const set = (props: Props) => flushSync(() => component.set(props));
  return { place, set, end, text: () => place.textContent };
}

describe('the results for Svelte', () => {
  test('show a table, one entity, a count, a store and each change', async () => {
    const { account, table } = await openPets();
    const { text } = render({ account: Promise.resolve(account) });

    await expect.poll(text).toBe('a;a;1;1;none');
    await table.updateEntity(pet('a', 'A'));
    await table.createEntity(pet('b'));
    await expect.poll(text).toBe('A,b;A;2;2;none');
  });

  test('show another table, by its client', async () => {
    const { account } = await openPets();
    const cats = account.tableClient<Pet>('Cats');
    await cats.createTable();
    await cats.createEntity(pet('cat'));
    const { set, text } = render({ account });
    await expect.poll(text).toBe('a;a;1;1;none');

    set({ table: cats });

    await expect.poll(text).toBe('cat;a;1;1;none');
  });

  test('show the rows of a declared table beside its entities', async () => {
    const { account } = await openNameless();
    const { set, text } = render({ account: Promise.resolve(account) });
    await expect.poll(text).toBe('a,;a;2;2;none');

    set({ table: declared });

    await expect.poll(text).toBe('a,nameless;a;2;2;none');
    await account.table(declared).createEntity({ partitionKey: 'p', rowKey: 'c' });
    await expect.poll(text).toBe('a,nameless,nameless;a;3;3;none');
    set({ table: account.table(declared) });
    await expect.poll(text).toBe('a,nameless,nameless;a;3;3;none');
    set({ table: 'Pets' });
    await expect.poll(text).toBe('a,,nameless;a;3;3;none');
  });

  test('keep the result when the filter changes, until the new one is there', async () => {
    const { account, table } = await openPets();
    await table.createEntity(pet('b'));
    const { place, set, text } = render({ account, filter: "name eq 'a'" });
    await expect.poll(text).toBe('a;a;2;2;none');
    const seen = textsOf(place);

    set({ filter: "name eq 'b'" });

    await expect.poll(text).toBe('b;a;2;2;none');
    expect(seen[0]).toContain('a (stale);');
    expect(`${seen}`).not.toContain('loading');
  });

  test('end what they follow when the component is unmounted', async () => {
    const { account, table } = await openPets();
    const open = followersOf(table);
    const { end, text } = render({ account });
    await expect.poll(text).toBe('a;a;1;1;none');
    expect(open()).toBeGreaterThan(0);

    end();

    await expect.poll(open).toBe(0);
  });

  test('report that the table was deleted, or the account did not open', async () => {
    const { account, table } = await openPets();
    const { text } = render({ account });
    await expect.poll(text).toBe('a;a;1;1;none');
    await table.deleteTable();
    await expect.poll(text).toContain('TableNotFound;');

    const failed = Promise.reject(Object.assign(new Error(), { code: 'Failed' }));
    await expect.poll(render({ account: failed }).text).toContain('Failed;');
  });
});
