import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';

import type { Operation } from '../../../js/src/core/frames.js';
import { Session } from '../../../js/src/core/session.js';
import type {
  Batch,
  CommitResult,
  StatusListener,
  StoreStatus,
} from '../../../js/src/storage/page-storage.js';
import { FakeCore } from '../support/fake-core.js';
import { errorCode, rejection, tableError } from '../support/rejection.js';
import { WatchedStorage } from '../support/storages.js';

const operation: Operation = { kind: 'deleteTable', table: 'Pets' };
const batch: Batch = { expect: [], puts: [['log/1', Uint8Array.of(1)]], deletes: [] };

let core: FakeCore;
let storage: WatchedStorage;
let session: Session;

beforeEach(() => {
  core = new FakeCore();
  storage = new WatchedStorage();
  session = new Session(core.module, { account: 'acct', baseUrl: 'http://a', storage });
});

/** A commit that ends when the test says so. */
function heldCommit() {
  let end!: (result: CommitResult) => void;
  const result = new Promise<CommitResult>((resolve) => (end = resolve));
  storage.onCommit = () => result;
  return end;
}

/** A write whose commit was begun, and ends when the test says so. */
async function begunWrite(commit: Batch = batch, signal?: AbortSignal) {
  const end = heldCommit();
  core.steps.push({ kind: 'commit', id: 7, batch: commit });
  const answer = session.request(operation, signal);
  // It may be rejected before the test waits for it.
  answer.catch(() => {});
  await Promise.resolve();
  return { answer, end };
}

describe('the status of a session', () => {
  let tellAll: StatusListener[];
  let statuses: StoreStatus[];

  beforeEach(() => {
    tellAll = [];
    statuses = [];
    const listening = Object.assign(new WatchedStorage(), {
      onStatus(listener: StatusListener) {
        tellAll.push(listener);
        return () => void tellAll.splice(tellAll.indexOf(listener), 1);
      },
    });
    storage = listening;
    session = new Session(core.module, { account: 'acct', baseUrl: 'http://a', storage });
    session.onStatus((status) => statuses.push(status));
  });

  const isFresh = async () => {
    core.frames.length = 0;
    core.steps.push(FakeCore.success(++requests));
    await session.request(operation);
    return (core.frames[0]![2]! & 2) !== 0;
  };
  let requests: number;
  beforeEach(() => void (requests = 0));

  it('is what the storage says, in a turn of its own', async () => {
    tellAll[0]!('lost');
    expect(statuses).toEqual([]);
    await Promise.resolve();

    expect(statuses).toEqual(['lost']);
  });

  it('tells of a commit for which there was no room', async () => {
    storage.onCommit = async () => ({ outcome: 'quota' });
    core.steps.push({ kind: 'commit', id: 7, batch }, FakeCore.success(1));
    await session.request(operation);
    await session.close();

    expect(statuses).toEqual(['quota']);
  });

  it('does not reach those who took their listener back, and ends with the session', async () => {
    const stop = session.onStatus(() => statuses.push('lost'));
    stop();
    tellAll[0]!('reconnected');
    await session.close();

    expect(statuses).toEqual(['reconnected']);
    expect(tellAll).toEqual([]);
  });

  it('refreshes with the next read, when the page is back', async () => {
    expect(await isFresh()).toBe(false);
    tellAll[0]!('resumed');

    expect(await isFresh()).toBe(true);
    expect(await isFresh()).toBe(false);
  });
});

