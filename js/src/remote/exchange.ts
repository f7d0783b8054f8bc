/**
 * One request and its answer.
 *
 * @module
 */

import { abortError } from '../base/errors.js';
import type { AbortSignalLike } from '../base/platform.js';
import type { RemoteFetch, RemoteRequest, RemoteResponse } from './models.js';

/** An answer, read to its end. */
export interface Received {
  readonly status: number;
  /** Whether the platform may hide headers of it. */
  readonly isCrossOrigin: boolean;
  readonly headers: RemoteResponse['headers'];
  readonly text: string;
}

/** There is no answer. The request may have taken effect nevertheless. */
export interface Lost {
  readonly cause: unknown;
}

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
  const answered = async () => {
    const response = await fetch(url, sent);
    const { status, type, headers } = response;
    return { status, isCrossOrigin: type === 'cors', headers, text: await response.text() };
  };
  try {
    // Not every function for requests minds its signal.
    return await Promise.race([answered(), ending(TIMEOUT_MS, signal, controller.signal)]);
  } catch (cause) {
    if (signal?.aborted) throw abortError(signal);
    return { cause };
  } finally {
    // Also ends the wait for the end.
    controller.abort();
  }
}

/**
 * Waits.
 *
 * @throws the reason of the signal.
 */
export async function pause(ms: number, signal: AbortSignalLike | undefined): Promise<void> {
  const over = new AbortController();
  try {
    await ending(ms, signal, over.signal);
  } catch {
    if (signal?.aborted) throw abortError(signal);
  } finally {
    over.abort();
  }
}

// Rejects after a time, or when the signal fires. It stops to wait when `over` fires.
function ending(
  ms: number,
  signal: AbortSignalLike | undefined,
  over: AbortSignal,
): Promise<never> {
  return new Promise((_, reject) => {
    const onAbort = () => reject(new DOMException('The call was aborted.', 'AbortError'));
    const timer = setTimeout(() => {
      reject(new DOMException(`There was no answer for ${ms / 1000} seconds.`, 'TimeoutError'));
    }, ms);
    if (signal?.aborted) onAbort();
    else signal?.addEventListener('abort', onAbort);
    // eslint-disable-next-line entitable/abort-listeners -- it fires only after this call
    over.addEventListener('abort', () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    });
  });
}
