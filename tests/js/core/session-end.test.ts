import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';

import type { Operation } from '../../../js/src/core/frames.js';

import { FakeCore } from '../support/fake-core.js';
import { errorCode, tableError } from '../support/rejection.js';
import {
  batch,
  begunWrite,
  core,
  heldCommit,
  operation,
  session,
  storage,
  useSession,
} from '../support/session.js';

useSession();

describe('calls to the storage that a Worker has ended', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
  });

  function inWorker() {
    vi.stubGlobal('navigator', { userAgent: 'Cloudflare-Workers' });
    onTestFinished(() => void vi.unstubAllGlobals());
  }

  /** A request that waits for a commit. */
  function waiting() {
    core.steps.push({ kind: 'commit', id: 7, batch });
    return session.request(operation);
  }

  it('are reported to waiting and later calls, and do not delay a close', async () => {
    inWorker();
    core.isWaiting = false;
    heldCommit();
    const code = errorCode(waiting());
    await vi.runOnlyPendingTimersAsync();

    expect(await code).toBe('StorageOutcomeUnknown');
    const later = await tableError(session.request(operation));
    expect(later.code).toBe('StorageUnavailable');
    expect(later.message).toContain('Durable Object');
    await session.close();
    expect(storage.closed).toBe(1);
  });

  it.each([
    ['a read', 'getTable', false, 'StorageUnavailable'],
    ['a write that can be withdrawn', 'deleteTable', true, 'StorageUnavailable'],
    ['a write that was begun', 'deleteTable', false, 'StorageOutcomeUnknown'],
  ] as const)('leave open whether a write was stored: %s', async (_, kind, isWaiting, code) => {
    inWorker();
    core.isWaiting = isWaiting;
    storage.onRead = () => new Promise(() => {});
    core.steps.push({ kind: 'read', id: 8, keys: ['log/base'] });
    const request = errorCode(session.request({ ...operation, kind }));
    await vi.runOnlyPendingTimersAsync();

    expect(await request).toBe(code);
  });

  it('are found by a waiting close', async () => {
    inWorker();
    heldCommit();
    const answered = waiting();
    core.steps.push(FakeCore.success(1));
    await answered;
    const closing = session.close();
    await vi.runOnlyPendingTimersAsync();

    await closing;
    expect(storage.closed).toBe(1);
  });

  it('do not include calls that end while others go on', async () => {
    inWorker();
    const end = heldCommit();
    const request = waiting();
    await Promise.resolve();
    core.steps.push({ kind: 'commit', id: 8, batch });
    const endNext = heldCommit();
    end({ outcome: 'ok' });
    await vi.runOnlyPendingTimersAsync();
    core.steps.push(FakeCore.success(1));
    endNext({ outcome: 'ok' });

    await request;
    expect(vi.getTimerCount()).toBe(0);
  });

  it('are not suspected on other platforms', async () => {
    heldCommit();
    waiting().catch(() => {});
    await Promise.resolve();

    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('closing a session', () => {
  it('frees the handle and the storage, once', async () => {
    await Promise.all([session.close(), session.close()]);
    await session.close();

    expect(core.calls).toEqual(['delete']);
    expect(storage.closed).toBe(1);
  });

  it('refuses later requests', async () => {
    await session.close();

    const error = await tableError(session.request(operation));

    expect(error.code).toBe('AccountClosed');
    expect(error.statusCode).toBe(503);
  });

  it('rejects requests that have not begun, and waits for those that have', async () => {
    const { answer, end } = await begunWrite();
    core.isWaiting = false;
    let isClosed = false;
    const closing = session.close().then(() => (isClosed = true));
    await new Promise((resolve) => setTimeout(resolve));
    expect(isClosed).toBe(false);

    core.steps.push(FakeCore.success(1));
    end({ outcome: 'ok' });

    await answer;
    await closing;
    expect(core.calls.at(-1)).toBe('delete');
  });

  it('rejects waiting requests, because they have not begun', async () => {
    const waiting = session.request(operation);
    const [code] = await Promise.all([errorCode(waiting), session.close()]);

    expect(code).toBe('AccountClosed');
    expect(core.calls.filter((call) => call !== 'run')).toEqual(['submit', 'cancel 1', 'delete']);
  });

  it('frees the handle even if the storage does not close', async () => {
    storage.close = () => Promise.reject(new Error('no'));

    await expect(session.close()).rejects.toMatchObject({
      code: 'StorageUnavailable',
      cause: new Error('no'),
    });

    expect(core.calls).toEqual(['delete']);
  });
});

describe('a module that aborts', () => {
  const error = new WebAssembly.RuntimeError('unreachable');

  it('closes the account: all waiting and later requests are rejected with its name', async () => {
    core.fault = { call: 'run', error };

    const errors = await Promise.all([
      tableError(session.request(operation)),
      tableError(session.request(operation)),
    ]);
    errors.push(await tableError(session.request(operation)));

    for (const { code, cause } of errors) {
      expect(code).toBe('ModuleAborted');
      expect(cause).toBe(error);
    }
    expect(core.calls).toEqual(['submit', 'submit', 'run']);
  });

  it('rejects the request that caused it', async () => {
    core.fault = { call: 'submit', error };

    expect(await errorCode(session.request(operation))).toBe('ModuleAborted');
  });

  it('reports that a write may be stored if a commit has begun since', async () => {
    const end = heldCommit();
    core.steps.push({ kind: 'commit', id: 7, batch });
    const write = tableError(session.request(operation));
    const read = errorCode(session.request({ kind: 'getTable', table: 'Pets' }));
    await Promise.resolve();
    const later = errorCode(session.request(operation));
    core.fault = { call: 'submit', error };

    await errorCode(session.request(operation));

    expect(await write).toMatchObject({ code: 'StorageOutcomeUnknown', cause: error });
    expect([await read, await later]).toEqual(['ModuleAborted', 'ModuleAborted']);
    end({ outcome: 'ok' });
    await session.close();
  });

  it('reports the same if the storage has stored it, and the core cannot answer any more', async () => {
    const { answer, end } = await begunWrite();
    core.fault = { call: 'complete', error };

    end({ outcome: 'ok' });

    expect(await errorCode(answer)).toBe('StorageOutcomeUnknown');
  });

  it('reports that nothing was stored if only background work was', async () => {
    const { answer, end } = await begunWrite({ ...batch, puts: [['pages/1', Uint8Array.of(1)]] });
    core.fault = { call: 'complete', error };

    end({ outcome: 'ok' });

    expect(await errorCode(answer)).toBe('ModuleAborted');
  });

  it('rejects requests that wait outside of it, which cannot be stored', async () => {
    const large: Operation = { ...operation, kind: 'setPolicies', body: ' '.repeat(2 ** 22) };
    const all = Array.from({ length: 6 }, () => errorCode(session.request(large)));
    core.fault = { call: 'run', error };

    expect(new Set(await Promise.all(all))).toEqual(new Set(['ModuleAborted']));
  });

  it('calls the listeners', async () => {
    const reasons: unknown[] = [];
    session.onAbort(({ code }) => reasons.push(code));
    core.fault = { call: 'submit', error };

    await errorCode(session.request(operation));

    expect(reasons).toEqual(['ModuleAborted']);
  });

  it('is not called again, neither for answers of the storage nor to be freed', async () => {
    const { answer, end } = await begunWrite();
    core.fault = { call: 'submit', error };
    await Promise.all([errorCode(answer), errorCode(session.request(operation))]);

    end({ outcome: 'ok' });
    await session.close();

    expect(core.calls).toEqual(['submit', 'run', 'run', 'submit']);
    expect(storage.closed).toBe(1);
  });
});