describe('a session', () => {
  it('hands all requests of a turn in before it runs the core', async () => {
    core.steps.push(FakeCore.success(2), FakeCore.success(1));

    await Promise.all([session.request(operation), session.request(operation)]);

    expect(core.calls).toEqual(['submit', 'submit', 'run', 'run', 'run']);
  });

  it('does not run the core for what was answered at once', async () => {
    core.isAnswering = true;

    expect(await session.request(operation)).toEqual({ status: 204, parts: [] });
    expect(core.calls).toEqual(['submit']);
  });

  it('carries out reads and commits while it goes on running', async () => {
    core.steps.push(
      { kind: 'commit', id: 7, batch },
      { kind: 'read', id: 8, keys: ['log/base'], recordsAfter: 0 },
      FakeCore.success(1),
    );

    await session.request(operation);
    await session.close();

    expect(storage.commits).toEqual([batch]);
    expect(storage.reads).toEqual([{ keys: ['log/base'], recordsAfter: 0 }]);
    expect(core.calls.slice(0, 5)).toEqual(['submit', 'run', 'run', 'run', 'run']);
    expect(core.calls).toContain('complete 7 ok');
    expect(core.calls).toContain('supply 8');
  });

  it('runs the core again when storage has answered', async () => {
    const end = heldCommit();
    core.steps.push({ kind: 'commit', id: 7, batch }, { kind: 'idle' }, FakeCore.success(1));
    const answered = session.request(operation);

    await Promise.resolve();
    end({ outcome: 'moved' });
    await answered;

    expect(core.calls.slice(0, 5)).toEqual(['submit', 'run', 'run', 'complete 7 moved', 'run']);
  });

  it('goes on in a later turn of the event loop when reads have used up their slice', async () => {
    const order: string[] = [];
    core.steps.push({ kind: 'yield' }, { kind: 'yield' }, FakeCore.success(1));
    const answered = session.request(operation).then(() => order.push('answer'));
    const next = new MessageChannel();
    next.port1.onmessage = () => order.push('message');
    next.port2.postMessage(undefined);
    await Promise.resolve();
    expect(core.calls).toEqual(['submit', 'run']);

    await answered;
    next.port1.close();

    expect(core.calls.slice(0, 4)).toEqual(['submit', 'run', 'run', 'run']);
    expect(order).toEqual(['message', 'answer']);
  });

  it('lets nothing else run the core before that turn', async () => {
    const end = heldCommit();
    core.steps.push({ kind: 'commit', id: 7, batch }, { kind: 'yield' }, FakeCore.success(1));
    const answered = session.request(operation);
    await Promise.resolve();

    end({ outcome: 'ok' });
    for (let i = 0; i < 9; ++i) await Promise.resolve();
    expect(core.calls).toEqual(['submit', 'run', 'run', 'complete 7 ok']);

    await answered;
    expect(core.calls.slice(4, 5)).toEqual(['run']);
  });

  it('withdraws a request between two slices', async () => {
    core.isWaiting = true;
    core.steps.push({ kind: 'yield' });
    const controller = new AbortController();
    const answered = session.request(operation, controller.signal);
    await Promise.resolve();

    controller.abort();

    await expect(answered).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }));
    expect(core.calls).toEqual(['submit', 'run', 'cancel 1']);
  });

  it('commits in the hand of the storage where a read is exclusive', async () => {
    const order: string[] = [];
    storage.exclusively = async (request, decide) => {
      await Promise.resolve();
      order.push(`reads ${request.keys}`);
      const decided = decide({ values: [undefined], records: [] });
      order.push(`stores ${decided === batch}`);
      return { outcome: 'ok' };
    };
    core.isCommitNext = true;
    core.steps.push(
      { kind: 'read', id: 8, keys: ['log/base'], exclusive: true },
      { kind: 'idle' },
      { kind: 'commit', id: 9, batch, exclusive: true },
      FakeCore.success(1),
    );

    await session.request(operation);

    expect(order).toEqual(['reads log/base', 'stores true']);
    expect(storage.commits).toEqual([]);
    expect(core.calls).toEqual([
      ...['submit', 'run', 'run', 'supply 8', 'run', 'complete 9 ok', 'run', 'run'],
    ]);
  });

  it('lets go of the storage where the core then has nothing to store', async () => {
    const decided: unknown[] = [];
    storage.exclusively = async (_, decide) => {
      await Promise.resolve();
      decided.push(decide({ values: [], records: [] }));
      return undefined;
    };
    core.steps.push(
      { kind: 'read', id: 8, keys: [], exclusive: true },
      { kind: 'idle' },
      FakeCore.success(1),
    );

    await session.request(operation);

    expect(decided).toEqual([undefined]);
    expect(core.calls.filter((call) => call.startsWith('complete'))).toEqual([]);
  });

  it('tells the core of an exclusive read of which nothing can be made', async () => {
    storage.exclusively = async (_, decide) => {
      decide({ values: 'all' } as never);
      return undefined;
    };
    core.steps.push(
      { kind: 'read', id: 8, keys: [], exclusive: true },
      { kind: 'idle' },
      FakeCore.success(1),
    );

    await session.request(operation);

    expect(core.calls).toContain('readFailed 8 StorageUnavailable The storage cannot be read.');
  });

  it('tells the core of an exclusive read that ends without a decision', async () => {
    storage.exclusively = async () => undefined;
    core.steps.push(
      { kind: 'read', id: 8, keys: [], exclusive: true },
      { kind: 'idle' },
      FakeCore.success(1),
    );

    await session.request(operation);

    expect(core.calls).toContain('readFailed 8 StorageUnavailable The storage cannot be read.');
  });

  it('tells the core when an exclusive read failed', async () => {
    storage.exclusively = () => Promise.reject(new Error('gone'));
    core.steps.push(
      { kind: 'read', id: 8, keys: [], exclusive: true },
      { kind: 'idle' },
      FakeCore.success(1),
    );

    await session.request(operation);

    expect(core.calls).toContain('readFailed 8 StorageUnavailable The storage cannot be read.');
  });

  it('does not wait for ever for a storage that rejects after it was decided', async () => {
    storage.exclusively = async (_, decide) => {
      await Promise.resolve();
      decide({ values: [], records: [] });
      throw new Error('gone');
    };
    core.isCommitNext = true;
    core.steps.push(
      { kind: 'read', id: 8, keys: [], exclusive: true },
      { kind: 'idle' },
      { kind: 'commit', id: 9, batch, exclusive: true },
      FakeCore.success(1),
    );

    await session.request(operation);

    expect(core.calls).toContain('complete 9 unknown');
    expect(core.calls.filter((call) => call.startsWith('readFailed'))).toEqual([]);
  });

  it('reads and commits as ever where the storage cannot hold others off', async () => {
    core.isCommitNext = true;
    core.steps.push(
      { kind: 'read', id: 8, keys: ['log/base'], exclusive: true },
      { kind: 'idle' },
      { kind: 'commit', id: 9, batch, exclusive: true },
      FakeCore.success(1),
    );

    await session.request(operation);

    expect(storage.reads).toEqual([{ keys: ['log/base'] }]);
    expect(storage.commits).toEqual([batch]);
  });

  it('runs the core again for background work that waits until it is idle', async () => {
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

  it('runs the core again when background work may be due, in spite of other requests', async () => {
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

  it('leaves background work to the next opening when it is closed', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    core.steps.push(FakeCore.success(1), { kind: 'idle', backgroundWorkInMs: 20 });
    await session.request(operation);

    await session.close();
    const { length } = core.calls;
    vi.advanceTimersByTime(1_000);

    expect(core.calls).toHaveLength(length);
  });

  it('passes the durability that it was opened with', async () => {
    const strict = new Session(core.module, {
      account: 'acct',
      baseUrl: 'http://a',
      storage,
      durability: 'strict',
    });
    core.steps.push({ kind: 'commit', id: 7, batch }, FakeCore.success(1));

    await strict.request(operation);

    expect(storage.options).toEqual([{ durability: 'strict' }]);
  });

  it('tells the core that a read failed, and the caller why', async () => {
    const cause = new Error('gone');
    storage.onRead = () => Promise.reject(cause);
    core.steps.push(
      { kind: 'read', id: 8, keys: [] },
      { kind: 'idle' },
      {
        kind: 'answer',
        request: 1,
        outcome: { ok: false, code: 'StorageUnavailable', message: 'no' },
      },
    );

    const error = await tableError(session.request(operation));

    expect(core.calls).toContain('readFailed 8 StorageUnavailable The storage cannot be read.');
    expect(error.code).toBe('StorageUnavailable');
    expect(error.cause).toBe(cause);
  });

  it.each(['quota', 'refused', 'unknown'] as const)(
    'makes the cause of a commit that ended %s that of the error',
    async (outcome) => {
      const cause = new Error('full');
      storage.onCommit = async () => ({ outcome, cause });
      core.steps.push(
        { kind: 'commit', id: 7, batch },
        { kind: 'idle' },
        {
          kind: 'answer',
          request: 1,
          outcome: { ok: false, code: 'StorageQuotaExceeded', message: 'no' },
        },
      );

      const error = await tableError(session.request(operation));

      expect(core.calls).toContain(`complete 7 ${outcome}`);
      expect(error.cause).toBe(cause);
    },
  );

  it('says how much a commit needed that found no room, and what the storage knows', async () => {
    const puts = [
      ['log/1', new Uint8Array(300)],
      ['pages/1', new Uint8Array(4_000)],
    ] as const;
    storage.onCommit = async () => ({ outcome: 'quota', room: { usage: 9_000, quota: 10_000 } });
    core.steps.push(
      { kind: 'commit', id: 7, batch: { expect: [], puts, deletes: [] } },
      { kind: 'idle' },
      {
        kind: 'answer',
        request: 1,
        outcome: { ok: false, code: 'StorageQuotaExceeded', message: 'no' },
      },
    );

    const { details } = await tableError(session.request(operation));

    expect(details.room).toEqual({ needed: 4_300, usage: 9_000, quota: 10_000 });
  });

  it('takes a commit that rejects, against its contract, for unknown', async () => {
    storage.onCommit = () => Promise.reject(new Error('oops'));
    core.steps.push({ kind: 'commit', id: 7, batch }, { kind: 'idle' }, FakeCore.success(1));

    await session.request(operation);

    expect(core.calls).toContain('complete 7 unknown');
  });

  it('goes on after an operation that cannot be written', async () => {
    core.steps.push(FakeCore.success(1));

    expect(await errorCode(session.request({ ...operation, table: '\ud800' }))).toBe(
      'InvalidInput',
    );
    await session.request(operation);
  });
});

describe('an abort signal', () => {
  it('keeps a request from being made, if it has fired', async () => {
    const error = await rejection(session.request(operation, AbortSignal.abort()));

    expect(error).toBeInstanceOf(DOMException);
    expect(error).toMatchObject({ name: 'AbortError' });
    expect(core.calls).toEqual([]);
  });

  it('withdraws a request that waits', async () => {
    const controller = new AbortController();
    const request = session.request(operation, controller.signal);

    controller.abort();

    expect(await rejection(request)).toMatchObject({ name: 'AbortError' });
    expect(core.calls).toEqual(['submit', 'cancel 1', 'run']);
  });

  it('rejects a request that was begun, whose answer then goes nowhere', async () => {
    core.isWaiting = false;
    const controller = new AbortController();
    const { answer, end } = await begunWrite(batch, controller.signal);

    controller.abort();
    expect(await rejection(answer)).toMatchObject({ name: 'AbortError' });

    core.steps.push(FakeCore.success(1));
    end({ outcome: 'ok' });
    await session.close();
    expect(core.calls.at(-1)).toBe('delete');
  });

  it('is listened to no longer than the request lasts', async () => {
    const controller = new AbortController();
    const add = vi.spyOn(controller.signal, 'addEventListener');
    const remove = vi.spyOn(controller.signal, 'removeEventListener');
    core.steps.push(FakeCore.success(1));

    await session.request(operation, controller.signal);

    expect(remove.mock.calls).toEqual(add.mock.calls);
    controller.abort();
    expect(core.calls).not.toContain('cancel 1');
  });
});

describe('requests for which there is no room', () => {
  // As much as waits in the core at a time.
  const large: Operation = { ...operation, kind: 'insertEntity', body: ' '.repeat(4 * 2 ** 20) };
  const waiting = () => Array.from({ length: 4 }, () => session.request(large));
  const submitted = () => core.calls.filter((call) => call === 'submit').length;

  it('wait here, and go to the core in their order when others were answered', async () => {
    const first = [1, 2, 3, 4].map((request) => FakeCore.success(request));
    const second = [5, 6, 7].map((request) => FakeCore.success(request));
    core.steps.push(...first, { kind: 'idle' }, ...second);
    const order: string[] = [];
    const later = () =>
      ['a', 'b', 'c'].map(async (table) => {
        await session.request({ ...operation, table });
        order.push(table);
      });

    await Promise.all([...waiting(), ...later()]);

    expect(order).toEqual(['a', 'b', 'c']);
    expect(core.calls).toEqual([
      ...['submit', 'submit', 'submit', 'submit', 'run', 'run', 'run', 'run', 'run'],
      ...['submit', 'submit', 'submit', 'run', 'run', 'run', 'run'],
    ]);
  });

  it('are withdrawn by their signal', async () => {
    const all = waiting().map((request) => request.catch(() => {}));
    const controller = new AbortController();
    const request = session.request(operation, controller.signal);

    controller.abort();

    expect(await rejection(request)).toMatchObject({ name: 'AbortError' });
    await session.close();
    await Promise.all(all);
    expect(submitted()).toBe(4);
  });

  it('go to the core when one of those that wait there is withdrawn', async () => {
    const controller = new AbortController();
    const withdrawn = rejection(session.request(large, controller.signal));
    const all = [...waiting(), session.request(operation)].map(rejection);
    expect(submitted()).toBe(4);

    controller.abort();

    expect(submitted()).toBe(5);
    await session.close();
    await Promise.all([withdrawn, ...all]);
  });

  it('are rejected when the account is closed', async () => {
    const all = waiting().map(errorCode);
    const request = errorCode(session.request(operation));

    await session.close();

    expect(await request).toBe('AccountClosed');
    expect(new Set(await Promise.all(all))).toEqual(new Set(['AccountClosed']));
    expect(submitted()).toBe(4);
  });

  it('are refused, if they do not want to wait', async () => {
    const all = waiting().map(errorCode);
    const impatient = session.submit({
      write: () => 5,
      read: () => undefined,
      bytes: 0,
      isWrite: false,
      isImpatient: true,
    });

    const error = await tableError(impatient);

    expect(error.code).toBe('ServerBusy');
    expect(error.statusCode).toBe(503);
    await session.close();
    await Promise.all(all);
  });

  it('are refused while there is no memory, which harms no other', async () => {
    core.hasMemory = false;
    expect(await errorCode(session.request(operation))).toBe('ServerBusy');
    core.hasMemory = true;
    core.steps.push(FakeCore.success(1));

    await session.request(operation);
  });

  it('do not wait for those that follow a table', async () => {
    const controller = new AbortController();
    const followers = Array.from({ length: 3 }, () =>
      session.request({ ...large, kind: 'awaitChanges' }, controller.signal).catch(() => {}),
    );
    const first = [4, 5, 6, 7].map((request) => FakeCore.success(request));
    core.steps.push(...first, { kind: 'idle' }, FakeCore.success(8));

    await Promise.all([...waiting(), session.request(operation)]);

    controller.abort();
    await Promise.all(followers);
  });
});

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

  it('are reported to those who wait and to those who come later, and hold up no close', async () => {
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

  it('are found by a close that waits', async () => {
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

  it('are not those that end while others go on', async () => {
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

  it('are not suspected where no platform ends them', async () => {
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

  it('rejects requests that were not begun, and waits for those that were', async () => {
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

  it('rejects what waits, for it was not begun', async () => {
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

  it('closes the account: all that waits, and all that comes, is rejected by name', async () => {
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

  it('rejects the very request at which it does', async () => {
    core.fault = { call: 'submit', error };

    expect(await errorCode(session.request(operation))).toBe('ModuleAborted');
  });

  it('says of a write that it may be stored, if a commit was begun since', async () => {
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

  it('says so, too, when the storage has stored it, and the core cannot answer any more', async () => {
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

  it('rejects what waits outside of it, of which nothing can be stored', async () => {
    const large: Operation = { ...operation, kind: 'setPolicies', body: ' '.repeat(2 ** 22) };
    const all = Array.from({ length: 6 }, () => errorCode(session.request(large)));
    core.fault = { call: 'run', error };

    expect(new Set(await Promise.all(all))).toEqual(new Set(['ModuleAborted']));
  });

  it('tells whoever wants to know', async () => {
    const reasons: unknown[] = [];
    session.onAbort(({ code }) => reasons.push(code));
    core.fault = { call: 'submit', error };

    await errorCode(session.request(operation));

    expect(reasons).toEqual(['ModuleAborted']);
  });

  it('is not called again when storage answers, nor to be freed', async () => {
    const { answer, end } = await begunWrite();
    core.fault = { call: 'submit', error };
    await Promise.all([errorCode(answer), errorCode(session.request(operation))]);

    end({ outcome: 'ok' });
    await session.close();

    expect(core.calls).toEqual(['submit', 'run', 'run', 'submit']);
    expect(storage.closed).toBe(1);
  });
});
