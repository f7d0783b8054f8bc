/**
 * Carries out operations by requests of the REST API.
 *
 * @module
 */

import { abortError, type TableError } from '../base/errors.js';
import type { AbortSignalLike } from '../base/platform.js';
import type { Answer, Operation } from '../core/frames.js';
import { positionOf } from '../core/page-position.js';
import { answerOf, type ReadText } from './answer.js';
import { batchRequest } from './batch.js';
import { pause } from './exchange.js';
import { failureOf, unknownOutcome, type Failure } from './failure.js';
import { ContinuationCheck } from './hidden-headers.js';
import { serviceRequest } from './service-request.js';
import type { RemoteTransport } from './transport.js';

type Signal = AbortSignalLike | undefined;

// The first wait, and the longest one. Each is shortened at random by up to a half, so that clients
// which failed together do not come back together.
const FIRST_WAIT_MS = 800;
const MAX_WAIT_MS = 30_000;
// If the service asks for a longer wait, the call is rejected.
const MAX_RETRY_AFTER_MS = 60_000;

/** The requests of one account. */
export class RemoteSession {
  readonly #transport: RemoteTransport;
  readonly #retries: number;
  readonly #continuations = new ContinuationCheck();

  /** @param retries - how often a request is repeated. */
  constructor(transport: RemoteTransport, retries: number) {
    this.#transport = transport;
    this.#retries = retries;
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
    if (isCrossOrigin) await this.#checkContinuation(operation, answer, signal);
    return answer;
  }

  async #checkContinuation({ kind, table }: Operation, answer: Answer, signal: Signal) {
    const isEntities = kind === 'queryEntities';
    if (this.#continuations.isSure || (!isEntities && kind !== 'queryTables')) return;
    const select = isEntities ? 'PartitionKey' : undefined;
    const first = (top: string) => this.request({ kind, table, select, top }, signal);
    await this.#continuations.confirm(
      positionOf(answer) !== undefined,
      async () => positionOf(await first('1')) !== undefined,
      async () => {
        const { body = '' } = await first('2');
        return (JSON.parse(body) as { value: unknown[] }).value.length > 1;
      },
    );
  }

  async #carryOut(operation: Operation, signal: Signal, readText?: ReadText) {
    const { base } = this.#transport;
    const { parts } = operation;
    const request = parts ? batchRequest(parts, base) : serviceRequest(operation);
    let mayBeDone = false;
    for (let repeats = 0; ; repeats++) {
      if (signal?.aborted) throw abortError(signal);
      const received = await this.#transport.exchange(request, signal);
      const isLost = 'cause' in received;
      const result = isLost ? failureOf(received) : answerOf(operation, received, readText);
      if ('status' in result) {
        return { answer: result, isCrossOrigin: !isLost && received.isCrossOrigin };
      }
      const isOver = repeats >= this.#retries || result.retryAfterMs > MAX_RETRY_AFTER_MS;
      if (isOver || !result.mayPass) throw finalError(operation, result, mayBeDone);
      mayBeDone ||= !result.isRefusal;
      await pause(waitOf(repeats, result), signal);
    }
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
