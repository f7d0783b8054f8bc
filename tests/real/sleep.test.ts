// Pages that are frozen, or left and come back to: store.md of the design, 2 and 5.

import { describe, expect, it } from 'vitest';

import { freshProfile, startBrowser } from './support/browser.js';
import { sessionWith } from './support/chromium.js';
import { openSite } from './support/site.js';

describe('a frozen tab', () => {
  it('writes when it wakes up, after others wrote and folded, and loses nothing', async () => {
    const site = await openSite();
    const urls = [site.url('asleep'), site.url('awake')];
    const browser = await startBrowser('chromium', freshProfile(), urls);
    const asleep = await site.actor('asleep');
    const awake = await site.actor('awake');
    for (const tab of [asleep, awake]) await tab.call('open');
    await asleep.call('insert', 'asleep', 'before');
    const session = await sessionWith(browser.profile, urls[0]!);

    await session.send('Page.setWebLifecycleState', { state: 'frozen' });
    let isAnswered = false;
    const inserted = asleep.call('insert', 'asleep', 'after').then(() => (isAnswered = true));
    await awake.call('startWork', 'awake', 20_000);
    await awake.call('untilWritten', 150);
    const { written, folds } = await awake.call('stopWork');
    expect(isAnswered).toBe(false);
    await session.send('Page.setWebLifecycleState', { state: 'active' });
    await inserted;

    expect(folds).toBeGreaterThan(1);
    const keys = Array.from({ length: written }, (_, row) => `awake/${row}`);
    const all = ['asleep/before', 'asleep/after', ...keys].sort();
    expect((await asleep.call('storedKeys')).sort()).toEqual(all);
    expect((await asleep.call('keys')).sort()).toEqual(all);
    expect(await asleep.call('statuses')).toEqual(['resumed']);
  });
});

describe('a page in the back/forward cache', () => {
  it('comes back to what others wrote meanwhile, and goes on', async () => {
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
