import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';

import type { StoreStatus } from '../../../js/src/storage/page-storage.js';
import { StatusListeners } from '../../../js/src/storage/status-listeners.js';

let listeners: StatusListeners;
let told: StoreStatus[];
const listen = () => listeners.add((status) => told.push(status));

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  listeners = new StatusListeners();
  told = [];
});

describe('the listeners of a storage', () => {
  it('are told at once', () => {
    listen();
    listeners.report('lost');
    listeners.reportAndKeep('torn');

    expect(told).toEqual(['lost', 'torn']);
  });

  it('are told later what they missed, where that is kept', () => {
    listeners.report('lost');
    listeners.reportAndKeep('destroyed');
    listen();
    expect(told).toEqual([]);

    vi.runAllTimers();
    expect(told).toEqual(['destroyed']);
  });

  it('are not told what they missed once the storage was closed', () => {
    listeners.reportAndKeep('destroyed');
    listeners.forget();
    listen();

    vi.runAllTimers();
    expect(told).toEqual([]);
  });

  it('are told nothing after they were removed', () => {
    listeners.reportAndKeep('torn');
    listen()();
    listeners.report('lost');

    vi.runAllTimers();
    expect(told).toEqual([]);
  });

  it('are one for each registration', () => {
    const listener = (status: StoreStatus) => told.push(status);
    listeners.add(listener);
    listeners.add(listener)();
    listeners.report('lost');

    expect(told).toEqual(['lost']);
  });
});
