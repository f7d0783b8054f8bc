/**
 * Notes how a request has ended.
 *
 * @module
 */

import type { IncomingMessage } from 'node:http';

import type { HttpAnswer } from '../../http.js';
import { maskedTarget, type ServedRequest } from '../log.js';
import type { ServerMetrics } from '../metrics.js';

/** Takes each request that has ended. */
export type RequestLog = (request: ServedRequest) => void;

interface Takers {
  readonly log?: RequestLog | undefined;
  readonly metrics?: ServerMetrics | undefined;
}

// As the service limits it. A longer one is refused, and the log has its beginning.
const CLIENT_ID_CHARACTERS = 1024;

/** What the log and the metrics say of a request. It begins when its head has come. */
export class RequestTally {
  readonly #takers: Takers;
  readonly #message: IncomingMessage;
  readonly #start = performance.now();
  /** Of the body, if it was read. */
  bytesIn = 0;
  /** The account that the host names, and not the path. */
  accountInHost: string | undefined;

  constructor(takers: Takers, message: IncomingMessage) {
    this.#takers = takers;
    this.#message = message;
  }

  /**
   * Notes the request.
   *
   * @param answer - undefined: the client has gone.
   */
  end(answer?: HttpAnswer): void {
    const { log, metrics } = this.#takers;
    if (!log && !metrics) return;
    const { method = '', url = '', headers } = this.#message;
    const clientRequestId = headers['x-ms-client-request-id'] as string | undefined;
    const request: ServedRequest = {
      time: new Date(),
      method,
      target: maskedTarget(url),
      status: answer?.status,
      errorCode: answer && errorCodeOf(answer, url),
      ms: performance.now() - this.#start,
      bytesIn: this.bytesIn,
      bytesOut: method === 'HEAD' ? 0 : (answer?.body.length ?? 0),
      requestId: headerOf(answer, 'x-ms-request-id'),
      clientRequestId: clientRequestId?.slice(0, CLIENT_ID_CHARACTERS),
    };
    log?.(request);
    metrics?.add(request, this.accountInHost !== undefined);
  }
}

// So many bytes have the code of an error. In an answer to a batch, headers come before it.
const BYTES_WITH_CODE = 1024;

// JSON has the code at its beginning, XML in a header. The answer to a batch with an error has the
// status 202.
function errorCodeOf(answer: HttpAnswer, target: string): string | undefined {
  const code = headerOf(answer, 'x-ms-error-code');
  const mayHaveCode = answer.status >= 400 || target.split('?', 1)[0]!.endsWith('/$batch');
  if (code !== undefined || !mayHaveCode) return code;
  const text = Buffer.from(answer.body.subarray(0, BYTES_WITH_CODE)).toString('latin1');
  return /\{"odata\.error":\{"code":"(\w+)"/.exec(text)?.[1];
}

const headerOf = (answer: HttpAnswer | undefined, name: string) =>
  answer?.headers.find(([other]) => other === name)?.[1];
