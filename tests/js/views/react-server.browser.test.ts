// What the hooks for React render on a server, and when a page hydrates that.

import { Suspense, createElement as h, type ReactNode } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { renderToString } from 'react-dom/server.browser';
import { describe, expect, onTestFinished, test } from 'vitest';

import {
  AccountProvider,
  useCount,
  useRow,
  useRows,
  type AccountSource,
} from '../../../js/src/react.js';
import { makePlace, openPets, pet, pets, shown, textsOf } from './support.js';

const within = (account: AccountSource, ...children: ReactNode[]) =>
  h(AccountProvider, { account }, ...children);

/** Hydrates what a server has sent, and collects the errors of React. */
function hydrate(html: string, app: ReactNode) {
  const errors: unknown[] = [];
  const place = makePlace(html);
  const seen = textsOf(place);
  const root = hydrateRoot(place, app, { onRecoverableError: (error) => errors.push(error) });
  onTestFinished(() => root.unmount());
  return { errors, place, seen, text: () => place.textContent };
}

describe('the hooks for React on a server', () => {
  test('render nothing without initial rows, which a page hydrates', async () => {
    const { account } = await openPets();
    const Names = () => h('p', null, shown(useRows(pets)));
    const App = ({ source }: { source: AccountSource }) =>
      within(source, h(Names), h(Suspense, { fallback: h('i', null, 'later') }));
    const html = renderToString(h(App, { source: undefined }));
    expect(html).toContain('<p>loading</p>');
    // The client has a result already, which another root shows.
    const other = createRoot(makePlace());
    onTestFinished(() => other.unmount());
    other.render(within(account, h(Names)));

    const { errors, place, text } = hydrate(html, h(App, { source: account }));
    const [paragraph] = place.children;

    await expect.poll(text).toBe('a');
    expect(place.children[0]).toBe(paragraph);
    expect(errors).toEqual([]);
  });

  test('render initial rows, and a page shows them until it has its own', async () => {
    const { account, table } = await openPets();
    const initial = await table.list();
    const key = { kind: 'dog', id: 'a' };
    await table.insertMany([pet('b'), pet('c')]);
    await table.update(key, { name: 'A' });
    const All = () => {
      const { rows, isLoaded, isStale } = useRows(pets, { initial });
      const one = useRow(pets, key, { initial: initial[0] });
      const total = useCount(pets, { initial: 1 });
      const names = shown({ rows, isLoaded, isStale });
      return [names, one.row?.name, total.count, isLoaded, one.isLoaded, total.isLoaded].join();
    };
    const html = renderToString(within(undefined, h(All)));
    expect(html).toBe('a,a,1,false,false,false');

    const { errors, seen, text } = hydrate(html, within(Promise.resolve(account), h(All)));

    await expect.poll(text).toBe('A,b,c,A,3,true,true,true');
    expect(errors).toEqual([]);
    expect(seen.join(';')).not.toContain('loading');
  });

  test('do not wait in Suspense for what a server has sent', async () => {
    const { account, table } = await openPets();
    const initial = [{ ...(await table.get(pet('a')))!, name: 'early' }];
    const Names = () => shown(useRows(pets, { initial, suspense: true }));
    const app = (source: AccountSource) =>
      h(Suspense, { fallback: 'waiting' }, within(source, h(Names)));
    const html = renderToString(app(undefined));
    expect(html).toContain('early');

    const { seen, text } = hydrate(html, app(account));

    await expect.poll(text).toBe('a');
    expect(seen).not.toContain('waiting');
  });

  test('render the fallback of Suspense', async () => {
    const { account } = await openPets();
    const Names = () => shown(useRows(pets, { suspense: true }));
    for (const source of [undefined, account]) {
      const app = h(Suspense, { fallback: 'later' }, within(source, h(Names)));
      expect(renderToString(app)).toContain('later');
    }
  });
});
