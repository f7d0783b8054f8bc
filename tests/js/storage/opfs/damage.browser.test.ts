import { describe, expect, it } from 'vitest';

import type { Damage } from '../../support/opfs/commands.js';
import { freshStore, startWorker } from '../../support/opfs/workers.js';

// A store of five records, whose worker is gone. Returns the name of its largest file: the
// reserves are `file-2` and `file-3`, because they are made after the store.
async function madeStore(ending: 'closed' | 'terminated'): Promise<string> {
  const name = freshStore();
  const worker = startWorker();
  await worker.call('open', name, 'strict');
  for (let number = 1; number <= 5; number++) await worker.call('record', number, 1_000);
  if (ending === 'closed') await worker.call('close');
  worker.terminate();
  return name;
}

async function outcomeAfter(name: string, file: string, how: Damage): Promise<unknown> {
  const worker = startWorker();
  await worker.call('open', name);
  // The browser closes the files of a worker some time after its end.
  await expect
    .poll(() =>
      worker.call('damage', name, file, how).then(
        () => true,
        () => false,
      ),
    )
    .toBe(true);
  const outcome = await worker.call('records').catch(({ code }: { code: string }) => code);
  return {
    outcome,
    problems: await worker.call('problems'),
    statuses: await worker.call('statuses'),
  };
}

describe('a store in OPFS', () => {
  it.each([
    ['a bit of its header', 'file-1', { flip: 3 }],
    ['a bit of a value', 'file-1', { flip: -500 }],
    ['its end', 'file-1', { cut: 100 }],
    ['what follows it', 'file-1', { append: 100 }],
    ['its names', 'names', { cut: 8_172 }],
  ] as const)('that was closed is damaged, if %s is not as before', async (_, file, how) => {
    const name = await madeStore('closed');

    expect(await outcomeAfter(name, file, how)).toEqual({
      outcome: 'StorageDamaged',
      problems: [],
      statuses: [],
    });
  });

  // The reserves were the last to get their names, so both tables have the store.
  it.each([0, 4096])('goes on with one table of names, if a crash tore that at %d', async (at) => {
    const name = await madeStore('closed');

    expect(await outcomeAfter(name, 'names', { flip: at })).toEqual({
      outcome: [1, 2, 3, 4, 5],
      problems: [],
      statuses: [],
    });
  });

  it('is cut at a torn end, which is kept and reported', async () => {
    const name = await madeStore('terminated');

    expect(await outcomeAfter(name, 'file-1', { append: 100 })).toEqual({
      outcome: [1, 2, 3, 4, 5],
      problems: ['TornEnd'],
      statuses: ['torn'],
    });
    const files = Object.values((await startWorker().call('files', name))!);
    expect(files).toContain(100);
  });

  it('can be destroyed when its names are damaged', async () => {
    const name = await madeStore('closed');
    const worker = startWorker();
    await worker.call('open', name);
    await expect
      .poll(() =>
        worker.call('damage', name, 'names', { cut: 8_172 }).then(
          () => true,
          () => false,
        ),
      )
      .toBe(true);

    await worker.call('destroy');

    expect(await worker.call('files', name)).toBeUndefined();
    expect(await worker.call('record', 1)).toMatchObject({ outcome: 'ok' });
  });
});

it('a store that the browser removed is reported, and not made anew', async () => {
  const name = freshStore();
  const worker = startWorker();
  await worker.call('open', name);
  // While its files are open, only the browser itself can remove them.
  await worker.call('useExclusiveHandles');
  await worker.call('record', 1);
  const evicting = () =>
    worker.call('evict', name).then(
      () => true,
      () => false,
    );
  await expect.poll(evicting).toBe(true);

  expect(await worker.call('record', 2)).toMatchObject({
    outcome: 'moved',
    cause: 'StorageEvicted',
  });
  await expect(worker.call('records')).rejects.toMatchObject({ code: 'StorageEvicted' });
  await worker.call('close').catch(() => undefined);
  expect(await worker.call('records')).toEqual([]);
});
