// How much of an account stays in memory, if the app does not say.

import { afterEach, expect, test, vi } from 'vitest';

import { defaultCacheBytes } from '../../../js/src/core/memory.js';
import { collect, openForTest } from '../support/accounts.js';
import { WatchedStorage } from '../support/storages.js';

const MIB = 2 ** 20;
const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Safari/605.1.15';
const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605 Mobile/15E1';
const ANDROID = 'Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0';

afterEach(() => vi.unstubAllGlobals());

const onDevice = (navigator: object | undefined) => vi.stubGlobal('navigator', navigator);

test.each([
  ['of a 32nd of 8 GiB', { deviceMemory: 8, userAgent: MAC }, 256],
  ['of a 32nd of 2 GiB', { deviceMemory: 2, userAgent: ANDROID }, 64],
  ['of a 32nd of 256 MiB', { deviceMemory: 0.25, userAgent: ANDROID }, 8],
  ['that is no larger on a large machine', { deviceMemory: 32, userAgent: MAC }, 256],
  ['for a desktop that does not tell', { userAgent: MAC }, 192],
  ['for an iPad, which says that it is a Mac', { userAgent: MAC, maxTouchPoints: 5 }, 64],
  ['for an iPhone, which does not tell', { userAgent: IPHONE }, 64],
  ['for Firefox on Android, which does not tell', { userAgent: ANDROID }, 64],
  ['for Node', { userAgent: 'Node.js/22' }, 64],
  ['for a Cloudflare Worker, which has 128 MB', { userAgent: 'Cloudflare-Workers' }, 16],
  ['where there is no navigator', undefined, 64],
])('the default is a cache %s', (_, navigator, mebibytes) => {
  onDevice(navigator);

  expect(defaultCacheBytes(Infinity)).toBe(mebibytes * MIB);
});

test('the default is at most a quarter of the memory of the module', () => {
  onDevice({ deviceMemory: 8 });

  expect(defaultCacheBytes(128 * MIB)).toBe(32 * MIB);
});

const COUNT = 500;

// 12 MB that hardly compress.
function* notes() {
  for (let row = 0; row < COUNT; row++) {
    const letters = Array.from(crypto.getRandomValues(new Uint8Array(24_000)), (byte) => byte & 63);
    const text = String.fromCharCode(...letters.map((letter) => letter + 48));
    yield { partitionKey: 'p', rowKey: String(row).padStart(4, '0'), text };
  }
}

test.each([
  ['a small device reads pages again', 0.25, false],
  ['a usual device keeps what it has read', 1, true],
])('%s', async (_, deviceMemory, isKept) => {
  const storage = new WatchedStorage();
  onDevice({ deviceMemory });
  const account = await openForTest({ storage });
  await account.createTable('Notes');
  const table = account.tableClient('Notes');
  await table.importEntities(notes());
  const readAll = async () => expect(await collect(table.listEntities())).toHaveLength(COUNT);
  await readAll();
  storage.reads = [];

  await readAll();

  const keys = storage.reads.flatMap((request) => request.keys);
  expect(keys.length === 0).toBe(isKept);
});
