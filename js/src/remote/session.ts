/**
 * Carries out operations by requests of the REST API.
 *
 * @module
 */

import { abortError, type TableError } from '../base/errors.js';
import type { AbortSignalLike } from '../base/platform.js';
import type { Answer, Operation } from '../core/frames.js';
import { answerOf, type ReadText } from './answer.js';
import { batchRequest } from './batch.js';
import type { Credentials } from './credentials.js';
import { exchange, pause, within, type Lost, type Received } from './exchange.js';
import { failureOf, unknownOutcome, type Failure } from './failure.js';
import { ContinuationCheck } from './hidden-headers.js';
import type { RemoteFetch } from './models.js';
import { MERGE, serviceRequest, type ServiceRequest } from './service-request.js';

/** What a session needs of an account. */
export interface RemoteSessionOptions {
  /** The address of the account, without a slash at the end. */
  readonly base: string;
  readonly credentials: Credentials;
  readonly fetch: RemoteFetch;
  /** How often a request is repeated. */
  readonly retries: number;
}

type Signal = AbortSignalLike | undefined;

// The first wait, and the longest one. Each is shortened at random by up to a half, so that clients
// which failed together do not come back together.
const FIRST_WAIT_MS = 800;
const MAX_WAIT_MS = 30_000;
// If the service asks for a longer wait, the call is rejected.
const MAX_RETRY_AFTER_MS = 60_000;

const VERSIONS = { DataServiceVersion: '3.0', 'x-ms-version': '2019-02-02' };

/** The requests of one account. */
export class RemoteSession {
  readonly #options: RemoteSessionOptions;
  readonly #continuations = new ContinuationCheck(
    async (operation, signal) => (await this.#carryOut(operation, signal)).answer,
  );

  constructor(options: RemoteSessionOptions) {
    this.#options = options;
  }

  /**
   * Carries out an operation.
   *
   * @throws {@link TableError} with the code of the service; `StorageUnavailable`, if there is no
   * answer of the service; `StorageOutcomeUnknown`, if a write may have taken effect;
   * `HeadersHidden`; the reason of the signal; the error of the function that gets credentials.
   */
  async request(operation: Operation, signal?: Signal): Promise<Answer> {
    return (await this.#carryOut(operation, signal)).answer;
  }

  /**
   * Carries out a read.
   *
   * @param readText - takes the body of the answer. If it throws, the answer counts as lost.
   * @throws {@link TableError} see `request()`.
   */
  async read(operation: Operation, signal: Signal, readText: ReadText): Promise<Answer> {
    const { answer, isCrossOrigin } = await this.#carryOut(operation, signal, readText);
    // eslint-disable-next-line entitable/arguments-before-await -- no operation changes
    if (isCrossOrigin) await this.#continuations.confirm(operation, answer, signal);
    return answer;
  }

  async #carryOut(operation: Operation, signal: Signal, readText?: ReadText) {
    const { base, retries } = this.#options;
    const { parts } = operation;
    const request = parts ? batchRequest(parts, base) : serviceRequest(operation);
    let mayBeDone = false;
    for (let repeats = 0; ; repeats++) {
      if (signal?.aborted) throw abortError(signal);
      const received = await this.#sendWithRenewal(request, signal);
      const isLost = 'cause' in received;
      const result = isLost ? failureOf(received) : answerOf(operation, received, readText);
      if ('status' in result) {
        return { answer: result, isCrossOrigin: !isLost && received.isCrossOrigin };
      }
      const isOver = repeats >= retries || result.retryAfterMs > MAX_RETRY_AFTER_MS;
      if (isOver || !result.mayPass) throw finalError(operation, result, mayBeDone);
      mayBeDone ||= !result.isRefusal;
      await pause(waitOf(repeats, result), signal);
    }
  }

  // With another credential, if the first one is not accepted.
  async #sendWithRenewal(request: ServiceRequest, signal: Signal): Promise<Received | Lost> {
    const { credentials } = this.#options;
    const { received, used } = await this.#send(request, signal);
    if ('cause' in received || ![401, 403].includes(received.status)) return received;
    const isNew = await within(undefined, signal, credentials.renew(used, received));
    if (!isNew) return received;
    return (await this.#send(request, signal)).received;
  }

  async #send({ method, path, query, headers, body }: ServiceRequest, signal: Signal) {
    const { base, credentials, fetch } = this.#options;
    const address = `${base}${path}?${['timeout=30', ...query].join('&')}`;
    const authorized = await within(undefined, signal, credentials.authorize(address));
    const { url, used, ...added } = authorized;
    const isMerge = method === MERGE;
    const tunnel: Record<string, string> = isMerge ? { 'X-HTTP-Method': MERGE } : {};
    const sent = {
      method: isMerge ? 'POST' : method,
      headers: { ...VERSIONS, ...headers, ...tunnel, ...added.headers },
      redirect: 'manual',
      ...(body !== undefined && { body }),
    } as const;
    const received = await exchange(fetch, url, sent, signal);
    if ('status' in received) credentials.setClock?.(received.headers.get('Date'));
    return { received, used };
  }
}

function waitOf(repeats: number, { retryAfterMs }: Failure): number {
  const longest = Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** repeats);
  return Math.max(retryAfterMs, longest * (1 - Math.random() / 2));
}

// Such a request is refused for its form each time.
const LASTING = [400, 413, 415, 501];
// Whichever try had the effect: the table exists, or does not.
const STATES_OF_TABLES = ['TableAlreadyExists', 'ResourceNotFound', 'TableNotFound'];

// `mayBeDone`: an earlier try may have taken effect.
function finalError(
  { kind }: Operation,
  { error, isRefusal }: Failure,
  mayBeDone: boolean,
): TableError {
  if (/^(get|query)/.test(kind)) return error;
  if (!isRefusal) return unknownOutcome(error);
  const isState = /Table$/.test(kind) && STATES_OF_TABLES.includes(error.code);
  const isClear = isState || LASTING.includes(error.statusCode);
  return mayBeDone && !isClear ? unknownOutcome(error) : error;
}
