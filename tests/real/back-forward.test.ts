// Pages that the user leaves, and that the browser shows again later.

import { describe, expect, it } from 'vitest';

import { freshProfile, startBrowser } from './support/browser.js';
import { openSite } from './support/site.js';

describe('a page in the back/forward cache', () => {
  it('sees the writes of others when it comes back, and continues', async () => {
    const site = await openSite();
    const urls = [site.url('leaving'), site.url('other')];
    await startBrowser('chromium', freshProfile(), urls);
    let leaving = await site.actor('leaving');
    const other = await site.actor('other');
    for (const tab of [leaving, other]) await tab.call('open');
    const etag = await leaving.call('insert', 'p', 'r', 'old');

    await leaving.call('leaveFor', 'elsewhere');
    const elsewhere = await site.actor('elsewhere');
    await other.call('update', 'p', 'r', 'new', etag);
    await elsewhere.call('goBack');
    leaving = await site.actor('leaving');

    expect(await leaving.call('cameBack')).toBe(true);
    expect(await leaving.call('get', 'p', 'r')).toMatchObject({ text: 'new' });
    await leaving.call('insert', 'p', 'later');
    expect((await other.call('storedKeys')).sort()).toEqual(['p/later', 'p/r']);
    expect(await leaving.call('statuses')).toEqual(['resumed']);
  });
});
