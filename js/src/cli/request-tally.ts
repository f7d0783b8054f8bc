/**
 * Tells the log and the metrics of a request that has ended.
 *
 * @module
 */

import type { IncomingMessage } from 'node:http';

import { requestLine } from './log.js';
import type { ServerMetrics } from './metrics.js';

/** The log line of a request: "2024-01-02T03:04:05.678Z GET /Tables 200 1.2 ms". */
export type RequestLog = (line: string) => void;

interface Takers {
  readonly log?: RequestLog | undefined;
  readonly metrics?: ServerMetrics | undefined;
}

/** What the log and the metrics say of a request. It begins when its head has come. */
export class RequestTally {
  readonly #takers: Takers;
  readonly #message: IncomingMessage;
  readonly #start = performance.now();
  /** Of the body, if it was read. */
  bytesIn = 0;

  constructor(takers: Takers, message: IncomingMessage) {
    this.#takers = takers;
    this.#message = message;
  }

  /** Milliseconds since its head. */
  get ms(): number {
    return performance.now() - this.#start;
  }

  /**
   * Notes the request.
   *
   * @param outcome - for the log.
   * @param status - undefined: the client has gone.
   * @param bytesOut - of the body of the answer.
   */
  end(outcome: string, status?: number, bytesOut = 0): void {
    const { method, url: target } = this.#message;
    const { log, metrics } = this.#takers;
    log?.(requestLine({ method, target, outcome }));
    metrics?.add({
      ...{ method, target, status, bytesIn: this.bytesIn, bytesOut },
      seconds: this.ms / 1000,
    });
  }
}
