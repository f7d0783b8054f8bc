// The state of Chromium's own files after a kill: js/src/storage/indexeddb/chromium.ts.

import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it, vi } from 'vitest';

import { freshProfile, startBrowser } from './support/browser.js';
import { openSite, type Site } from './support/site.js';

/** The log of the one LevelDB that a profile has for IndexedDB. */
function logIn(profile: string): string {
  const databases = join(profile, 'Default', 'IndexedDB');
  const folder = readdirSync(databases).find((name) => name.endsWith('.leveldb'))!;
  const logs = readdirSync(join(databases, folder)).filter((name) => name.endsWith('.log'));
  return join(databases, folder, logs.sort().at(-1)!);
}

/**
 * Appends the beginning of a LevelDB record to a log: checksum, length, "first of several", and
 * fewer bytes than that length ("leveldb Log format").
 */
function tear(log: string): void {
  appendFileSync(log, Buffer.from([1, 2, 3, 4, 0x00, 0x10, 2, ...Buffer.alloc(100, 7)]));
}

/** Starts Chromium on a profile, and opens the store in its tab. */
async function start(site: Site, profile: string) {
  const browser = await startBrowser('chromium', profile, [site.url('tab')]);
  const tab = await site.actor('tab');
  await tab.call('open');
  return { browser, tab };
}

describe('a store of Chromium', () => {
  it('survives a kill that left a torn log, and another kill', async () => {
    const site = await openSite();
    const profile = freshProfile();
    let { browser, tab } = await start(site, profile);
    await tab.call('insert', 'p', 'before');
    await browser.kill();
    const log = logIn(profile);
    tear(log);

    ({ browser, tab } = await start(site, profile));
    await tab.call('insert', 'p', 'after');
    await vi.waitUntil(() => logIn(profile) !== log, 60_000);
    await browser.kill();

    ({ browser, tab } = await start(site, profile));
    expect((await tab.call('keys')).sort()).toEqual(['p/after', 'p/before']);
    expect(await tab.call('statuses')).toEqual([]);
  });

  it('survives a kill while it writes to both of its object stores', async () => {
    const site = await openSite();
    const profile = freshProfile();
    let { browser, tab } = await start(site, profile);
    await tab.call('insert', 'p', 'r');
    await tab.call('stallCommits');
    await browser.kill();

    ({ browser, tab } = await start(site, profile));

    expect(await tab.call('keys')).toEqual(['p/r']);
    expect(await tab.call('statuses')).toEqual([]);
  });

  it('is reported, if Chromium has removed it as damaged', async () => {
    const site = await openSite();
    const profile = freshProfile();
    let { browser, tab } = await start(site, profile);
    for (const row of ['1', '2', '3']) await tab.call('insert', 'p', row);
    await browser.kill();
    const log = logIn(profile);
    const bytes = readFileSync(log);
    bytes.writeUInt8(bytes.readUInt8(bytes.length >> 1) ^ 1, bytes.length >> 1);
    writeFileSync(log, bytes);

    ({ browser, tab } = await start(site, profile));

    expect(await tab.call('keys')).toEqual([]);
    expect(await tab.call('statuses')).toEqual(['destroyed']);
  });
});
