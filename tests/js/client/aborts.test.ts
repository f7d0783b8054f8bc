// The errors of calls whose signal fired.

import { describe, expect, it } from 'vitest';

import type { TableClient } from '../../../js/src/client/table-client.js';
import type { TransactionAction } from '../../../js/src/entity/models.js';
import { verify } from '../../../js/src/recovery.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { collect, openForTest, openTable } from '../support/accounts.js';
import { errorCode, rejection, tableError } from '../support/rejection.js';
import { WatchedStorage } from '../support/storages.js';

const pet = (rowKey: string, partitionKey = 'p') => ({ partitionKey, rowKey });
const why = new Error('the user went on');
const abortSignal = AbortSignal.abort(why);

describe('a call whose signal fired', () => {
  it('is rejected with the reason, as fetch is, before it began and later', async () => {
    const storage = memoryStorage();
    const table = await openTable({ storage });
    const abort = new AbortController();
    const write = table.createEntity(pet('a'), { abortSignal: abort.signal });
    abort.abort(why);

    expect(await rejection(write)).toBe(why);
    expect(await rejection(table.getEntity('p', 'a', { abortSignal }))).toBe(why);
    expect(await rejection(collect(table.listEntities({ abortSignal })))).toBe(why);
    expect(await rejection(verify(storage, { abortSignal }))).toBe(why);
  });

  it('is rejected with an AbortError if there is no reason', async () => {
    const table = await openTable({ storage: memoryStorage() });
    const plain = { aborted: true, addEventListener: () => {}, removeEventListener: () => {} };

    for (const signal of [AbortSignal.abort(), plain]) {
      const error = await rejection(table.createEntity(pet('a'), { abortSignal: signal }));
      expect(error).toBeInstanceOf(DOMException);
      expect(error).toMatchObject({ name: 'AbortError' });
    }
  });

  it('gets its own answer, though the signal then calls the account', async () => {
    const table = await openTable({ storage: memoryStorage() });
    await table.createEntity({ ...pet('a'), note: 'n'.repeat(1000) });
    const abortSignal = {
      aborted: false,
      addEventListener: () => {},
      removeEventListener: () => void table.getEntity('p', 'a'),
    };
    const { etag } = await table.createEntity(pet('b'), { abortSignal });

    expect(etag).toBe((await table.getEntity('p', 'b')).etag);
  });

  it.each<[string, (table: TableClient, abortSignal: AbortSignal) => Promise<unknown>]>([
    ['getEntity', (table, abortSignal) => table.getEntity('p', 'a', { abortSignal })],
    ['countEntities', (table, abortSignal) => table.countEntities({ abortSignal })],
    ['explain', (table, abortSignal) => table.explain({ abortSignal })],
    ['listEntities', (table, abortSignal) => table.listEntities({ abortSignal }).next()],
    ['byPage', (table, abortSignal) => table.listEntities({ abortSignal }).byPage().next()],
    [
      'upsertEntity',
      (table, abortSignal) => table.upsertEntity(pet('a'), 'Merge', { abortSignal }),
    ],
    ['getAccessPolicy', (table, abortSignal) => table.getAccessPolicy({ abortSignal })],
  ])('is rejected by %s, though the answer is in memory, with any reason', async (_, call) => {
    const table = await openTable({ storage: memoryStorage() });
    await table.createEntity(pet('a'));
    for (const reason of [why, null, 0, 'enough']) {
      const abort = new AbortController();
      const answer = call(table, abort.signal);
      abort.abort(reason);

      expect(await rejection(answer)).toBe(reason);
    }
  });

  it('is rejected by a list of tables, although it is in memory', async () => {
    const account = await openForTest({ storage: memoryStorage() });
    const abort = new AbortController();
    const answer = account.listTables({ abortSignal: abort.signal }).next();
    abort.abort(why);

    expect(await rejection(answer)).toBe(why);
  });

  it('reports what an import has stored, and does not change the reason', async () => {
    const table = await openTable({ storage: memoryStorage() });
    const timeout = new DOMException('too long', 'TimeoutError');
    for (const [reason, name] of [
      [why, 'Error'],
      [timeout, 'TimeoutError'],
      ['enough', 'AbortError'],
      [null, 'AbortError'],
    ] as const) {
      const options = { abortSignal: AbortSignal.abort(reason) };
      const error = await rejection(table.importEntities([pet('a')], options));
      expect(error).toBeInstanceOf(DOMException);
      expect(error).toMatchObject({ name, stored: 0 });
      expect((error as Error).cause).toBe(reason);
    }
    expect(why).not.toHaveProperty('stored');
  });

  it('reports what a split transaction has stored', async () => {
    const storage = new WatchedStorage();
    const table = await openTable({ storage });
    const abort = new AbortController();
    let commits = 0;
    storage.onCommit = (batch) => {
      // While the second one is under way.
      if (++commits === 2) abort.abort(why);
      return storage.inner.commit(batch);
    };
    const actions = ['a', 'b', 'c'].map((key): TransactionAction => ['create', pet('r', key)]);

    const error = await rejection(
      table.submitTransaction(actions, { split: true, abortSignal: abort.signal }),
    );

    expect(error).toMatchObject({ name: 'Error', stored: 1 });
    expect((error as Error).cause).toBe(why);
    expect(why).not.toHaveProperty('stored');
  });
});

describe('an import', () => {
  it('without a source rejects once, although its signal has fired or its account is closed', async () => {
    const table = await openTable({ storage: memoryStorage() });
    const closed = await openTable({ storage: memoryStorage() });

    expect(await errorCode(table.importEntities(5 as never, { abortSignal }))).toBe('InvalidInput');
    expect(await errorCode(closed.importEntities(5 as never))).toBe('InvalidInput');
    // An unhandled rejection fails the run.
    await new Promise((resolve) => setTimeout(resolve));
  });

  it('rejects with its error, although the source cannot be ended', async () => {
    const table = await openTable({ storage: memoryStorage() });
    for (const end of [
      () => {
        throw new Error('cannot end');
      },
      () => Promise.reject(new Error('cannot end')),
    ]) {
      const source = {
        [Symbol.iterator]: () => ({ next: () => ({ done: false, value: 5 }), return: end }),
      };
      const error = await tableError(table.importEntities(source as never));
      expect(error).toMatchObject({ code: 'InvalidInput', details: { stored: 0 } });
    }
  });
});
