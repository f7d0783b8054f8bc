// A tab that the browser freezes: docs/internals/browsers.md, "Pages that sleep".
//
// Only Chromium has a command for it, `Page.setWebLifecycleState`. Neither WebDriver BiDi, which
// controls Firefox, nor the protocol of WebKit's inspector has one, and neither browser knows the
// events `freeze` and `resume`. tabs.test.ts tests a tab of theirs that does nothing for seconds
// right after a transaction of its own.

import { describe, expect, it, vi } from 'vitest';

import { freshProfile, startBrowser } from './support/browser.js';
import { sessionWith } from './support/chromium.js';
import { openSite, type Actor, type Site } from './support/site.js';

// With texts of this length, the first flush comes after 35 entities.
const LONG = 30_000;

interface Tabs {
  readonly site: Site;
  /** The tab to freeze. */
  readonly tab: Actor;
  readonly other: Actor;

  freeze(): Promise<void>;

  /** Resolves to the same tab with a new socket: Chromium closes the socket of a frozen tab. */
  wake(): Promise<Actor>;
}

/** Two tabs of Chromium with an account each. */
async function openTabs(): Promise<Tabs> {
  const site = await openSite();
  const urls = [site.url('tab'), site.url('other')];
  const { profile } = await startBrowser('chromium', freshProfile(), urls);
  const [tab, other] = await Promise.all([site.actor('tab'), site.actor('other')]);
  for (const each of [tab, other]) await each.call('open');
  const session = await sessionWith(profile, urls[0]!);
  const become = (state: string) => session.send('Page.setWebLifecycleState', { state });
  return {
    ...{ site, tab, other },
    freeze: async () => void (await become('frozen')),
    async wake() {
      await become('active');
      return site.actor('tab');
    },
  };
}

/**
 * Lets a tab write until all earlier log records are flushed and deleted. An account that knows
 * only those cannot follow the log any more.
 */
async function writeAndFlush(tab: Actor): Promise<string[]> {
  const { newest } = await tab.call('recordNumbers');
  await tab.call('startWork', 'other', LONG);
  do await tab.call('untilWritten', 50);
  while ((await tab.call('recordNumbers')).oldest <= newest + 1);
  const { written, failed } = await tab.call('stopWork');
  expect(failed).toEqual([]);
  return Array.from({ length: written }, (_, row) => `other/${row}`);
}

describe('a tab that Chromium freezes', () => {
  it('sees the writes of others when it is back, and no longer trusts its own state', async () => {
    const { tab, other, freeze, wake } = await openTabs();
    const etag = await tab.call('insert', 'p', 'r', 'old');

    await freeze();
    await other.call('update', 'p', 'r', 'new', etag);
    const written = await writeAndFlush(other);
    const awake = await wake();

    expect(await awake.call('get', 'p', 'r')).toMatchObject({ text: 'new' });
    await expect(awake.call('update', 'p', 'r', 'mine', etag)).rejects.toMatchObject({
      code: 'UpdateConditionNotSatisfied',
    });
    expect((await awake.call('keys')).sort()).toEqual([...written, 'p/r'].sort());
    await awake.call('insert', 'p', 'later');
    expect((await other.call('storedKeys')).sort()).toEqual([...written, 'p/later', 'p/r'].sort());
    expect(await awake.call('statuses')).toEqual(['resumed']);
  });

  it('stops in the middle of its writes, blocks no other tab, and stores each write once', async () => {
    const { tab, other, freeze, wake } = await openTabs();
    const written = async () => {
      const keys = await other.call('storedKeys');
      return keys.filter((key) => key.startsWith('mine/')).length;
    };
    await tab.call('startWork', 'mine');
    await tab.call('untilWritten', 100);

    await freeze();
    // Its last transaction may end later.
    const still = await untilSame(written);
    const others = await writeAndFlush(other);
    expect(await written()).toBe(still);

    const awake = await wake();
    await awake.call('untilWritten', 100);
    const work = await awake.call('stopWork');
    expect(work.failed).toEqual([]);
    expect(work.written).toBeGreaterThan(still);
    const mine = Array.from({ length: work.written }, (_, row) => `mine/${row}`);
    expect((await other.call('storedKeys')).sort()).toEqual([...mine, ...others].sort());
    expect(await awake.call('statuses')).toEqual(['resumed']);
  });
});

/** Waits until the count is the same twice. */
async function untilSame(count: () => Promise<number>): Promise<number> {
  let last = await count();
  await vi.waitUntil(
    async () => {
      const before = last;
      last = await count();
      return last === before;
    },
    { timeout: 20_000 },
  );
  return last;
}
