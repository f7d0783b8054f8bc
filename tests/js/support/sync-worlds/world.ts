// world.ts - two replicas and a cloud, whose requests are counted, and one of which fails.

import { expect, vi } from 'vitest';

import { isTableError } from '../../../../js/src/base/errors.js';
import type { TableClient } from '../../../../js/src/client/table-client.js';
import { createTableHandler } from '../../../../js/src/http.js';
import { openAccount } from '../../../../js/src/index.js';
import { memoryStorage } from '../../../../js/src/storage/memory.js';
import { syncTables, type AccountSync, type SyncOptions } from '../../../../js/src/sync.js';
import { collect } from '../accounts.js';
import { syncWasmBytes } from '../wasm.js';
import { endOf, type Rows, type Step, type Writer } from './script.js';

const URL = 'http://127.0.0.1:10002/devstoreaccount1';
const TABLE = 'Todos';
const MOST_ROUNDS = 12;

/**
 * What becomes of a request: it does not arrive; its answer does not, or breaks off; the service
 * does not carry it out, and says so; or it does, and says that it does not know.
 */
export const FATES = ['lost', 'unanswered', 'cut', '500', '503', '412', 'timed out'] as const;
export type Fate = (typeof FATES)[number];

/** The request, counted from 1, that meets a fate. */
export interface Fault {
  readonly request: number;
  readonly fate: Fate;
}

const CODES = { '500': 'InternalError', '503': 'ServerBusy', '412': 'UpdateConditionNotSatisfied' };

function refusal(status: number, code: string): Response {
  const error = { 'odata.error': { code, message: { lang: 'en-US', value: 'No.' } } };
  return Response.json(error, { status, headers: { 'x-ms-error-code': code } });
}

async function met(fate: Fate, next: () => Promise<Response>): Promise<Response> {
  if (fate === 'lost') throw new TypeError('Failed to fetch');
  if (fate === '500' || fate === '503' || fate === '412') return refusal(Number(fate), CODES[fate]);
  const answer = await next();
  if (fate === 'unanswered') throw new TypeError('Failed to fetch');
  if (fate === 'timed out') return refusal(500, 'OperationTimedOut');
  const body = new ReadableStream({ start: (stream) => stream.error(new TypeError('cut')) });
  return new Response(answer.body && body, answer);
}

type Fetch = NonNullable<SyncOptions['remote']['fetch']>;

async function open(wasm?: Uint8Array<ArrayBuffer>) {
  const account = await openAccount({ storage: memoryStorage(), ...(wasm && { wasm }) });
  await account.createTable(TABLE);
  return { account, table: account.tableClient(TABLE) };
}

/** Lives through a script. Returns the number of its requests. */
export async function liveThrough(steps: readonly Step[], fault?: Fault): Promise<number> {
  const cloud = await open();
  const handler = createTableHandler(cloud.account, { authentication: 'anonymous' });
  let requests = 0;
  const fetch: Fetch = async (url, init) => {
    const request = new Request(url, init as RequestInit);
    const next = () => handler(request);
    const answer = ++requests === fault?.request ? met(fault.fate, next) : next();
    await answer.catch(() => undefined);
    await checkPairs(cloud.table);
    return await answer;
  };
  const wasm = (await syncWasmBytes()) as Uint8Array<ArrayBuffer>;
  const replica = async () => {
    const opened = await open(wasm);
    const remote = { url: URL, fetch, retries: 0 };
    return { ...opened, sync: syncTables(opened.account, { remote, tables: { [TABLE]: {} } }) };
  };
  const [one, two] = [await replica(), await replica()];
  const tables: Record<Writer, TableClient> = {
    one: one.table,
    two: two.table,
    cloud: cloud.table,
  };
  const syncs = { one: one.sync, two: two.sync };

  for (const step of steps) {
    if (step.kind === 'wait') vi.setSystemTime(Date.now() + 3 * 60_000);
    else if (step.kind === 'sync') await synced(syncs[step.by as 'one' | 'two']);
    else await write(tables[step.by], step);
  }
  await settle([one, two]);
  const expected = inText(endOf(steps));
  for (const [writer, table] of Object.entries(tables)) {
    expect(inText(await rowsOf(table)), writer).toEqual(expected);
  }
  for (const { sync } of [one, two]) await sync.stop();
  for (const { account } of [one, two, cloud]) await account.close();
  return requests;
}

// Nobody sees one row of a transaction without the other.
async function checkPairs(table: TableClient): Promise<void> {
  const rows = await rowsOf(table);
  for (const [row, values] of rows) {
    if (row.endsWith(' a')) expect(rows.get(row.replace(/a$/, 'b')), row).toEqual(values);
  }
}

async function write(table: TableClient, step: Exclude<Step, { kind: 'sync' | 'wait' }>) {
  const keys = (rowKey: string) => ({ partitionKey: 'p', rowKey });
  const { by, value } = step;
  switch (step.kind) {
    case 'put':
      return await table.upsertEntity({ ...keys(step.row), v: value }, 'Replace');
    case 'merge':
      return await table.upsertEntity({ ...keys(step.row), w: value }, 'Merge');
    case 'share':
      return await table.upsertEntity({ ...keys(step.row), [by]: value }, 'Merge');
    case 'delete':
      return await table.deleteEntity('p', step.row).catch((error: unknown) => {
        if (!isTableError(error) || error.code !== 'ResourceNotFound') throw error;
      });
    case 'pair':
      return await table.submitTransaction(
        ['a', 'b'].map((side) => ['upsert', { ...keys(`${by} ${side}`), v: value }]),
      );
  }
}

/** One round, which may fail for what is between here and the cloud. */
async function synced(sync: AccountSync): Promise<void> {
  try {
    await sync.once();
  } catch (error) {
    if (!isTableError(error)) throw error;
  }
}

// Time passes until everything is sent and fetched.
async function settle(replicas: readonly { sync: AccountSync }[]): Promise<void> {
  for (let round = 0; round < MOST_ROUNDS; round++) {
    vi.setSystemTime(Date.now() + 20 * 60_000);
    for (const { sync } of replicas) await synced(sync);
    const pending = await Promise.all(replicas.map(({ sync }) => sync.pending(TABLE)));
    if (round >= 2 && pending.flat().length === 0) return;
  }
  throw new Error('It does not end.');
}

async function rowsOf(table: TableClient): Promise<Rows> {
  const rows: Rows = new Map();
  for (const { rowKey, partitionKey: _, etag: __, timestamp: ___, ...values } of await collect(
    table.listEntities(),
  )) {
    rows.set(rowKey, values as Record<string, number>);
  }
  return rows;
}

const inText = (rows: Rows): string[] =>
  Array.from(rows, ([row, values]) => {
    const texts = Object.entries(values).map(([name, value]) => `${name}=${value}`);
    return `${row}: ${texts.sort().join()}`;
  }).sort();
