// run.mjs - `npm run bench:sync`: measures sync with our own server, in Node, beside the same pages
// fetched and thrown away, and beside the official client. Figures are medians. Transfers are
// measured over loopback, and over a network with the round-trip time of a data centre.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { AzureNamedKeyCredential, TableClient } from '@azure/data-tables';

import { build } from '../../scripts/build.mjs';
import { enterProject } from '../../scripts/lib/project.mjs';
import { main, say } from '../../scripts/lib/terminal.mjs';
import { ACCOUNT, KEY } from '../http/client.mjs';
import { start } from '../http/servers.mjs';
import { relay } from './distance.mjs';

const ROUNDS = 3;
const ROWS = 100_000;
const NEW_ROWS = 10_000;
const ONE_BY_ONE = 500;
const WRITES = 3000;
const BATCH = 100;
const ROUND_TRIP_MS = 20;

const entity = (i) => ({
  partitionKey: `p${Math.floor(i / 1000)}`,
  rowKey: String(i).padStart(8, '0'),
  title: `Item ${i}`,
  price: i / 4,
  count: i,
  isDone: i % 2 === 0,
});
const entities = (count) => Array.from({ length: count }, (_, i) => entity(i));

async function timed(work) {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
}

/** The median times of several works, each in each round. */
async function medians(works) {
  const times = Object.fromEntries(Object.keys(works).map((name) => [name, []]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, work] of Object.entries(works)) times[name].push(await work(round));
  }
  return Object.fromEntries(
    Object.entries(times).map(([name, all]) => [name, all.sort((a, b) => a - b)[ROUNDS >> 1]]),
  );
}

/** What sync and its peers need. */
async function openWork(url) {
  const { openAccount, syncTables } = await import('../../dist/sync.js');
  const { fileStorage } = await import('../../dist/storage/file.js');
  const { memoryStorage } = await import('../../dist/storage/memory.js');
  const credential = new AzureNamedKeyCredential(ACCOUNT, KEY);
  let requests = 0;
  const counted = (...request) => {
    requests++;
    return fetch(...request);
  };
  return {
    requests: () => requests,
    official: (name) => new TableClient(url, name, credential, { allowInsecureConnection: true }),
    async local(name, folder) {
      const storage = folder ? fileStorage(folder) : memoryStorage();
      const account = await openAccount({ storage, sync: true });
      await account.createTable(name);
      return { account, table: account.tableClient(name) };
    },
    sync(account, name) {
      const remote = { url, key: KEY, account: ACCOUNT, fetch: counted };
      return syncTables(account, { remote, tables: { [name]: { reconcile: 'never' } } });
    },
  };
}

// The first pull, and the same pages thrown away.
async function measurePull({ local, official, sync }) {
  const source = official('Source');
  await source.createTable();
  const { account, table } = await local('Source');
  await table.importEntities(entities(ROWS));
  await sync(account, 'Source').once();
  await account.close();
  return await medians({
    pullMs: async () => {
      const replica = await local('Source');
      const ms = await timed(() => sync(replica.account, 'Source').once());
      await replica.account.close();
      return ms;
    },
    pagesMs: () => timed(() => readPages(source)),
  });
}

// As fetch gets them: the official client would take longer, because it makes entities of them.
async function readPages({ url, tableName }) {
  let query = '';
  for (;;) {
    const headers = await signed(`/${ACCOUNT}/${tableName}()`);
    const answer = await fetch(`${url}/${tableName}()?timeout=30${query}`, { headers });
    if (!answer.ok) throw new Error(await answer.text());
    await answer.text();
    const [partition, row] = ['PartitionKey', 'RowKey'].map((part) =>
      answer.headers.get(`x-ms-continuation-Next${part}`),
    );
    if (partition === null) return;
    query = `&NextPartitionKey=${encodeURIComponent(partition)}`;
    if (row !== null) query += `&NextRowKey=${encodeURIComponent(row)}`;
  }
}

async function signed(path) {
  const date = new Date().toUTCString();
  const key = await crypto.subtle.importKey(
    'raw',
    Buffer.from(KEY, 'base64'),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['sign'],
  );
  const text = new TextEncoder().encode(`${date}\n/${ACCOUNT}${path}`);
  const signature = Buffer.from(await crypto.subtle.sign('HMAC', key, text)).toString('base64');
  return {
    'x-ms-date': date,
    'x-ms-version': '2019-02-02',
    Accept: 'application/json;odata=minimalmetadata',
    Authorization: `SharedKeyLite ${ACCOUNT}:${signature}`,
  };
}

