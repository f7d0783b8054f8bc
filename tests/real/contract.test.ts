// Browsers differ in the details of a transaction, so each of them runs the contract of a storage.

import { describe, expect, it } from 'vitest';

import { useTabs } from './support/browser.js';
import { ENGINES, ENGINES_WITH_OPFS } from './support/engines.js';
import { openSite } from './support/site.js';

const show = useTabs();

describe.each(ENGINES_WITH_OPFS)('OPFS in %s', (engine) => {
  it('keeps the contract of a storage', async () => {
    const site = await openSite();
    await show(engine, [site.url('tab')]);
    const tab = await site.actor('tab');
    await tab.call('startWorker', 'worker');

    const { checks, failures } = await (await site.actor('worker')).call('checkContract', 'OPFS');

    expect(failures).toEqual([]);
    expect(checks).toBeGreaterThan(10);
  });
});

describe.each(ENGINES)('IndexedDB in %s', (engine) => {
  it('keeps the contract of a storage', async () => {
    const site = await openSite();
    await show(engine, [site.url('tab')]);

    const { checks, failures } = await (await site.actor('tab')).call('checkContract', 'IndexedDB');

    expect(failures).toEqual([]);
    expect(checks).toBeGreaterThan(10);
  });

  it('stores nothing of a batch whose last request fails', async () => {
    const site = await openSite();
    await show(engine, [site.url('tab')]);

    expect(await (await site.actor('tab')).call('commitHalfPossible')).toEqual({
      outcome: 'moved',
      isPageStored: false,
    });
  });
});
