import { describe, expect, it, vi } from 'vitest';

import { Session } from '../../../js/src/core/session.js';

import { FakeCore } from '../support/fake-core.js';
import { errorCode, rejection, tableError } from '../support/rejection.js';
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

describe('a session', () => {
  it('submits all requests of a turn before it runs the core', async () => {
    core.steps.push(FakeCore.success(2), FakeCore.success(1));

    await Promise.all([session.request(operation), session.request(operation)]);

    expect(core.calls).toEqual(['submit', 'submit', 'run', 'run', 'run']);
  });

  it('does not run the core for requests that were answered at once', async () => {
    core.isAnswering = true;

    expect(await session.request(operation)).toEqual({ status: 204, parts: [] });
    expect(core.calls).toEqual(['submit']);
  });

  it('needs no promise for an answer that is there at once', async () => {
    core.isAnswering = true;

    expect(session.answer(operation)).toEqual({ status: 204, parts: [] });

    core.isAnswering = false;
    core.steps.push(FakeCore.success(2));
    expect(await session.answer(operation)).toEqual({ status: 204, parts: [] });
    expect(core.calls.slice(0, 3)).toEqual(['submit', 'submit', 'run']);
  });

  it('writes frames where an earlier one was, if they fit', async () => {
    core.isAnswering = true;
    core.frameBytes = 200;

    for (let i = 0; i < 3; i++) await session.request(operation);
    expect(core.reservations).toBe(1);
    expect(core.frames[2]).toEqual(core.frames[0]);

    await session.request({ ...operation, table: 'T'.repeat(100) });
    expect(core.reservations).toBe(2);
  });

  it('rejects a request that the core has no memory for, with and without a new place', async () => {
    core.isAnswering = true;
    core.frameBytes = 200;
    await session.request(operation);
    core.hasMemory = false;

    for (const table of ['T', 'T'.repeat(100)]) {
      const request = session.request({ ...operation, table });
      expect(await errorCode(request)).toBe('ServerBusy');
    }
    expect(core.reservations).toBe(2);
  });

  it('carries out reads and commits while it runs the core', async () => {
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

  it('runs the core again after an answer of the storage', async () => {
    const end = heldCommit();
    core.steps.push({ kind: 'commit', id: 7, batch }, { kind: 'idle' }, FakeCore.success(1));
    const answered = session.request(operation);

    await Promise.resolve();
    end({ outcome: 'moved' });
    await answered;

    expect(core.calls.slice(0, 5)).toEqual(['submit', 'run', 'run', 'complete 7 moved', 'run']);
  });

  it('continues in a later turn of the event loop after reads have used their slice', async () => {
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

  it('does not run the core before that turn', async () => {
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

  it('cancels a request between two slices', async () => {
    core.isWaiting = true;
    core.steps.push({ kind: 'yield' });
    const controller = new AbortController();
    const answered = session.request(operation, controller.signal);
    await Promise.resolve();

    controller.abort();

    await expect(answered).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }));
    expect(core.calls).toEqual(['submit', 'run', 'cancel 1']);
  });

  it('passes its durability to commits', async () => {
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

  it('reports a failed read to the core, and its cause to the caller', async () => {
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

  it('reports how much room a commit needed, and the sizes that the storage knows', async () => {
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

  it('treats a commit that rejects, against its contract, as unknown', async () => {
    storage.onCommit = () => Promise.reject(new Error('oops'));
    core.steps.push({ kind: 'commit', id: 7, batch }, { kind: 'idle' }, FakeCore.success(1));

    await session.request(operation);

    expect(core.calls).toContain('complete 7 unknown');
  });

  it('continues after an operation that cannot be encoded', async () => {
    core.steps.push(FakeCore.success(1));

    expect(await errorCode(session.request({ ...operation, table: '\ud800' }))).toBe(
      'InvalidInput',
    );
    await session.request(operation);
  });
});

describe('an abort signal', () => {
  it('prevents a request if it has fired', async () => {
    const error = await rejection(session.request(operation, AbortSignal.abort()));

    expect(error).toBeInstanceOf(DOMException);
    expect(error).toMatchObject({ name: 'AbortError' });
    expect(core.calls).toEqual([]);
  });

  it('cancels a waiting request', async () => {
    const controller = new AbortController();
    const request = session.request(operation, controller.signal);

    controller.abort();

    expect(await rejection(request)).toMatchObject({ name: 'AbortError' });
    expect(core.calls).toEqual(['submit', 'cancel 1', 'run']);
  });

  it('rejects a request that has begun, and ignores its answer', async () => {
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

  it('has no listener after the request', async () => {
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
