import { describe, expect, it } from 'vitest';

import { FakeCore } from '../support/fake-core.js';
import { batch, core, operation, session, storage, useSession } from '../support/session.js';

useSession();

describe('an exclusive read of a session', () => {
  it('gives its commit to the storage', async () => {
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

  it('releases the storage if the core has nothing to store', async () => {
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

  it('fails in the core if its snapshot is not valid', async () => {
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

  it('fails in the core if it ends without a decision', async () => {
    storage.exclusively = async () => undefined;
    core.steps.push(
      { kind: 'read', id: 8, keys: [], exclusive: true },
      { kind: 'idle' },
      FakeCore.success(1),
    );

    await session.request(operation);

    expect(core.calls).toContain('readFailed 8 StorageUnavailable The storage cannot be read.');
  });

  it('fails in the core if the storage rejects', async () => {
    storage.exclusively = () => Promise.reject(new Error('gone'));
    core.steps.push(
      { kind: 'read', id: 8, keys: [], exclusive: true },
      { kind: 'idle' },
      FakeCore.success(1),
    );

    await session.request(operation);

    expect(core.calls).toContain('readFailed 8 StorageUnavailable The storage cannot be read.');
  });

  it('does not wait forever for a storage that rejects after the decision', async () => {
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

  it('is an ordinary read and commit if the storage has no exclusive ones', async () => {
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
});
