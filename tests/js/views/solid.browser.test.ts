// The results for Solid, in a page, with Solid itself. No element needs its compiler.

import { createComponent, createEffect, createSignal, For, Show, type JSX } from 'solid-js';
import { insert, render as renderSolid } from 'solid-js/web';
import { describe, expect, onTestFinished, test } from 'vitest';

import {
  AccountProvider,
  useAccount,
  useCount,
  useLive,
  useRow,
  useRows,
  useStatus,
  useTable,
  type AccountSource,
  type Failable,
  type RowsResult,
} from '../../../js/src/solid.js';
import { followersOf, makePlace, namesOf, openPets, pet, pets, shown, textsOf } from './support.js';

const textOf = (result: RowsResult<{ name: string }> & Failable) =>
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
  test('show two tables, one row, a count, an aggregate and each change', async () => {
    const { account, table } = await openPets();
    const { text } = render(Promise.resolve(account), () => {
      const all = useRows(pets);
      const others = useRows(account.tables.cats);
      const one = useRow(pets, () => ({ kind: 'dog', id: 'a' }));
      const total = useCount(pets);
      const own = useTable(pets);
      const names = useLive(() => namesOf(own()));
      const opened = useAccount();
      const status = useStatus();
      return (() =>
        [
          textOf(all),
          `${others.isLoaded} ${others.rows.length}`,
          one.row?.name,
          total.count,
          names.value?.map(({ name }) => name),
          opened() === account,
          status() ?? 'none',
        ].join(';')) as unknown as JSX.Element;
    });

    await expect.poll(text).toBe('a;true 0;a;1;a;true;none');
    await table.put(pet('a', 'A'));
    await table.insert(pet('b'));
    await account.tables.cats.insert(pet('cat'));
    await expect.poll(text).toBe('A,b;true 1;A;2;A,b;true;none');
  });

  test('keep the result when the filter changes, until the new one is there', async () => {
    const { account, table } = await openPets();
    await table.insert(pet('b'));
    const [wanted, setWanted] = createSignal('a');
    const { place, text } = render(account, () => {
      const rows = useRows(pets, { where: ({ name }) => name.eq(wanted()) });
      return (() => textOf(rows)) as unknown as JSX.Element;
    });
    const seen = textsOf(place);
    await expect.poll(text).toBe('a');

    setWanted('b');

    await expect.poll(text).toBe('b');
    expect(seen.slice(seen.indexOf('a'))).toEqual(['a', 'a (stale)', 'b']);
  });

  test('keep the elements of rows that did not change', async () => {
    const { account, table } = await openPets();
    await table.insert(pet('b'));
    const { place, text } = render(account, () => {
      const all = useRows(pets);
      return For({
        get each() {
          return all.rows;
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
    await table.put(pet('b', 'B'));
    await expect.poll(text).toBe('aB');

    expect(place.children[0]).toBe(first);
    expect(place.children[1]).not.toBe(second);
  });

  test('end what they follow when the component is removed', async () => {
    const { account } = await openPets();
    const open = followersOf(account);
    const [isShown, setShown] = createSignal(true);
    const List = () => {
      const all = useRows(pets);
      const element = document.createElement('p');
      insert(element, () => textOf(all));
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
    const { account } = await openPets();
    const codes: unknown[] = [];
    const List = () => {
      const all = useRows(pets);
      createEffect(() => codes.push(all.error));
      return (() => textOf(all)) as unknown as JSX.Element;
    };
    const { text } = render(account, List);
    await expect.poll(text).toBe('a');
    await account.deleteTable('Pets');
    await expect.poll(text).toBe('TableNotFound');
    expect(codes.at(-1)).toMatchObject({ code: 'TableNotFound' });

    const failed = Promise.reject(Object.assign(new Error(), { code: 'Failed' }));
    await expect.poll(render(failed, List).text).toBe('Failed');
  });

  test('show what a server has sent, until the first result is there', async () => {
    const { account, table } = await openPets();
    const initial = [{ ...(await table.get(pet('a')))!, name: 'early' }];
    const { place, text } = render(Promise.resolve(account), () => {
      const all = useRows(pets, { initial });
      const one = useRow(pets, pet('a'), { initial: initial[0] });
      const total = useCount(pets, { initial: 5 });
      return (() => [textOf(all), one.row?.name, total.count].join()) as unknown as JSX.Element;
    });
    const seen = [text(), ...textsOf(place)];

    await expect.poll(text).toBe('a,a,1');
    expect(seen[0]).toBe('early,early,5');
    expect(seen.join(';')).not.toContain('loading');
  });
});
