// Several real tabs, workers and a service worker on one store: docs/concepts/consistency.md.

import { setTimeout as after } from 'node:timers/promises';

import { describe, expect, it } from 'vitest';

import { roundsOf } from '../../scripts/test/tier.mjs';
import { useTabs } from './support/browser.js';
import { ENGINES, ENGINES_WITH_OPFS, type EngineName } from './support/engines.js';
import { openSite, type Actor, type Site } from './support/site.js';

// How long they write at the same time. With texts of this length, the log is flushed meanwhile.
const WORK_MS = roundsOf('ENTITABLE_SHARING_MS', { usual: 1_200, whole: 5_000 });
const LENGTH = 4_000;

// After this time a tab that keeps the files of a store in OPFS is reported.
const HELD_MS = 10_000;

interface Tabs {
  readonly site: Site;
  readonly tabs: readonly Actor[];
}

const show = useTabs();

/** Tabs of one browser. None of them has opened its account. */
async function openTabs(engine: EngineName, count: number): Promise<Tabs> {
  const site = await openSite();
  const names = Array.from({ length: count }, (_, at) => `tab-${at}`);
  await show(engine, names.map(site.url));
  return { site, tabs: await Promise.all(names.map(site.actor)) };
}

interface Figures {
  readonly shares: readonly number[];
  /** The share of commits that failed because another one was faster. */
  readonly lost: number;
  readonly flushes: number;
  readonly total: number;
}

/** Lets all of them write for some time, and checks that every write is stored. */
async function work(actors: readonly Actor[], turn: number): Promise<Figures> {
  const partitions = actors.map((_, at) => `${turn}-${at}`);
  await Promise.all(actors.map((actor, at) => actor.call('startWork', partitions[at]!, LENGTH)));
  await after(WORK_MS);
  const works = await Promise.all(actors.map((actor) => actor.call('stopWork')));

  const written = works.flatMap((each, at) =>
    Array.from({ length: each.written }, (_, row) => `${partitions[at]}/${row}`),
  );
  expect(works.flatMap(({ failed }) => failed)).toEqual([]);
  const stored = await actors[0]!.call('storedKeys');
  const ofTurn = stored.filter((key) => key.startsWith(`${turn}-`));
  expect(ofTurn.sort()).toEqual(written.sort());
  return {
    shares: works.map((each) => each.written / written.length),
    lost: sum(works.map(({ lost }) => lost)) / sum(works.map(({ commits }) => commits)),
    flushes: sum(works.map(({ flushes }) => flushes)),
    total: written.length,
  };
}

/**
 * Expects figures within bounds. The bounds are for an idle machine, so a busy machine gets a
 * second and a third measurement. The stored writes must be right each time.
 */
