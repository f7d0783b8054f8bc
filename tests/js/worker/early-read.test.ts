// The first read of an account in a worker: it begins before the page can ask for anything.

import { expect, onTestFinished, test } from 'vitest';

import { openAccount, type TableServiceClient } from '../../../js/src/index.js';
import { collect, openForTest } from '../support/accounts.js';
import { WatchedStorage } from '../support/storages.js';
import { wasmBytes } from '../support/wasm.js';
import { WorkerHere } from '../support/worker/here.js';

class WithHints extends WatchedStorage {
  readonly channel = this.inner.channel;
}

// An account in a worker, and another one here with the same storage.
async function twoAccounts() {
  const storage = new WithHints();
  const here = await openForTest({ storage: storage.inner });
  await here.createTable('Pets');
  const worker = new WorkerHere(storage);
  const account: TableServiceClient = await openAccount({ worker, wasm: await wasmBytes() });
  onTestFinished(() => account.close());
  return { account, here, storage };
}

test('answers the first request', async () => {
  const { account, storage } = await twoAccounts();

  expect(await collect(account.listTables())).toHaveLength(1);
  expect(storage.reads.filter(({ recordsAfter }) => recordsAfter === 0)).toHaveLength(1);
});

test('answers no request after a commit by another account', async () => {
  const { account, here } = await twoAccounts();

  await here.createTable('Toys');

  expect(await collect(account.listTables())).toHaveLength(2);
});
