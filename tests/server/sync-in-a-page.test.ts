// Sync in Chromium, over HTTP, with our own server and with the emulator: through a network that
// loses requests and answers, in two tabs, in a browser that is killed, and in one that is offline.

import { chromium, type Page } from 'playwright-core';
import { describe, expect, it, onTestFailed, onTestFinished, vi } from 'vitest';

import { isWhole } from '../../scripts/test/tier.mjs';
import { rowsOf } from '../js/sync/support.js';
import { openBrowser } from '../package/support/browser.js';
import { freshProfile, startBrowser } from '../real/support/browser.js';
import { endpoint } from '../real/support/chromium.js';
import { chosenSeed, randomFrom } from '../real/support/random.js';
import { openAppSite, openRemoteTable, type RemoteTable } from './support/app-site.js';
import { faultsAtRandom, type Fault, type Passing } from './support/fault-proxy.js';
import { emulatorAccount, ownAccount } from './support/remotes.js';
import './page/app.js';

const WAIT = { timeout: 60_000, interval: 100 };
// What was sent may take effect for two minutes. Until then, a deletion may wait.
const LATE_MS = 150_000;

const OWN = ['our own server', ownAccount] as const;
const EMULATOR = ['the emulator', emulatorAccount] as const;
// The whole matrix syncs with both. Otherwise sync.test.ts does so, and these tests with one each.
const remotesOf = (usual: typeof OWN | typeof EMULATOR) => (isWhole() ? [OWN, EMULATOR] : [usual]);

// A test that fails prints how to repeat it.
function randomNumbers(): () => number {
  const seed = chosenSeed();
  onTestFailed(() => console.log(`ENTITABLE_SEED=${seed}`));
  return randomFrom(seed);
}

async function loadApp(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.waitForFunction(() => 'app' in globalThis);
}

async function launch() {
  const browser = await openBrowser();
  onTestFinished(() => browser.close());
  const context = await browser.newContext();
  const site = await openAppSite();
  const openTab = async () => {
    const page = await context.newPage();
    await loadApp(page, site);
    return page;
  };
  return { context, openTab };
}

const isPush = ({ method, path }: Passing) => method !== 'GET' && !path.includes('Tables');

// Both sides have the same rows, with exact types, and nothing waits.
async function expectSame(page: Page, { exact }: RemoteTable): Promise<Record<string, unknown>[]> {
  const remote = await rowsOf(exact);
  expect(await page.evaluate(() => app.rows())).toEqual(remote);
  expect(await page.evaluate(() => app.left())).toMatchObject({ pending: 0 });
  expect(await page.evaluate(() => app.status())).toMatchObject({ pending: 0, rejected: 0 });
  return remote;
}

