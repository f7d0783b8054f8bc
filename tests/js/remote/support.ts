// support.ts - remote accounts over a handler of this process as "the cloud", and networks with
// faults.

import { expect, vi } from 'vitest';

import type { TableError } from '../../../js/src/base/errors.js';
import type { TableServiceClient } from '../../../js/src/client/table-service-client.js';
import {
  createTableHandler,
  DEVELOPMENT_ACCOUNT,
  type TableHandlerOptions,
} from '../../../js/src/http.js';
import {
  remoteAccount,
  type RemoteAccount,
  type RemoteAccountOptions,
  type RemoteFetch,
  type RemoteRequest,
} from '../../../js/src/remote.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { openForTest } from '../support/accounts.js';

export const { baseUrl: BASE, key: KEY, account: ACCOUNT } = DEVELOPMENT_ACCOUNT;

/** A request as it left. */
export interface Sent extends RemoteRequest {
  readonly url: string;
}

/** What happens to a request: it goes on by `next`, or does not. */
export type Fault = (sent: Sent, next: () => Promise<Response>) => Promise<Response>;

/** An account of this process, reached by its REST API. */
export interface Cloud {
  /** The account itself. */
  readonly local: TableServiceClient;
  readonly remote: RemoteAccount;
  /** All requests, from the first. */
  readonly sent: Sent[];
  /** One for each of the next requests. */
  readonly faults: Fault[];
}

export async function openCloud(
  options: Partial<RemoteAccountOptions> = {},
  handling: TableHandlerOptions = { authentication: 'anonymous' },
): Promise<Cloud> {
  const local = await openForTest({ storage: memoryStorage() });
  const handler = createTableHandler(local, handling);
  const sent: Sent[] = [];
  const faults: Fault[] = [];
  const fetch: RemoteFetch = (url, request) => {
    const { signal: _, ...plain } = request;
    const one = { ...request, url };
    sent.push(one);
    const next = () => handler(new Request(url, { ...plain, redirect: 'manual' }));
    return (faults.shift() ?? ((__, go) => go()))(one, next);
  };
  return { local, remote: remoteAccount({ url: BASE, fetch, ...options }), sent, faults };
}

/** The request has its effect, and its answer is lost. */
export const loseAnswer: Fault = async (_, next) => {
  await next();
  throw new TypeError('fetch failed');
};

/** The request never arrives. */
export const loseRequest: Fault = () => Promise.reject(new TypeError('fetch failed'));

/** Answers without the service. */
export const answerWith =
  (status: number, headers: Record<string, string> = {}, body: string | null = null): Fault =>
  () =>
    Promise.resolve(new Response(body, { status, headers }));

/** The service refuses. */
export const refusal = (
  status: number,
  code: string,
  headers: Record<string, string> = {},
): Fault =>
  answerWith(
    status,
    { 'Content-Type': 'application/json', ...headers },
    JSON.stringify({ 'odata.error': { code, message: { value: 'Refused.' } } }),
  );

export const serverBusy = (headers: Record<string, string> = {}): Fault =>
  refusal(503, 'ServerBusy', headers);

// As long as this, a signature may take on a busy machine. The clock that tests see stands still.
const SIGNATURE_MS = 3;
const realTimeout = globalThis.setTimeout;
const signatures = () => new Promise((resolve) => realTimeout(resolve, SIGNATURE_MS));

/** Waits of a call pass at once; real timers come back after it. */
export async function hurried<T>(call: () => Promise<T>): Promise<T> {
  vi.useFakeTimers();
  try {
    const result = call();
    result.catch(() => {});
    let isOver = false;
    const end = () => (isOver = true);
    result.then(end, end);
    await signatures();
    while (!isOver) {
      await vi.advanceTimersByTimeAsync(1000);
      await signatures();
    }
    return await result;
  } finally {
    vi.useRealTimers();
  }
}

/** The error with which a call ends whose waits pass at once. */
export async function hurriedError(call: () => Promise<unknown>): Promise<TableError> {
  return await hurried(async () => {
    try {
      await call();
    } catch (error) {
      expect(error).toHaveProperty('name', 'TableError');
      return error as TableError;
    }
    throw new Error('This call had to fail, and did not.');
  });
}
