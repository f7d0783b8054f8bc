import { describe, expect, it } from 'vitest';

import { operationFrame, type Operation } from '../../../js/src/core/frames.js';

import { FakeCore } from '../support/fake-core.js';
import { errorCode, rejection, tableError } from '../support/rejection.js';
import { core, operation, session, useSession } from '../support/session.js';

useSession();

describe('requests beyond the memory for waiting ones', () => {
  // As much as waits in the core at a time.
  const large: Operation = { ...operation, kind: 'insertEntity', body: ' '.repeat(4 * 2 ** 20) };
  const waiting = () => Array.from({ length: 4 }, () => session.request(large));
  const submitted = () => core.calls.filter((call) => call === 'submit').length;

  it('wait here, and go to the core in their order after other answers', async () => {
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

  it('are cancelled by their signal', async () => {
    const all = waiting().map((request) => request.catch(() => {}));
    const controller = new AbortController();
    const request = session.request(operation, controller.signal);

    controller.abort();

    expect(await rejection(request)).toMatchObject({ name: 'AbortError' });
    await session.close();
    await Promise.all(all);
    expect(submitted()).toBe(4);
  });

  it('go to the core when a request that waits there is cancelled', async () => {
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

  it('are refused if they are impatient', async () => {
    const all = waiting().map(errorCode);
    const impatient = session.submit({
      frame: () => operationFrame(operation),
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

  it('are refused while there is no memory, without harm to others', async () => {
    core.hasMemory = false;
    expect(await errorCode(session.request(operation))).toBe('ServerBusy');
    core.hasMemory = true;
    core.steps.push(FakeCore.success(1));

    await session.request(operation);
  });

  it('do not wait for requests that follow a table', async () => {
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
