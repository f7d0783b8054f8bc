// A store that is deleted while a page uses it: docs/internals/store-protocol.md, "Another store".

import { describe, expect, it } from 'vitest';

import { freshProfile, startBrowser } from './support/browser.js';
import { sessionWith } from './support/chromium.js';
import { ENGINES } from './support/engines.js';
import { openSite, type Actor } from './support/site.js';

/** The tab sees that its store is deleted, still shows its data, and changes nothing else. */
async function expectEvicted(tab: Actor, stored: readonly string[]): Promise<void> {
  await expect(tab.call('insert', 'p', 'later')).rejects.toMatchObject({ code: 'StorageEvicted' });
  await expect(tab.call('insert', 'p', 'later')).rejects.toMatchObject({ code: 'StorageEvicted' });

  expect((await tab.call('statuses')).filter((each) => each === 'evicted')).toHaveLength(1);
  expect(await tab.call('keys')).toEqual(['p/mine']);
  expect(await tab.call('storedKeys').catch(() => [])).toEqual(stored);
}

describe.each(ENGINES)('a store that another tab of %s deletes', (engine) => {
  it('is not mistaken for an empty one', async () => {
    const site = await openSite();
    await startBrowser(engine, freshProfile(), [site.url('tab'), site.url('other')]);
    const tab = await site.actor('tab');
    const other = await site.actor('other');
    await tab.call('open');
    await tab.call('insert', 'p', 'mine');

    await other.call('deleteStore');
    await expectEvicted(tab, []);

    await other.call('open');
    await other.call('insert', 'p', 'theirs');
    await expectEvicted(tab, ['p/theirs']);
  });
});

describe('a store that Chromium clears with the data of the site', () => {
  it('is not mistaken for the one that another tab creates after it', async () => {
    const site = await openSite();
    const urls = [site.url('tab'), site.url('other')];
    const browser = await startBrowser('chromium', freshProfile(), urls);
    const tab = await site.actor('tab');
    const other = await site.actor('other');
    await tab.call('open');
    await tab.call('insert', 'p', 'mine');

    const session = await sessionWith(browser.profile, urls[0]!);
    const { origin } = new URL(urls[0]!);
    await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'indexeddb' });
    await other.call('open');
    await other.call('insert', 'p', 'theirs');

    await expectEvicted(tab, ['p/theirs']);
    expect(await tab.call('statuses')).toContain('lost');
  });
});