describe.each(remotesOf(OWN))('sync in Chromium with %s', { timeout: 120_000 }, (_, start) => {
  it('converges while the network loses requests and the official client writes', async () => {
    const remote = await openRemoteTable(await start());
    const { openTab } = await launch();
    const page = await openTab();
    const random = randomNumbers();
    remote.proxy.fault = faultsAtRandom(random);
    await page.evaluate((options) => app.open({ ...options, interval: 1000 }), remote.options);
    await page.evaluate(() => app.start());

    // Both write to each row, each side its own property.
    const last: Record<string, { ours?: number; theirs?: number }> = {};
    for (let turn = 1; turn <= 60; turn++) {
      const key = { partitionKey: 'p', rowKey: `shared-${Math.floor(random() * 5)}` };
      const values = (last[key.rowKey] ??= {});
      if (random() < 0.5) {
        values.ours = turn;
        await page.evaluate((row) => app.merge(row), { ...key, ours: turn });
      } else {
        values.theirs = turn;
        await remote.official.upsertEntity({ ...key, theirs: turn }, 'Merge');
      }
      if (turn % 10 !== 0) continue;
      const rows = ['a', 'b', 'c'].map((name) => ({
        ...{ partitionKey: 'p', rowKey: `group-${name}` },
        turn,
        big: { type: 'Int64', value: '9007199254740993' },
      }));
      await page.evaluate((group) => app.transact(group), rows);
      await page.evaluate((row) => app.merge(row), { partitionKey: 'p', rowKey: `gone-${turn}` });
      await page.evaluate((rowKey) => app.remove('p', rowKey), `gone-${turn}`);
    }
    remote.proxy.fault = undefined;
    await page.evaluate(() => app.stop());
    await page.evaluate((ahead) => app.setClock(ahead), LATE_MS);
    await page.evaluate(() => app.settled());
    await page.evaluate(() => app.once());

    const rows = await expectSame(page, remote);
    const group = ['a', 'b', 'c'].map((name) => ({
      ...{ partitionKey: 'p', rowKey: `group-${name}` },
      ...{ turn: 60, big: 9_007_199_254_740_993n },
    }));
    const shared = Object.entries(last).map(([rowKey, values]) => ({
      ...{ partitionKey: 'p', rowKey },
      ...values,
    }));
    shared.sort((one, other) => (one.rowKey < other.rowKey ? -1 : 1));
    expect(rows).toEqual([...group, ...shared]);
  });

  it('another tab goes on when the tab that syncs is closed', async () => {
    const remote = await openRemoteTable(await start());
    const { openTab } = await launch();
    const [first, second] = [await openTab(), await openTab()];
    for (const page of [first, second]) {
      await page.evaluate((options) => app.open(options), remote.options);
    }
    await first.evaluate(() => app.once());
    // The first push takes effect, and its answer does not come.
    const isHeld = new Promise<void>((resolve) => {
      remote.proxy.fault = async (request, forward) => {
        const answer = await forward();
        if (!isPush(request)) return answer;
        resolve();
        return new Promise(() => {});
      };
    });
    await first.evaluate((row) => app.merge(row), { partitionKey: 'p', rowKey: '1', of: 'first' });
    await first.evaluate(() => app.start());
    await isHeld;
    remote.proxy.fault = undefined;
    const before = remote.proxy.requests.length;
    await second.evaluate((row) => app.merge(row), {
      partitionKey: 'p',
      rowKey: '2',
      of: 'second',
    });
    await second.evaluate(() => app.start());
    await vi.waitFor(
      async () => expect(await second.evaluate(() => app.status().state)).toBe('waiting'),
      WAIT,
    );
    expect(remote.proxy.requests.length).toBe(before);

    await first.close();
    await second.evaluate(() => app.settled());

    await second.evaluate(() => app.stop());
    await second.evaluate(() => app.once());
    expect(await expectSame(second, remote)).toEqual([
      { partitionKey: 'p', rowKey: '1', of: 'first' },
      { partitionKey: 'p', rowKey: '2', of: 'second' },
    ]);
    expect(await second.evaluate(() => app.left())).toEqual({ pending: 0, conflicts: 0 });
  });

  it('accepts writes offline, and sends them when the browser is online again', async () => {
    const remote = await openRemoteTable(await start());
    const { context, openTab } = await launch();
    const page = await openTab();
    await page.evaluate((options) => app.open({ ...options, interval: 3_600_000 }), remote.options);
    await page.evaluate(() => app.start());
    const untilState = (state: string, pending: number) =>
      vi.waitFor(async () => {
        expect(await page.evaluate(() => app.status())).toMatchObject({ state, pending });
      }, WAIT);
    await untilState('idle', 0);

    await context.setOffline(true);
    // After as many failures, the next try is minutes away, unless the browser is online before.
    const COUNT = 8;
    for (let number = 1; number <= COUNT; number++) {
      await page.evaluate((row) => app.merge(row), { partitionKey: 'p', rowKey: `${number}` });
      await untilState('offline', number);
    }
    await remote.official.upsertEntity({ partitionKey: 'p', rowKey: 'theirs' });
    await context.setOffline(false);

    await untilState('idle', 0);
    expect((await expectSame(page, remote)).length).toBe(COUNT + 1);
  });
});

const isPull = (request: Passing) => !isPush(request);

// Where the browser is killed: when a request comes, or when it has taken effect. What a page then
// finds is the subject of the model check of sync, too, at all of these moments.
const MOMENTS = [
  { isOf: isPush, isAfter: true },
  { isOf: isPull, isAfter: false },
  ...(isWhole()
    ? [
        { isOf: isPush, isAfter: false },
        { isOf: isPull, isAfter: true },
      ]
    : []),
];