async function expectWork(
  actors: readonly Actor[],
  title: string,
  isWithinBounds: (figures: Figures) => boolean,
): Promise<void> {
  for (let turn = 1; ; turn++) {
    const figures = await work(actors, turn);
    report(title, figures);
    if (isWithinBounds(figures)) return;
    if (turn === 3) return expect(figures).toSatisfy(isWithinBounds);
  }
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

async function expectOneWinner(tabs: readonly Actor[]): Promise<void> {
  let etag = await tabs[0]!.call('insert', 'p', 'r');

  for (let turn = 0; turn < 30; turn++) {
    const results = await Promise.allSettled(
      tabs.map((tab, by) => tab.call('update', 'p', 'r', `${turn} by ${by}`, etag)),
    );
    const winner = results.findIndex(({ status }) => status === 'fulfilled');
    const loser = results[1 - winner];
    expect(loser).toMatchObject({ reason: { code: 'UpdateConditionNotSatisfied' } });
    etag = (results[winner] as PromiseFulfilledResult<string>).value;
    expect(await tabs[winner]!.call('get', 'p', 'r')).toMatchObject({
      text: `${turn} by ${winner}`,
      etag,
    });
  }
}

describe.each(ENGINES)('tabs of %s on one store', (engine) => {
  it('get fair shares, lose few commits, and store each write once', async () => {
    const { tabs } = await openTabs(engine, 4);
    for (const tab of tabs) await tab.call('open');

    await expectWork(
      tabs,
      `${engine}, four tabs`,
      ({ shares, lost }) => Math.min(...shares) > 0.15 && lost < 0.05,
    );
  });

  it('leave a share to a slow one', async () => {
    const { tabs } = await openTabs(engine, 4);
    for (const [at, tab] of tabs.entries()) await tab.call('open', { slowness: at === 0 ? 5 : 0 });

    await expectWork(tabs, `${engine}, a slow tab of four`, ({ shares }) => shares[0]! > 0.1);
  });

  it('share it with a worker and a service worker', async () => {
    const { site, tabs } = await openTabs(engine, 4);
    await tabs[0]!.call('startWorker', 'worker');
    await tabs[0]!.call('startServiceWorker', 'service-worker');
    const actors = [...tabs, await site.actor('worker'), await site.actor('service-worker')];
    for (const actor of actors) await actor.call('open');

    await expectWork(
      actors,
      `${engine}, four tabs and two workers`,
      ({ shares, lost }) => Math.min(...shares) > 0.6 / actors.length && lost < 0.15,
    );
  });

  it('let exactly one of two updates with the same etag succeed', async () => {
    const { tabs } = await openTabs(engine, 2);
    for (const tab of tabs) await tab.call('open');
    await expectOneWinner(tabs);
  });

  it('store ascending timestamps, although their clocks are an hour apart', async () => {
    const { tabs } = await openTabs(engine, 2);
    await tabs[1]!.call('setClock', 3_600_000);
    for (const tab of tabs) await tab.call('open');

    const timestamps: string[] = [];
    for (let turn = 0; turn < 6; turn++) {
      const tab = tabs[turn % 2]!;
      await tab.call('insert', 'p', String(turn));
      timestamps.push((await tab.call('get', 'p', String(turn))).timestamp);
    }

    // With the same number of digits, the order of texts is the order of times. A whole second has
    // no fraction.
    const times = timestamps.map((text) => {
      const [seconds, fraction = ''] = text.replace('Z', '').split('.');
      return `${seconds}.${fraction.padEnd(7, '0')}`;
    });
    expect(times).toEqual([...new Set(times)].sort());
    const [first, second] = timestamps.map((text) => Date.parse(text));
    expect(second! - first!).toBeGreaterThan(3_000_000);
  });

  it('are not blocked by a busy one', async () => {
    const { tabs } = await openTabs(engine, 2);
    for (const tab of tabs) await tab.call('open');
    await tabs[0]!.call('startWork', 'calm');
    await tabs[0]!.call('untilWritten', 20);

    await tabs[1]!.call('beBusy', 'busy', BUSY_MS);

    const { longest, written } = await tabs[0]!.call('stopWork');
    report(`${engine}, a tab busy for ${BUSY_MS} ms`, { longest, written });
    expect(longest).toBeLessThan(BUSY_MS / 2);
  });
});

describe.each(ENGINES_WITH_OPFS)('workers of four tabs of %s on one store in OPFS', (engine) => {
  async function openWorkers(count: number): Promise<readonly Actor[]> {
    const { site, tabs } = await openTabs(engine, count);
    for (const [at, tab] of tabs.entries()) await tab.call('startWorker', `worker-${at}`);
    const workers = await Promise.all(tabs.map((_, at) => site.actor(`worker-${at}`)));
    for (const worker of workers) await worker.call('open', { storageName: 'OPFS' });
    return workers;
  }

  it('get fair shares, and store each write once', async () => {
    await expectWork(
      await openWorkers(4),
      `${engine}, four workers with OPFS`,
      ({ shares }) => Math.min(...shares) > 0.1,
    );
  });

  it('let exactly one of two updates with the same etag succeed', async () => {
    await expectOneWinner(await openWorkers(2));
  });

  it('report one that keeps the files for ten seconds, and read on meanwhile', async () => {
    const [blocked, other] = (await openWorkers(2)) as [Actor, Actor];
    const etag = await other.call('insert', 'p', 'r', 'old');
    const isBlocked = other.call('untilBlocked');
    const ended = blocked.call('writeAndBlock', 'p', HELD_MS + 5_000);
    await isBlocked;

    const start = performance.now();
    await expect(other.call('update', 'p', 'r', 'new', etag)).rejects.toMatchObject({
      code: 'StorageUnavailable',
    });
    expect(performance.now() - start).toBeGreaterThan(HELD_MS - 100);
    expect(await other.call('get', 'p', 'r')).toMatchObject({ text: 'old' });

    await ended;
    await other.call('update', 'p', 'r', 'newer', etag);
    expect(await blocked.call('get', 'p', 'blocked')).toMatchObject({ text: '' });
    expect((await other.call('storedKeys')).sort()).toEqual(['p/blocked', 'p/r']);
  });
});

const BUSY_MS = 2_000;

function report(title: string, figures: object): void {
  const rounded = JSON.stringify(figures, (_, value: unknown) =>
    typeof value === 'number' ? Math.round(value * 1000) / 1000 : value,
  );
  console.log(`${title}: ${rounded}`);
}
