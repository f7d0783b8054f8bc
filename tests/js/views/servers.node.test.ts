// What Solid and Svelte render on a server, with their builds for servers: rows that it has read.

import { createComponent, type JSX } from 'solid-js';
import { renderToString } from 'solid-js/web';
import type { Component } from 'svelte';
import { render } from 'svelte/server';
import { describe, expect, it } from 'vitest';

import * as solid from '../../../js/src/solid.js';
import * as svelte from '../../../js/src/svelte.js';
import { openPets, pet, pets, shown } from './support.js';

/** As the compiler of Svelte makes a component for servers. */
type Renderer = { push: (html: string) => void };

async function initialPets() {
  const { table } = await openPets();
  return await table.list();
}

describe.each([false, true])('a server renders; with initial rows: %s', (hasRows) => {
  const expected = hasRows ? 'a,a,1,false' : 'loading,,0,false';

  it('with Solid', async () => {
    const initial = hasRows ? await initialPets() : undefined;
    const Names = () => {
      const all = solid.useRows(pets, { initial });
      const one = solid.useRow(pets, pet('a'), { initial: initial?.[0] });
      const total = solid.useCount(pets, { initial: initial?.length });
      const text = [shown(all), one.row?.name, total.count, all.isLoaded].join();
      return text as unknown as JSX.Element;
    };

    const html = renderToString(() =>
      createComponent(solid.AccountProvider, {
        account: undefined,
        get children() {
          return createComponent(Names, {});
        },
      }),
    );

    expect(html).toContain(expected);
  });

  it('with Svelte', async () => {
    const initial = hasRows ? await initialPets() : undefined;
    const Names = (renderer: Renderer) => {
      svelte.setAccount(undefined);
      const all = svelte.useRows(pets, { initial });
      const one = svelte.useRow(pets, pet('a'), { initial: initial?.[0] });
      const total = svelte.useCount(pets, { initial: initial?.length });
      renderer.push([shown(all), one.row?.name, total.count, all.isLoaded].join());
    };

    const { body } = render(Names as unknown as Component);

    expect(body).toContain(expected);
  });
});
