// work.ts - uses every function of an account, always with the same keys.

import type { TableClient } from '../../../../js/src/client/table-client.js';
import type { TableServiceClient } from '../../../../js/src/client/table-service-client.js';
import { createTableHandler } from '../../../../js/src/http.js';
import { openAccount } from '../../../../js/src/index.js';
import type { TableEntityChanges } from '../../../../js/src/live/models.js';
import type { PageStorage } from '../../../../js/src/storage/page-storage.js';
import { collect } from '../accounts.js';
import { Received } from '../received.js';
import type { CountingSignal } from './gauges.js';

const BASE = 'http://127.0.0.1:10002/devstoreaccount1';
const PARTITIONS = 5;
const ROWS = 400;

export interface Place {
  readonly storage: PageStorage;
  readonly wasm: WebAssembly.Module;
  readonly signal: CountingSignal;
}

export function openAt({ storage, wasm }: Place): Promise<TableServiceClient> {
  return openAccount({ storage, wasm, name: 'devstoreaccount1', cacheBytes: 256 * 1024 });
}

const entityOf = (round: number, at: number) => ({
  partitionKey: `p${at % PARTITIONS}`,
  rowKey: `r${String(at).padStart(4, '0')}`,
  round,
  at,
  text: 'x'.repeat(200),
  time: new Date(at),
  bytes: new Uint8Array(20).fill(at),
});

/** Does all work once. Afterwards the store has the same keys as before. */
export async function doRound(
  account: TableServiceClient,
  place: Place,
  round: number,
): Promise<void> {
  const table = account.tableClient('Soak');
  await table.createTable();
  await write(table, place, round);
  await read(table, place, round);
  await Promise.all([follow(table, place, round), abort(table, round)]);
  await request(account, round);
  await comeAndGo(place);
}

async function write(table: TableClient, { signal }: Place, round: number): Promise<void> {
  const options = { abortSignal: signal };
  const some = Array.from({ length: 50 }, (_, at) => entityOf(round, (at * 7 + round) % ROWS));
  await Promise.all(some.map((entity) => table.upsertEntity(entity, 'Merge', options)));
  const batch = Array.from({ length: 80 }, (_, at) => entityOf(round, at * PARTITIONS));
  await table.submitTransaction(
    batch.map((entity) => ['upsert', entity, 'Replace']),
    options,
  );
  const all = Array.from({ length: ROWS }, (_, at) => entityOf(round, at));
  await table.importEntities(all, { mode: 'Replace', ...options });
}

async function read(table: TableClient, { signal }: Place, round: number): Promise<void> {
  const options = { abortSignal: signal };
  const filter = `round eq ${round} and at lt 100`;
  const found = await collect(table.listEntities({ filter, ...options }));
  const count = await table.countEntities(options);
  if (found.length !== 100 || count !== ROWS) {
    throw new Error(`found ${found.length} of 100 entities, counted ${count} of ${ROWS}`);
  }
  for await (const part of table.exportEntities(options)) void part;
  // Leaving the loop ends the export.
  for await (const part of table.exportEntities(options)) {
    void part;
    break;
  }
}

/** Subscribes, receives one change, and unsubscribes. */
async function follow(table: TableClient, { signal }: Place, round: number): Promise<void> {
  const options = { filter: `PartitionKey eq 'live'`, abortSignal: signal };
  const received = new Received<TableEntityChanges<{ round: number }>>();
  const end = table.subscribe<{ round: number }>(options, received.listener);
  const endLive = table.liveEntities(options).subscribe(() => undefined);
  // The first call reports the start.
  await received.next();
  await table.upsertEntity({ partitionKey: 'live', rowKey: 'r', round });
  const { inserted } = await received.next();
  if (inserted[0]?.round !== round) throw new Error('the change of this round was not reported');
  end();
  endLive();
  await table.deleteEntity('live', 'r');
}

/** Withdraws calls before and after they have begun. */
async function abort(table: TableClient, round: number): Promise<void> {
  const stop = new AbortController();
  const options = { abortSignal: stop.signal };
  const calls = [
    collect(table.listEntities(options)),
    table.countEntities(options),
    table.upsertEntity(entityOf(round, 1), 'Merge', options),
    collect(table.listEntities({ abortSignal: AbortSignal.abort() })),
  ];
  stop.abort();
  await Promise.allSettled(calls);
}

async function request(account: TableServiceClient, round: number): Promise<void> {
  const handler = createTableHandler(account, { authentication: 'anonymous' });
  const headers = { 'Content-Type': 'application/json', Accept: 'application/json' };
  const { partitionKey: PartitionKey, rowKey: RowKey } = entityOf(round, 2);
  const key = `Soak(PartitionKey='${PartitionKey}',RowKey='${RowKey}')`;
  const body = JSON.stringify({ PartitionKey, RowKey, round });
  for (const [path, init] of [
    [key, { method: 'MERGE', headers, body }],
    [`Soak()?$filter=round%20eq%20${round}&$top=50`, { headers }],
    [`Soak()?$filter=round%20eq`, { headers }],
    ['Missing()', { headers }],
  ] as [string, RequestInit][]) {
    const answer = await handler(new Request(`${BASE}/${path}`, init));
    await answer.text();
    if (answer.status >= 500) throw new Error(`${path} was answered with ${answer.status}`);
  }
}

// Opens a second account, like another tab.
async function comeAndGo(place: Place): Promise<void> {
  const account = await openAt(place);
  const count = await account.tableClient('Soak').countEntities();
  if (count !== ROWS) throw new Error(`another account counted ${count} of ${ROWS}`);
  await account.close();
}
