// The first read of an account in a worker: it begins before the page can ask for anything.

import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';

import { inNextTurn } from '../../../js/src/base/next-turn.js';
import { openAccount, type TableServiceClient } from '../../../js/src/index.js';
import { collect, openForTest } from '../support/accounts.js';
import { WithHints } from '../support/storages.js';
import { wasmBytes } from '../support/wasm.js';
import { WorkerHere } from '../support/worker/here.js';

const ofLog = ({ reads }: WithHints) => reads.filter(({ recordsAfter }) => recordsAfter === 0);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
});

// An account in a worker, and another one here with the same storage.
async function twoAccounts({ hears = true } = {}) {
  const storage = new WithHints();
  const here = await openForTest({ storage: storage.inner });
  await here.createTable('Pets');
  // The hint of what is stored already may still be on its way, and would end the read.
  if (!hears) Object.assign(storage, { channel: `${storage.channel} of its own` });
  const worker = new WorkerHere(storage);
  const account: TableServiceClient = await openAccount({ worker, wasm: await wasmBytes() });
  onTestFinished(() => account.close());
  return { account, here, storage };
}

test('answers the first request, which comes some turns later', async () => {
  const { account, storage } = await twoAccounts({ hears: false });
  await new Promise<void>(inNextTurn);

  expect(await collect(account.listTables())).toHaveLength(1);
  expect(ofLog(storage)).toHaveLength(1);
});

test('answers no request after a tenth of a second', async () => {
  const { account, storage } = await twoAccounts();
  vi.advanceTimersByTime(101);

  expect(await collect(account.listTables())).toHaveLength(1);
  expect(ofLog(storage)).toHaveLength(2);
});

test('answers no fresh read', async () => {
  const { account, storage } = await twoAccounts();

  expect(await collect(account.listTables({ fresh: true }))).toHaveLength(1);
  expect(ofLog(storage)).toHaveLength(2);
});

test('answers no request after a commit by another account', async () => {
  const { account, here } = await twoAccounts();

  await here.createTable('Toys');

  expect(await collect(account.listTables())).toHaveLength(2);
});