// Times for NEW_ROWS new rows.
async function measurePush({ local, official, sync }) {
  const rows = entities(NEW_ROWS);
  let names = 0;
  const fresh = async () => {
    const name = `Pushed${++names}`;
    await official(name).createTable();
    return name;
  };
  return await medians({
    pushMs: async () => {
      const name = await fresh();
      const { account, table } = await local(name);
      const syncing = sync(account, name);
      await syncing.once();
      await table.importEntities(rows);
      const ms = await timed(() => syncing.once());
      await account.close();
      return ms;
    },
    oneByOneMs: async () => {
      const client = official(await fresh());
      const ms = await timed(async () => {
        for (const row of rows.slice(0, ONE_BY_ONE)) await client.createEntity(row);
      });
      return (ms * NEW_ROWS) / ONE_BY_ONE;
    },
    batchesMs: async () => {
      const client = official(await fresh());
      return await timed(async () => {
        for (let at = 0; at < NEW_ROWS; at += BATCH) {
          const actions = rows.slice(at, at + BATCH).map((row) => ['create', row]);
          await client.submitTransaction(actions);
        }
      });
    },
  });
}

// A write to a synced table, and one to a plain table. Storage in a folder, or in memory.
async function measureWrites({ local, official, sync }, isInFolder) {
  const name = isInFolder ? 'WritesInFolder' : 'Writes';
  await official(name).createTable();
  const write = (isSynced) => async () => {
    const folder = isInFolder ? mkdtempSync(join(tmpdir(), 'entitable-bench-')) : undefined;
    const { account, table } = await local(name, folder);
    if (isSynced) await sync(account, name).once();
    const ms = await timed(async () => {
      for (let i = 0; i < WRITES; i++) await table.createEntity(entity(i));
    });
    await account.close();
    if (folder) rmSync(folder, { recursive: true });
    return ms;
  };
  const { syncedMs, plainMs } = await medians({ syncedMs: write(true), plainMs: write(false) });
  const place = isInFolder ? 'a folder' : 'memory';
  say(`a local write, storage in ${place}: ${((1000 * syncedMs) / WRITES).toFixed()} µs`);
  say(`  ${(syncedMs / plainMs).toFixed(2)} × one to a plain table, aim at most 1.3`);
}

async function countIdle({ local, official, sync, requests }) {
  await official('Idle').createTable();
  const { account } = await local('Idle');
  const syncing = sync(account, 'Idle');
  await syncing.once();
  const before = requests();
  await syncing.once();
  const count = requests() - before;
  await account.close();
  return count;
}

async function measureTransfers(work) {
  const { pullMs, pagesMs } = await measurePull(work);
  say(`first pull of ${ROWS} rows: ${pullMs.toFixed()} ms`);
  say(`  ${(pullMs / pagesMs).toFixed(2)} × the pages thrown away, aim at most 1.3`);
  const { pushMs, oneByOneMs, batchesMs } = await measurePush(work);
  say(`push of ${NEW_ROWS} new rows: ${pushMs.toFixed()} ms`);
  say(`  ${(oneByOneMs / pushMs).toFixed(1)} × as fast as createEntity, aim 10`);
  say(`  ${(batchesMs / pushMs).toFixed(1)} × as fast as submitTransaction, aim 1.5`);
}

/** Works with a new server, `roundTripMs` away. */
async function withServer(roundTripMs, work) {
  const server = await start('Entitable, in memory', { connections: 1 });
  const far = roundTripMs > 0 ? await relay(new URL(server.url).port, roundTripMs) : undefined;
  try {
    const url = far ? `http://127.0.0.1:${far.port}/${ACCOUNT}` : server.url;
    await work(await openWork(url));
  } finally {
    far?.stop();
    await server.stop();
  }
}

await main(async () => {
  enterProject();
  await build('package');
  say(`a network with a round trip of ${ROUND_TRIP_MS} ms:`);
  await withServer(ROUND_TRIP_MS, measureTransfers);
  say('loopback:');
  await withServer(0, async (work) => {
    await measureTransfers(work);
    await measureWrites(work, true);
    await measureWrites(work, false);
    say(`requests of a round with nothing to do: ${await countIdle(work)}, aim 1`);
  });
});