const ROWS = 7;

const KILLED = { timeout: 240_000 };
describe.each(remotesOf(EMULATOR))(
  'sync in a browser that is killed, with %s',
  KILLED,
  (_, start) => {
    it('loses nothing, and sends nothing again that others have changed', async () => {
      const remote = await openRemoteTable(await start());
      const site = await openAppSite();
      const profile = freshProfile();
      const random = randomNumbers();
      // The last acknowledged values of each side.
      const [ours, theirs] = [new Map<string, number>(), new Map<string, number>()];
      let turn = 0;

      async function writeTheirs(): Promise<void> {
        const value = ++turn;
        const rowKey = `${value % ROWS}`;
        await remote.official.upsertEntity({ partitionKey: 'p', rowKey, theirs: value }, 'Merge');
        theirs.set(rowKey, value);
      }

      async function withApp<T>(work: (page: Page) => Promise<T>): Promise<T> {
        const { kill } = await startBrowser('chromium', profile, ['about:blank']);
        const browser = await chromium.connectOverCDP(await endpoint(profile));
        const page = browser.contexts()[0]!.pages()[0]!;
        await page.exposeFunction('acknowledge', (rowKey: string, value: number) => {
          ours.set(rowKey, Math.max(value, ours.get(rowKey) ?? 0));
        });
        await loadApp(page, site);
        await page.evaluate((options) => app.open({ ...options, interval: 1000 }), remote.options);
        try {
          return await work(page);
        } finally {
          remote.proxy.fault = undefined;
          await kill();
        }
      }

      // The page writes until its end. Each entity has the turn in which it was written.
      const write = (page: Page, from: number) =>
        page.evaluate(
          async ([first, rowCount]) => {
            type Acknowledge = (rowKey: string, value: number) => Promise<void>;
            const { acknowledge } = globalThis as unknown as { acknowledge: Acknowledge };
            app.start();
            for (let value = first; ; value++) {
              const rowKeys = value % 3 === 0 ? ['group-1', 'group-2'] : [`${value % rowCount}`];
              const rows = rowKeys.map((rowKey) => ({ partitionKey: 'p', rowKey, ours: value }));
              await (rows.length > 1 ? app.transact(rows) : app.merge(rows[0]!));
              for (const rowKey of rowKeys) await acknowledge(rowKey, value);
            }
          },
          [from, ROWS] as const,
        );

      for (const { isOf, isAfter } of MOMENTS) {
        await withApp(async (page) => {
          let left = Math.floor(random() * 5);
          const isTime = new Promise<void>((resolve) => {
            const fault: Fault = async (request, forward) => {
              const isMoment = isOf(request) && ours.size > 0 && left-- <= 0;
              if (!isMoment) return await forward();
              if (isAfter) await forward();
              resolve();
              return new Promise(() => {});
            };
            remote.proxy.fault = fault;
          });
          let isOver = false;
          void isTime.then(() => (isOver = true));
          // It ends with the browser.
          write(page, turn + 1).catch(() => {});
          while (!isOver) await writeTheirs();
        });
        // What is sent again after the start must not undo this.
        for (let number = 0; number < ROWS; number++) await writeTheirs();
        turn = Math.max(turn, ...ours.values()) + 1000;
      }

      await withApp(async (page) => {
        await page.evaluate((ahead) => app.setClock(ahead), LATE_MS);
        await page.evaluate(() => app.settled());
        await page.evaluate(() => app.once());
        const rows = await expectSame(page, remote);
        for (const row of rows) {
          const { rowKey } = row as { rowKey: string };
          const value = row['ours'] as number | undefined;
          // A write that was not acknowledged may be stored.
          expect(value ?? 0, rowKey).toBeGreaterThanOrEqual(ours.get(rowKey) ?? 0);
          expect(row['theirs'], rowKey).toBe(theirs.get(rowKey));
        }
        expect(rows.map(({ rowKey }) => rowKey)).toEqual(
          [...Array(ROWS).keys(), 'group-1', 'group-2'].map(String),
        );
      });
    });
  },
);
