// Several workers on one store, as in several tabs. Chromium lets them have its files open at the
// same time; the second series is for browsers that do not.

import { describe, expect, inject, it } from 'vitest';

import { freshStore, startWorker, type OpfsWorker } from '../../support/opfs/workers.js';

const ROUNDS = inject('tabRounds');

describe.each(['shared', 'exclusive'] as const)('workers with %s handles', (handles) => {
  async function start(): Promise<OpfsWorker> {
    const worker = startWorker();
    if (handles === 'exclusive') await worker.call('useExclusiveHandles');
    return worker;
  }

  async function open(name: string): Promise<OpfsWorker> {
    const worker = await start();
    await worker.call('open', name);
    return worker;
  }

  it('see what others have written', async () => {
    const name = freshStore();
    const [one, other] = [await open(name), await open(name)];

    for (let number = 1; number <= 20; number += 2) {
      expect(await one.call('record', number)).toMatchObject({ outcome: 'ok' });
      expect(await other.call('record', number)).toMatchObject({ outcome: 'moved' });
      expect(await other.call('record', number + 1)).toMatchObject({ outcome: 'ok' });
      expect(await one.call('records')).toHaveLength(number + 1);
    }
  });

  it('see what another one has acknowledged, while it goes on to write', async () => {
    const name = freshStore();
    const [writer, reader] = [await open(name), await open(name)];
    writer.call('write', 1).catch(() => undefined);
    await writer.acknowledged(5);

    for (let read = 0; read < 20; read++) {
      const acknowledged = writer.last;
      const records = await reader.call('records');
      expect(records.length).toBeGreaterThanOrEqual(acknowledged);
      expect(records).toEqual(Array.from(records, (_, at) => at + 1));
    }
    await writer.acknowledged(writer.last + 1);
    writer.terminate();
    expect(await reader.call('problems')).toEqual([]);
  });

  it('lose no update of each other', async () => {
    const name = freshStore();
    const workers = [await open(name), await open(name), await open(name)];

    const times = 5 * ROUNDS;
    await Promise.all(workers.map((worker) => worker.call('count', times)));

    for (const worker of workers) expect(await worker.call('counted')).toBe(3 * times);
  });

  it('open a file once for two calls at once', async () => {
    const worker = await start();

    expect(await worker.call('sizeOfFileOpenedTwice')).toBe(3);
  });

  it('make two files at once', async () => {
    const worker = await start();

    expect(await worker.call('bytesOfFilesMadeAtOnce')).toEqual([0, 1]);
  });

  it('go on while one of them rewrites the file', async () => {
    const name = freshStore();
    const [one, other] = [await open(name), await open(name)];
    await one.call('record', 1, 300_000);

    const times = 60;
    const all = [
      one.call('overwrite', 1, 100_000, times),
      other.call('overwrite', 2, 90_000, times),
    ];
    const reads = Array.from({ length: times }, () => other.call('page', 1));
    expect(await Promise.all(all)).toEqual([times, times]);

    for (const page of await Promise.all(reads)) {
      if (page) expect(page[1]).toBe(100_000);
    }
    for (const worker of [one, other]) {
      expect(await worker.call('page', 1)).toEqual([times - 1, 100_000]);
      expect(await worker.call('page', 2)).toEqual([times - 1, 90_000]);
      expect(await worker.call('records')).toEqual([1]);
      expect(await worker.call('problems')).toEqual([]);
    }
    // A rewrite may go on for a moment.
    for (const worker of [one, other]) await worker.call('close');
    const third = await open(name);
    expect(await third.call('page', 2)).toEqual([times - 1, 90_000]);
    await third.call('close');
    // The names, two reserves, and the store: at most twice the live bytes and 1 MiB.
    const files = (await third.call('files', name))!;
    const sizes = Object.values(files).sort((less, more) => less - more);
    expect(sizes.slice(0, 1)).toEqual([8192]);
    expect(sizes).toHaveLength(4);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(6 * 2 ** 20);
  });

  it('keep what one acknowledged that ended in the middle of its writes', async () => {
    const name = freshStore();
    for (let turn = 0, next = 1; turn < ROUNDS; turn++) {
      const writer = await open(name);
      writer.call('write', next).catch(() => undefined);
      await writer.acknowledged(next + 5 * turn);
      writer.terminate();

      const reader = await open(name);
      const records = await reader.call('records');
      expect(records.length).toBeGreaterThanOrEqual(writer.last);
      expect(records).toEqual(Array.from(records, (_, at) => at + 1));
      next = records.length + 1;
      reader.terminate();
    }
  });

  it('notice that the store was deleted, and never write into another one', async () => {
    const name = freshStore();
    const [one, other] = [await open(name), await open(name)];
    await one.call('record', 1);
    await other.call('record', 2);

    await other.call('destroy');

    expect(await one.call('record', 3)).toMatchObject({
      outcome: 'moved',
      cause: 'StorageEvicted',
    });
    await expect(one.call('records')).rejects.toMatchObject({ code: 'StorageEvicted' });
    expect(await other.call('record', 1)).toMatchObject({ outcome: 'ok' });
    await expect(one.call('records')).rejects.toMatchObject({ code: 'StorageEvicted' });
    await one.call('close').catch(() => undefined);
    expect(await one.call('records')).toEqual([1]);
  });

  it('remove all files', async () => {
    const name = freshStore();
    const [one, other] = [await open(name), await open(name)];
    await one.call('record', 1);
    await other.call('records');
    await other.call('close');

    await one.call('destroy');

    expect(await one.call('files', name)).toBeUndefined();
  });
});

it(
  'fail with StoreHeld when another one is busy for too long, and read on from an open file',
  { timeout: 60_000 },
  async () => {
    const name = freshStore();
    const [busy, other] = [startWorker(), startWorker()];
    for (const worker of [busy, other]) await worker.call('open', name);
    await other.call('record', 1);

    const blocking = busy.call('recordAndBlock', 2, 12_000);
    await busy.acknowledged(2);

    expect(await other.call('records')).toEqual([1, 2]);
    const began = performance.now();
    expect(await other.call('record', 3)).toMatchObject({
      outcome: 'refused',
      cause: 'StorageUnavailable',
    });
    expect(performance.now() - began).toBeGreaterThan(9_900);
    expect(await other.call('records')).toEqual([1, 2]);

    await blocking;
    expect(await other.call('record', 3)).toMatchObject({ outcome: 'ok' });
    expect(await busy.call('records')).toEqual([1, 2, 3]);
  },
);

it('a store can be read while the names of its files are opened again', async () => {
  const worker = startWorker();
  await worker.call('open', freshStore());
  await worker.call('record', 1);

  expect(await worker.call('recordsDuringReopening')).toEqual([1]);

  expect(await worker.call('record', 2)).toMatchObject({ outcome: 'ok' });
  expect(await worker.call('records')).toEqual([1, 2]);
});
