import { expect, it } from 'vitest';

import { forEachAtOnce } from '../../../js/src/base/at-once.js';

// Work whose end the test decides.
function workshop() {
  const begun: string[] = [];
  const ends = new Map<string, { resolve: () => void; reject: (error: Error) => void }>();
  const work = (item: string) =>
    new Promise<void>((resolve, reject) => {
      begun.push(item);
      ends.set(item, { resolve, reject });
    });
  return { begun, work, end: (item: string) => ends.get(item)! };
}
const turn = () => new Promise((resolve) => setTimeout(resolve));

it('begins an item when another one ends, in their order', async () => {
  const { begun, work, end } = workshop();
  const all = forEachAtOnce(['a', 'b', 'c', 'd'], 2, work);
  expect(begun).toEqual(['a', 'b']);

  end('b').resolve();
  await turn();
  expect(begun).toEqual(['a', 'b', 'c']);

  for (const item of ['a', 'c']) end(item).resolve();
  await turn();
  expect(begun).toEqual(['a', 'b', 'c', 'd']);
  end('d').resolve();
  await all;
});

it('begins nothing after a failure, and waits for what it has begun', async () => {
  const { begun, work, end } = workshop();
  let isOver = false;
  const all = forEachAtOnce(['a', 'b', 'c'], 2, work).finally(() => (isOver = true));
  all.catch(() => {});

  end('a').reject(new Error('first'));
  await turn();
  expect(isOver).toBe(false);
  end('b').reject(new Error('second'));

  await expect(all).rejects.toThrow('first');
  expect(begun).toEqual(['a', 'b']);
});

it('has nothing to do for no items', async () => {
  await forEachAtOnce([], 2, () => Promise.reject(new Error('called')));
});
