/**
 * One request and its answer.
 *
 * @module
 */

import { abortError } from '../base/errors.js';
import type { AbortSignalLike } from '../base/platform.js';
import type { RemoteFetch, RemoteRequest, RemoteResponse } from './models.js';
import { withoutSecrets } from './secrets.js';

/** An answer, read to its end. */
export interface Received {
  readonly status: number;
  /** Whether the platform may hide headers of it. */
  readonly isCrossOrigin: boolean;
  readonly headers: RemoteResponse['headers'];
  /** The header of that name. */
  readonly date: string | null;
  readonly text: string;
}

/** There is no answer. The request may have taken effect nevertheless, unless it has not left. */
export interface Lost {
  readonly cause: unknown;
  readonly isUnsent?: boolean;
}

const FIRST_FETCH = globalThis.fetch;

/** The global `fetch`, which the app may replace. */
export const send: typeof fetch = (url, request) => globalThis.fetch(url, request);

// The service gives up a request after 30 seconds.
const TIMEOUT_MS = 60_000;

/**
 * Sends a request, and reads its answer.
 *
 * @throws the reason of the signal.
 */
export async function exchange(
  fetch: RemoteFetch,
  url: string,
  request: Omit<RemoteRequest, 'signal'>,
  signal: AbortSignalLike | undefined,
): Promise<Received | Lost> {
  const controller = new AbortController();
  const sent = { ...request, signal: controller.signal };
  // Not every function for requests minds its signal.
  const answered = async () => {
    const response = await fetch(url, sent);
    const { status, type, headers } = response;
    const date = headers.get('Date');
    return { status, isCrossOrigin: type === 'cors', headers, date, text: await response.text() };
  };
  try {
    return await within(TIMEOUT_MS, signal, answered());
  } catch (cause) {
    if (signal?.aborted) throw cause;
    // What another function has done before its error, nobody knows.
    const isOwn = fetch === send && globalThis.fetch === FIRST_FETCH;
    return { cause: withoutSecrets(cause), isUnsent: isOwn && hasNotLeft(cause) };
  } finally {
    controller.abort();
  }
}

// Node says that it has found no address, or made no connection. Browsers do not.
function hasNotLeft(error: unknown): boolean {
  interface SystemError {
    syscall?: string;
    errors?: SystemError[];
  }
  const { cause } = Object(error) as { cause?: SystemError };
  // Of a server with several addresses, each was tried.
  const all = cause?.errors?.length ? cause.errors : [cause];
  return all.every((one) => one?.syscall === 'connect' || one?.syscall === 'getaddrinfo');
}

/**
 * Waits.
 *
 * @throws the reason of the signal.
 */
export async function pause(ms: number, signal: AbortSignalLike | undefined): Promise<void> {
  try {
    await within(ms, signal, new Promise<never>(() => {}));
  } catch (cause) {
    if (signal?.aborted) throw cause;
  }
}

/**
 * Waits for something, though not longer than its caller.
 *
 * @param ms - how long at most; without limit, if it is missing.
 * @throws the reason of the signal; a `TimeoutError`; the error of `work`.
 */
export async function within<T>(
  ms: number | undefined,
  signal: AbortSignalLike | undefined,
  work: Promise<T>,
): Promise<T> {
  const over = new AbortController();
  try {
    return await Promise.race([work, ending(ms, signal, over.signal)]);
  } catch (error) {
    throw signal?.aborted ? abortError(signal) : error;
  } finally {
    over.abort();
  }
}

// Rejects after a time, or when the signal fires. It stops to wait when `over` fires.
function ending(
  ms: number | undefined,
  signal: AbortSignalLike | undefined,
  over: AbortSignal,
): Promise<never> {
  return new Promise((_, reject) => {
    const onAbort = () => reject(new DOMException('The call was aborted.', 'AbortError'));
    const onTimeout = () => {
      reject(new DOMException(`There was no answer for ${ms! / 1000} seconds.`, 'TimeoutError'));
    };
    const timer = ms === undefined ? undefined : setTimeout(onTimeout, ms);
    if (signal?.aborted) onAbort();
    else signal?.addEventListener('abort', onAbort);
    // eslint-disable-next-line entitable/abort-listeners -- it fires only after this call
    over.addEventListener('abort', () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    });
  });
}
