import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';

import type { StoreStatus } from '../../../js/src/storage/page-storage.js';
import { StatusListeners } from '../../../js/src/storage/status-listeners.js';

let listeners: StatusListeners;
let received: StoreStatus[];
const listen = () => listeners.add((status) => received.push(status));

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  listeners = new StatusListeners();
  received = [];
});

describe('the listeners of a storage', () => {
  it('are called at once', () => {
    listen();
    listeners.report('lost');
    listeners.reportAndKeep('torn');

    expect(received).toEqual(['lost', 'torn']);
  });

  it('are called later with a kept status that they missed', () => {
    listeners.report('lost');
    listeners.reportAndKeep('destroyed');
    listen();
    expect(received).toEqual([]);

    vi.runAllTimers();
    expect(received).toEqual(['destroyed']);
  });

  it('are not called with a kept status after the storage was closed', () => {
    listeners.reportAndKeep('destroyed');
    listeners.forget();
    listen();

    vi.runAllTimers();
    expect(received).toEqual([]);
  });

  it('are not called after they were removed', () => {
    listeners.reportAndKeep('torn');
    listen()();
    listeners.report('lost');

    vi.runAllTimers();
    expect(received).toEqual([]);
  });

  it('are one for each registration', () => {
    const listener = (status: StoreStatus) => received.push(status);
    listeners.add(listener);
    listeners.add(listener)();
    listeners.report('lost');

    expect(received).toEqual(['lost']);
  });
});
