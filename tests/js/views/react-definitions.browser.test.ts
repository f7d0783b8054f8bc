// The hooks for React with declared tables, which a component may make anew in each render.

import { Suspense, createElement as h, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { describe, expect, onTestFinished, test } from 'vitest';

import {
  AccountProvider,
  useEntities,
  useEntity,
  type AccountSource,
} from '../../../js/src/react.js';
import { defineTable, t } from '../../../js/src/schema.js';
import { declared, makePlace, openNameless, shown } from './support.js';

function render(account: AccountSource, element: ReactNode) {
  const place = makePlace();
  const root = createRoot(place);
  onTestFinished(() => root.unmount());
  root.render(h(AccountProvider, { account }, element));
  return () => place.textContent;
}

describe('hooks for React', () => {
  test.each([false, true])(
    'take a definition that each render makes; suspense: %s',
    async (suspense) => {
      const { account } = await openNameless();
      let renders = 0;
      const All = () => {
        if (++renders > 100) throw new Error('The component renders endlessly.');
        const name = t.string().default(() => 'nobody');
        const made = defineTable('Pets', { ...declared.properties, name });
        const rows = useEntities(made, { suspense });
        return `${shown(rows)} ${useEntity(made, 'p', 'b', { suspense }).entity?.name}`;
      };
      const text = render(account, h(Suspense, { fallback: 'waiting' }, h(All)));

      await expect.poll(text).toBe('a,nobody nobody');
      await account.table(declared).createEntity({ partitionKey: 'p', rowKey: 'c' });
      await expect.poll(text).toBe('a,nobody,nameless nobody');
    },
  );

  test('keep apart definitions of a table with other rows', async () => {
    const { account } = await openNameless();
    const { name: _, ...others } = declared.properties;
    const upgrade = { 1: (row: object) => ({ ...row, name: 'upgraded' }) };
    const definitions = [
      declared,
      defineTable('Pets', { ...others, name: t.string().default('nobody') }),
      defineTable('Pets', { ...others, name: t.string().default(() => 'made') }),
      defineTable('Pets', { ...others, name: t.string().optional() }),
      defineTable('Pets', declared.properties, { version: 2, upgrade }),
    ];
    const All = () => definitions.map((one) => shown(useEntities(one))).join(';');
    const text = render(account, h(All));

    await expect.poll(text).toBe('a,nameless;a,nobody;a,made;a,;upgraded,upgraded');
  });
});
