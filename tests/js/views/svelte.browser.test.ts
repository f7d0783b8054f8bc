// The results for the runes of Svelte, in a page, with components that its compiler makes.

import { flushSync, mount, unmount } from 'svelte';
import { describe, expect, onTestFinished, test } from 'vitest';

import type { AccountSource } from '../../../js/src/svelte.js';
import type { TableOf } from '../../../js/src/tables/table.js';
import { cats, followersOf, makePlace, openPets, pet, pets, textsOf } from './support.js';
import Provided from './svelte/provided.svelte';

interface Props {
  account?: AccountSource;
  table?: typeof pets | TableOf<typeof pets>;
  wanted?: string;
  initial?: object[];
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
  test('show a table, one row, a count, a store, an aggregate and each change', async () => {
    const { account, table } = await openPets();
    const { text } = render({ account: Promise.resolve(account) });

    await expect.poll(text).toBe('a;a;1;1;a;none');
    await table.put(pet('a', 'A'));
    await table.insert(pet('b'));
    await expect.poll(text).toBe('A,b;A;2;2;A,b;none');
  });

  test('show another table, and the table of an account', async () => {
    const { account } = await openPets();
    await account.tables.cats.insert(pet('cat'));
    const { set, text } = render({ account });
    await expect.poll(text).toBe('a;a;1;1;a;none');

    set({ table: cats });

    await expect.poll(text).toBe('cat;a;1;1;a;none');
    set({ table: account.tables.pets });
    await expect.poll(text).toBe('a;a;1;1;a;none');
  });

  test('keep the result when the filter changes, until the new one is there', async () => {
    const { account, table } = await openPets();
    await table.insert(pet('b'));
    const { place, set, text } = render({ account, wanted: 'a' });
    await expect.poll(text).toBe('a;a;2;2;a,b;none');
    const seen = textsOf(place);

    set({ wanted: 'b' });

    await expect.poll(text).toBe('b;a;2;2;a,b;none');
    expect(seen[0]).toContain('a (stale);');
    expect(`${seen}`).not.toContain('loading');
  });

  test('end what they follow when the component is unmounted', async () => {
    const { account } = await openPets();
    const open = followersOf(account);
    const { end, text } = render({ account });
    await expect.poll(text).toBe('a;a;1;1;a;none');
    expect(open()).toBeGreaterThan(0);

    end();

    await expect.poll(open).toBe(0);
  });

  test('report that the table was deleted, or the account did not open', async () => {
    const { account } = await openPets();
    const { text } = render({ account });
    await expect.poll(text).toBe('a;a;1;1;a;none');
    await account.deleteTable('Pets');
    await expect.poll(text).toContain('TableNotFound;');

    const failed = Promise.reject(Object.assign(new Error(), { code: 'Failed' }));
    await expect.poll(render({ account: failed }).text).toContain('Failed;');
  });

  test('show what a server has sent, until the first result is there', async () => {
    const { account, table } = await openPets();
    const initial = [{ ...(await table.get(pet('a')))!, name: 'early' }];
    const { place, text } = render({ account: Promise.resolve(account), initial });
    const seen = [text(), ...textsOf(place)];

    await expect.poll(text).toBe('a;a;1;1;a;none');
    expect(seen[0]).toBe('early;early;1;1;;none');
    expect(seen.join(' ')).not.toContain('loading');
  });
});
