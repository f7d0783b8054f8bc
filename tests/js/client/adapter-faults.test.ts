// Adapters are anybody's: whichever member of one throws or answers nonsense, calls end with a
// TableError, and the account can be closed.

import { describe, expect, it } from 'vitest';

import { isTableError, TableError } from '../../../js/src/base/errors.js';
import { deleteAccount } from '../../../js/src/client/delete-account.js';
import { openAccount } from '../../../js/src/index.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import type { PageStorage } from '../../../js/src/storage/page-storage.js';
import { tableError } from '../support/rejection.js';

const fault = new Error('of the adapter');
const fail = () => {
  throw fault;
};

type Member = keyof PageStorage;
const MEMBERS: Record<Member, true> = {
  read: true,
  commit: true,
  exclusively: true,
  channel: true,
  list: true,
  onStatus: true,
  close: true,
  destroy: true,
};

const FAULTS: Record<string, PropertyDescriptor> = {
  'throws when it is read': { get: fail },
  'throws when it is called': { value: fail },
  rejects: { value: () => Promise.reject(fault) },
  'returns nothing': { value: () => undefined },
  'returns a number': { value: () => 5 },
  'resolves to an object with members that throw': {
    value: async () => ({
      get outcome() {
        return fail();
      },
      get values() {
        return fail();
      },
      get room() {
        return fail();
      },
    }),
  },
  'rejects with an object whose members throw': {
    value: () => Promise.reject(new Proxy(fault, { get: fail })),
  },
  'rejects with an unknown code': {
    value: () =>
      Promise.reject(Object.assign(new Error(), { name: 'TableError', code: Symbol('code') })),
  },
  'rejects with a message without end': {
    value: () => Promise.reject(new TableError('StorageEvicted', 'gone '.repeat(100_000))),
  },
  'is a number': { value: 5 },
};

const CASES = Object.keys(MEMBERS).flatMap((member) =>
  Object.entries(FAULTS).map(([how, descriptor]) => ({ member, how, descriptor })),
);

function storageWith(member: string, descriptor: PropertyDescriptor): PageStorage {
  const inner = memoryStorage();
  const storage = Object.create(inner) as PageStorage;
  for (const name of ['read', 'commit', 'list', 'close', 'destroy'] as const) {
    const method = inner[name] as (...args: unknown[]) => unknown;
    Object.defineProperty(storage, name, { value: method.bind(inner), configurable: true });
  }
  return Object.defineProperty(storage, member, { ...descriptor, configurable: true });
}

const codeOf = async (call: () => unknown) => {
  try {
    await call();
    return undefined;
  } catch (error) {
    if (!isTableError(error)) throw error;
    return error.code;
  }
};

describe('an adapter of which', () => {
  it.each(CASES)('$member $how leaves no call behind', async ({ member, descriptor }) => {
    const storage = storageWith(member, descriptor);
    let account: Awaited<ReturnType<typeof openAccount>> | undefined;
    await codeOf(async () => (account = await openAccount({ storage })));
    if (account) {
      const table = account.tableClient('Pets');
      const pet = { partitionKey: 'p', rowKey: 'r' };
      await codeOf(() => account!.createTable('Pets'));
      await codeOf(() => table.upsertEntity(pet));
      await codeOf(() => table.upsertEntity(pet));
      await codeOf(() => table.countEntities({ fresh: true }));
      table.subscribe({ onError: () => undefined }, () => undefined)();
      await codeOf(() => account!.close());
      expect(await codeOf(() => table.countEntities())).toBe('AccountClosed');
    }
    await codeOf(() => deleteAccount(storage));
    // An unhandled rejection fails the run.
    await new Promise((resolve) => setTimeout(resolve));
  });

  it.each(['onStatus', 'read'] as const)('%s throws cannot be opened', async (member) => {
    const storage = storageWith(member, { value: fail });

    expect(await tableError(openAccount({ storage }))).toMatchObject({
      code: 'StorageUnavailable',
      cause: fault,
    });
  });

  it('onStatus returns a number cannot be opened', async () => {
    const error = await tableError(
      openAccount({ storage: storageWith('onStatus', { value: () => 5 }) }),
    );

    expect(error.code).toBe('StorageUnavailable');
    expect((error.cause as Error).message).toContain('onStatus');
  });

  it.each(['throws when it is called', 'rejects'])('is reported if close %s', async (how) => {
    const account = await openAccount({ storage: storageWith('close', FAULTS[how]!) });

    expect(await tableError(account.close())).toMatchObject({
      code: 'StorageUnavailable',
      cause: fault,
    });
  });

  it('a commit with an outcome that does not exist is named', async () => {
    const answers: unknown[] = [];
    const storage = storageWith('commit', { value: async () => answers.at(-1) });
    const account = await openAccount({ storage });
    answers.push({ outcome: 'OK' });
    const error = await tableError(account.createTable('Pets'));

    expect(error.code).toBe('StorageOutcomeUnknown');
    expect((error.cause as Error).message).toContain('"OK"');
    await account.close();
  });
});
