// The first read of an account, which begins before the module is compiled: who gets its snapshot,
// and who reads anew.

import { expect, onTestFinished, test } from 'vitest';

import { inNextTurn } from '../../../js/src/base/next-turn.js';
import { MODULE } from '../../../js/src/client/shared.js';
import type { TableServiceClient } from '../../../js/src/client/table-service-client.js';
import { openSession } from '../../../js/src/core/open-session.js';
import { openAccount } from '../../../js/src/index.js';
import { collect, openForTest } from '../support/accounts.js';
import { WithHints } from '../support/storages.js';

const nextTurn = () => new Promise<void>((resolve) => inNextTurn(resolve));

// The account that has made the table, and a storage that counts the reads of others.
async function stored() {
  const storage = new WithHints();
  const theirs = await openForTest({ storage: storage.inner });
  await theirs.createTable('Pets');
  return { storage, theirs };
}

// The hint of what is stored already may still be on its way, and would end the read.
function hearNothing(storage: WithHints): void {
  Object.assign(storage, { channel: `${storage.channel} of its own` });
}

// Opens another account, and does `work` in the turn in which it is open.
async function opened<T>(storage: WithHints, work: (account: TableServiceClient) => Promise<T>) {
  const account = await openAccount({ storage });
  onTestFinished(() => account.close());
  return work(account);
}

const ofLog = ({ reads }: WithHints) => reads.filter(({ recordsAfter }) => recordsAfter === 0);
const tables = (account: TableServiceClient) => collect(account.listTables());

test('answers a request that follows the opening at once', async () => {
  const { storage } = await stored();
  hearNothing(storage);

  expect(await opened(storage, tables)).toHaveLength(1);

  expect(ofLog(storage)).toHaveLength(1);
});

test('begins before the module is there', async () => {
  const { storage } = await stored();
  const bytes = new Uint8Array(8);

  await openAccount({ storage, wasm: bytes }).catch(() => undefined);

  expect(ofLog(storage)).toHaveLength(1);
});

test('asks the storage before it asks for the module, which is there sooner', async () => {
  const asked: string[] = [];
  const storage = new WithHints();
  storage.onRead = () => void asked.push('storage');
  const source = () => {
    asked.push('module');
    throw new Error('There is none.');
  };

  const options = { account: 'test', baseUrl: 'http://localhost', storage };
  await openSession({ kind: MODULE, source }, undefined, options).catch(() => undefined);

  expect(asked[0]).toBe('storage');
  expect(asked).toContain('module');
});

test('does not answer a fresh read', async () => {
  const { storage } = await stored();

  await opened(storage, (account) => collect(account.listTables({ fresh: true })));

  expect(ofLog(storage)).toHaveLength(2);
});

test('answers a request some turns later, as of a list that was rendered first', async () => {
  const { storage } = await stored();
  hearNothing(storage);

  const found = await opened(storage, async (account) => {
    await nextTurn();
    await nextTurn();
    return tables(account);
  });

  expect(found).toHaveLength(1);
  expect(ofLog(storage)).toHaveLength(1);
});

test('does not answer after a commit of this thread, whose hint is on its way', async () => {
  const { storage, theirs } = await stored();

  const found = await opened(storage, async (account) => {
    await theirs.createTable('Toys');
    return tables(account);
  });

  expect(found).toHaveLength(2);
});

test('does not count after the hint of a commit that it has not seen', async () => {
  const { storage, theirs } = await stored();
  let release!: () => void;
  const held = new Promise<void>((resolve) => (release = resolve));
  // The check of the storage holds the opening up.
  storage.onRead = ({ keys }) =>
    keys.length === 0 ? held.then(() => ({ values: [], records: [] })) : undefined;
  const opening = opened(storage, tables);
  // Behind the channel of the account, so it hears later.
  const hint = new Promise((resolve) => {
    const channel = new BroadcastChannel(storage.channel!);
    onTestFinished(() => channel.close());
    channel.onmessage = resolve;
  });
  await theirs.createTable('Toys');
  await hint;
  release();

  expect(await opening).toHaveLength(2);
});

test('that fails is done again', async () => {
  const { storage } = await stored();
  storage.onRead = ({ recordsAfter }) => {
    if (recordsAfter !== 0) return undefined;
    storage.onRead = undefined;
    return Promise.reject(new Error('not now'));
  };

  expect(await opened(storage, tables)).toHaveLength(1);
});
