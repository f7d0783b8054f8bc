// A remote account in the same program, replicas of it, and faults in between.

import { onTestFinished, vi } from 'vitest';

import { createTableHandler } from '../../../js/src/http.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { syncTables, type SyncOptions, type SyncTableOptions } from '../../../js/src/sync.js';
import type { AccountOptions } from '../../../js/src/client/open-account.js';
import { collect, openForTest } from '../support/accounts.js';
import { syncWasmBytes } from '../support/wasm.js';

export const URL = 'http://127.0.0.1:10002/devstoreaccount1';

type Fetch = NonNullable<SyncOptions['remote']['fetch']>;

/** What becomes of the next requests: a fault calls `next` to let one through. */
export type Fault = (request: Request, next: () => Promise<Response>) => Promise<Response>;

/** An account behind the REST API. */
export async function openCloud() {
  const local = await openForTest({ storage: memoryStorage() });
  await local.createTable('Todos');
  const handler = createTableHandler(local, { authentication: 'anonymous' });
  const faults: Fault[] = [];
  const sent: Request[] = [];
  const fetch: Fetch = async (url, init) => {
    const request = new Request(url, init as RequestInit);
    sent.push(request);
    const next = () => handler(request);
    const fault = faults.shift();
    return await (fault ? fault(request, next) : next());
  };
  return { local, todos: local.tableClient('Todos'), fetch, faults, sent };
}

export type Cloud = Awaited<ReturnType<typeof openCloud>>;

/** An account that syncs the table `Todos` with it. */
export async function openReplica(
  { fetch }: Pick<Cloud, 'fetch'>,
  options: SyncTableOptions = {},
  accountOptions: AccountOptions = { storage: memoryStorage() },
) {
  const account = await openForTest({ wasm: await syncWasmBytes(), ...accountOptions });
  await account.createTable('Todos');
  const sync = syncTables(account, { remote: { url: URL, fetch }, tables: { Todos: options } });
  onTestFinished(() => sync.stop());
  return { account, sync, todos: account.tableClient('Todos') };
}

/**
 * A replica behind something that intercepts its requests. It collects the keys and reasons of
 * warnings.
 */
export async function openBehind(
  cloud: Pick<Cloud, 'fetch'>,
  intercept: Fault,
  options?: SyncTableOptions,
) {
  const fetch: Fetch = (url, init) =>
    intercept(
      new Request(url, init as RequestInit),
      () => cloud.fetch(url, init) as Promise<Response>,
    );
  const replica = await openReplica({ fetch }, options);
  const warnings: string[] = [];
  replica.sync.onWarning(({ rowKey, reason }) => warnings.push(`${rowKey}: ${reason}`));
  return { ...replica, warnings };
}

/** Collects the errors of listeners. They are thrown to the platform in a timer without a delay. */
export function uncaughtErrors(): readonly unknown[] {
  const errors: unknown[] = [];
  const { setTimeout: real } = globalThis;
  const timers = vi.spyOn(globalThis, 'setTimeout').mockImplementation(((
    work: () => void,
    ms?: number,
  ) => {
    if (ms !== undefined) return real(work, ms);
    try {
      work();
    } catch (error) {
      errors.push(error);
    }
    return undefined;
  }) as never);
  onTestFinished(() => timers.mockRestore());
  return errors;
}

type Row = Record<string, unknown>;

/** The rows of a table without etags and timestamps, by their keys. */
export async function rowsOf(table: { listEntities(): AsyncIterable<Row> }) {
  const rows = await collect(table.listEntities());
  return rows.map(({ etag: _, timestamp: __, ...row }) => row);
}

export const lost: Fault = () => Promise.reject(new TypeError('Failed to fetch'));
export const answerLost: Fault = async (_, next) => {
  await next();
  throw new TypeError('Failed to fetch');
};

/** Faults that refuse the row with this key for good, and let all others through. */
export const refusing = (rowKey: string): Fault[] =>
  Array<Fault>(12).fill(async (request, next) => {
    const text = await request.clone().text();
    if (!text.includes(rowKey)) return await next();
    const error = { code: 'InvalidInput', message: { value: 'No.' } };
    const headers = { 'Content-Type': 'application/json' };
    return new Response(JSON.stringify({ 'odata.error': error }), { status: 400, headers });
  });

/** An answer with an error of the service. */
export const refusal = (status: number, code: string) =>
  Promise.resolve(
    Response.json(
      { 'odata.error': { code, message: { lang: 'en-US', value: 'No.' } } },
      { status, headers: { 'x-ms-error-code': code } },
    ),
  );

/** Whether a request sends rows. */
export const isPush = ({ method }: Request) => method === 'POST';

/** Sets a faked clock forward. */
export const advance = (minutes: number) => vi.setSystemTime(Date.now() + minutes * 60_000);
