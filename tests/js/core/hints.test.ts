// Hints of commits between accounts: who hears them, and when no channel is open.

import { afterEach, expect, test, vi } from 'vitest';

import { Hints } from '../../../js/src/core/hints.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';

const opened: FakeChannel[] = [];

class FakeChannel {
  readonly name: string;
  isOpen = true;
  onmessage: (() => void) | undefined;

  constructor(name: string) {
    this.name = name;
    opened.push(this);
  }

  postMessage(): void {
    for (const channel of opened) {
      if (channel !== this && channel.isOpen && channel.name === this.name) channel.onmessage?.();
    }
  }

  close(): void {
    this.isOpen = false;
  }
}

const openCount = () => opened.filter(({ isOpen }) => isOpen).length;

function onFakeChannels(): EventTarget {
  vi.stubGlobal('BroadcastChannel', FakeChannel);
  const page = new EventTarget();
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page));
  return page;
}

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  opened.length = 0;
});

test('reach the other accounts of a storage, and no others', () => {
  onFakeChannels();
  const storage = memoryStorage();
  const [mine, theirs] = [new Hints(storage), new Hints(storage)];
  const [mineHeard, theirsHeard, strangerHeard] = [vi.fn(), vi.fn(), vi.fn()];
  const stranger = new Hints(memoryStorage());
  for (const [hints, heard] of [
    [mine, mineHeard],
    [theirs, theirsHeard],
    [stranger, strangerHeard],
  ] as const) {
    hints.on(heard);
    hints.open();
  }

  mine.send();

  expect(theirsHeard).toHaveBeenCalledOnce();
  expect(mineHeard).not.toHaveBeenCalled();
  expect(strangerHeard).not.toHaveBeenCalled();
});

test('are sent for several fast commits together, and for the last one, too', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onFakeChannels();
  const storage = memoryStorage();
  const [mine, theirs, heard] = [new Hints(storage), new Hints(storage), vi.fn()];
  theirs.on(heard);
  theirs.open();

  mine.send();
  expect(heard).toHaveBeenCalledTimes(1);
  for (let commit = 0; commit < 10; commit++) mine.send();
  expect(heard).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(20);
  expect(heard).toHaveBeenCalledTimes(2);
  vi.advanceTimersByTime(1000);
  expect(heard).toHaveBeenCalledTimes(2);

  mine.send();
  mine.send();
  mine.close();
  expect(heard).toHaveBeenCalledTimes(4);
});

test('need a channel only from the first use to the end, and none while the page is away', () => {
  const page = onFakeChannels();
  const hints = new Hints(memoryStorage());
  expect(openCount()).toBe(0);

  hints.send();
  hints.send();
  expect(openCount()).toBe(1);
  page.dispatchEvent(new Event('pagehide'));
  expect(openCount()).toBe(0);
  hints.send();
  expect(openCount()).toBe(1);
  hints.close();
  expect(openCount()).toBe(0);
});

test('are heard again by a page that comes back, which may have missed some', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const page = onFakeChannels();
  const storage = memoryStorage();
  const [mine, theirs, heard] = [new Hints(storage), new Hints(storage), vi.fn()];
  theirs.on(heard);
  theirs.open();

  page.dispatchEvent(new Event('pagehide'));
  mine.send();
  expect(heard).not.toHaveBeenCalled();
  page.dispatchEvent(new Event('pageshow'));
  expect(heard).toHaveBeenCalledTimes(1);
  mine.send();
  vi.advanceTimersByTime(20);
  expect(heard).toHaveBeenCalledTimes(2);
  theirs.close();
  page.dispatchEvent(new Event('pageshow'));
  expect(openCount()).toBe(1);
});

test('are left out if there are no channels, or the storage has no name for one', () => {
  onFakeChannels();
  new Hints({ ...memoryStorage(), channel: undefined } as never).send();
  expect(opened).toEqual([]);

  vi.stubGlobal('BroadcastChannel', undefined);
  new Hints(memoryStorage()).send();
  expect(opened).toEqual([]);
});

test('may get lost, and the commits are stored all the same', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onFakeChannels();
  vi.spyOn(FakeChannel.prototype, 'postMessage').mockImplementation(() => {
    throw new TypeError('expected i32');
  });
  const hints = new Hints(memoryStorage());

  hints.send();
  hints.send();
  vi.advanceTimersByTime(20);
  hints.close();

  expect(openCount()).toBe(0);
});

test('fail nothing where the browser makes no channel', () => {
  onFakeChannels();
  vi.stubGlobal('BroadcastChannel', function refuse() {
    throw new DOMException('denied', 'SecurityError');
  });
  const hints = new Hints(memoryStorage());

  expect(hints.open()).toBeUndefined();
  expect(() => hints.send()).not.toThrow();
});
