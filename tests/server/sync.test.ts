// Sync over HTTP: with our own server and with the emulator, through a network that loses requests
// and answers, while the official client writes.

import { AzureNamedKeyCredential, TableClient as OfficialTableClient } from '@azure/data-tables';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { DEVELOPMENT_ACCOUNT } from '../../js/src/http.js';
import { memoryStorage } from '../../js/src/storage/memory.js';
import { syncTables } from '../../js/src/sync.js';
import { openForTest } from '../js/support/accounts.js';
import { syncWasmBytes } from '../js/support/wasm.js';
import { rowsOf } from '../js/sync/support.js';
import { emulatorAccount, nameAt, ownAccount } from './support/remotes.js';

const { key: KEY } = DEVELOPMENT_ACCOUNT;
const INSECURE = { allowInsecureConnection: true };

let tables = 0;

describe.each([
  ['our own server', ownAccount],
  ['the emulator', emulatorAccount],
])('with %s', (_, start) => {
  async function openRemote() {
    const url = await start();
    const remoteTable = `Todos${++tables}`;
    const credential = new AzureNamedKeyCredential(nameAt(url), KEY);
    const official = new OfficialTableClient(url, remoteTable, credential, INSECURE);
    await official.createTable();
    return { url, remoteTable, official };
  }

  async function openReplica(
    { url, remoteTable }: Awaited<ReturnType<typeof openRemote>>,
    fetch: typeof globalThis.fetch = globalThis.fetch,
  ) {
    const account = await openForTest({ storage: memoryStorage(), wasm: await syncWasmBytes() });
    await account.createTable('Todos');
    const remote = { url, key: KEY, fetch: fetch as never };
    const sync = syncTables(account, { remote, tables: { Todos: { remoteTable } } });
    onTestFinished(() => sync.stop());
    return { sync, todos: account.tableClient('Todos') };
  }

  it('what the official client wrote and what we wrote are both there, with exact types', async () => {
    const remote = await openRemote();
    const { sync, todos } = await openReplica(remote);
    await remote.official.createEntity({
      partitionKey: 'p',
      rowKey: 'theirs',
      big: { type: 'Int64', value: '9007199254740993' },
      half: 0.5,
      at: { type: 'DateTime', value: '2017-03-05T00:00:00.1234567Z' },
    });
    await todos.createEntity({
      partitionKey: 'p',
      rowKey: 'ours',
      big: 9_007_199_254_740_993n,
      whole: { type: 'Double', value: 3 },
      bytes: Uint8Array.of(0, 255),
    });

    await sync.once();

    expect(await todos.getEntity('p', 'theirs')).toMatchObject({
      big: 9_007_199_254_740_993n,
      half: 0.5,
      at: { type: 'DateTime', value: '2017-03-05T00:00:00.1234567Z' },
    });
    const typed = { disableTypeConversion: true };
    expect(await remote.official.getEntity('p', 'ours', typed)).toMatchObject({
      big: { type: 'Int64', value: '9007199254740993' },
      bytes: { type: 'Binary', value: 'AP8=' },
    });
    // The official client takes 3.0 for an Int32.
    const other = await openReplica(remote);
    await other.sync.once();
    expect(await other.todos.getEntity('p', 'ours', { typed: true })).toMatchObject({
      whole: { type: 'Double', value: 3 },
    });
  });

  it('all sides converge, whatever the network loses', { timeout: 60_000 }, async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    let state = 20_261;
    const random = (below: number) => (state = (state * 48_271) % 2_147_483_647) % below;
    let isFaulty = true;
    const faulty: typeof fetch = async (url, init) => {
      const fault = isFaulty ? random(8) : -1;
      if (fault === 0) throw new TypeError('fetch failed');
      const answer = await fetch(url, init);
      if (fault !== 1) return answer;
      await answer.arrayBuffer();
      throw new TypeError('fetch failed');
    };
    const remote = await openRemote();
    const replicas = [await openReplica(remote, faulty), await openReplica(remote, faulty)];

    for (let turn = 1; turn <= 80; turn++) {
      const entity = { partitionKey: 'p', rowKey: String(random(6)), [`p${random(3)}`]: turn };
      const { todos, sync } = replicas[random(2)]!;
      const what = random(8);
      if (what < 3) await todos.upsertEntity(entity, 'Merge');
      else if (what < 4) await remote.official.upsertEntity(entity, 'Merge');
      else if (what < 5) await todos.deleteEntity('p', entity.rowKey).catch(() => {});
      else await sync.once().catch(() => {});
    }
    isFaulty = false;
    for (let round = 0; round < 6; round++) {
      vi.setSystemTime(Date.now() + 150_000);
      for (const { sync } of replicas) await sync.once();
    }

    const rows = await rowsOf(replicas[0]!.todos);
    expect(await rowsOf(replicas[1]!.todos)).toEqual(rows);
    const theirs = await rowsOf(remote.official as never);
    expect(theirs.map(({ rowKey }) => rowKey)).toEqual(rows.map(({ rowKey }) => rowKey));
    expect(theirs).toMatchObject(rows);
    expect(await replicas[0]!.sync.pending('Todos')).toEqual([]);
  });
});
