import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { FakeCore } from '../support/fake-core.js';
import { batch, core, operation, session, storage, useSession } from '../support/session.js';

useSession();

describe('the background work of a session', () => {
  it('runs the core again after the time that the core names', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    core.steps.push(FakeCore.success(1), { kind: 'idle', backgroundWorkInMs: 20 });
    await session.request(operation);
    core.steps.push({ kind: 'commit', id: 7, batch });

    vi.advanceTimersByTime(19);
    expect(storage.commits).toEqual([]);
    vi.advanceTimersByTime(1);

    expect(storage.commits).toEqual([batch]);
  });

  it('runs the core again when it may be due, in spite of other requests', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    core.steps.push(FakeCore.success(1), { kind: 'idle', backgroundWorkInMs: 20 });
    await session.request(operation);
    vi.advanceTimersByTime(15);
    core.steps.push(FakeCore.success(2), { kind: 'idle', backgroundWorkInMs: 20 });
    await session.request(operation);
    const { length } = core.calls;

    core.steps.push({ kind: 'idle', backgroundWorkInMs: 15 });
    vi.advanceTimersByTime(5);
    expect(core.calls.slice(length)).toEqual(['run']);
    vi.advanceTimersByTime(14);
    expect(core.calls.slice(length)).toEqual(['run']);
    vi.advanceTimersByTime(1_000);

    expect(core.calls.slice(length)).toEqual(['run', 'run']);
  });

  it('waits again if a timer never fires', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    core.steps.push(FakeCore.success(1), { kind: 'idle', backgroundWorkInMs: 20 });
    await session.request(operation);
    vi.clearAllTimers();
    vi.advanceTimersByTime(20);
    core.steps.push(FakeCore.success(2), { kind: 'idle', backgroundWorkInMs: 20 });
    await session.request(operation);
    const { length } = core.calls;

    vi.advanceTimersByTime(20);

    expect(core.calls.slice(length)).toEqual(['run']);
  });

  it('is left to the next opening by a close', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    core.steps.push(FakeCore.success(1), { kind: 'idle', backgroundWorkInMs: 20 });
    await session.request(operation);

    await session.close();
    const { length } = core.calls;
    vi.advanceTimersByTime(1_000);

    expect(core.calls).toHaveLength(length);
  });
});
