/**
 * The metrics of a server, in the text format of Prometheus.
 *
 * @module
 */

import process from 'node:process';

/** Their path. No account has the name `-`, so there is no table at it. */
export const METRICS_PATH = '/-/metrics';

/** Whether a request asks for them. It needs no signature: no name and no key is in them. */
export function asksForMetrics(method: string | undefined, target = ''): boolean {
  return (method === 'GET' || method === 'HEAD') && target.split('?', 1)[0] === METRICS_PATH;
}

/** A request that has ended. */
export interface CountedRequest {
  readonly method: string | undefined;
  readonly target: string | undefined;
  /** Undefined: the client has gone before its answer. */
  readonly status: number | undefined;
  readonly seconds: number;
  /** Of the bodies. */
  readonly bytesIn: number;
  readonly bytesOut: number;
}

// In seconds: a read from memory takes less than the first, and a client gives up at the last.
const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'MERGE', 'DELETE', 'OPTIONS'];

/** Counts the requests of one server. */
export class ServerMetrics {
  readonly #requests = new Map<string, number>();
  readonly #latencies = new Array<number>(BOUNDS.length + 1).fill(0);
  #seconds = 0;
  #bytesIn = 0;
  #bytesOut = 0;

  add({ method = '', target, status, seconds, bytesIn, bytesOut }: CountedRequest): void {
    // Clients may send any word as a method.
    const known = METHODS.includes(method) ? method : 'other';
    const labels = `method="${known}",resource="${resourceOf(target)}",status="${status ?? 'aborted'}"`;
    this.#requests.set(labels, (this.#requests.get(labels) ?? 0) + 1);
    const bound = BOUNDS.findIndex((one) => seconds <= one);
    this.#latencies[bound < 0 ? BOUNDS.length : bound]!++;
    this.#seconds += seconds;
    this.#bytesIn += bytesIn;
    this.#bytesOut += bytesOut;
  }

  /** All of them as text. */
  text(): string {
    const lines = [
      ...head('entitable_requests_total', 'counter', 'Requests that have ended.'),
      ...[...this.#requests].map(([labels, n]) => `entitable_requests_total{${labels}} ${n}`),
      ...this.#histogram(),
      ...head('entitable_request_bytes_total', 'counter', 'Bytes of the bodies of requests.'),
      `entitable_request_bytes_total ${this.#bytesIn}`,
      ...head('entitable_response_bytes_total', 'counter', 'Bytes of the bodies of answers.'),
      `entitable_response_bytes_total ${this.#bytesOut}`,
      ...head('process_resident_memory_bytes', 'gauge', 'Memory of the process.'),
      `process_resident_memory_bytes ${process.memoryUsage.rss()}`,
    ];
    return `${lines.join('\n')}\n`;
  }

  #histogram(): string[] {
    const name = 'entitable_request_duration_seconds';
    let count = 0;
    const buckets = [...BOUNDS, '+Inf'].map((bound, at) => {
      count += this.#latencies[at]!;
      return `${name}_bucket{le="${bound}"} ${count}`;
    });
    return [
      ...head(name, 'histogram', 'From the head of a request to the end of its answer.'),
      ...buckets,
      `${name}_sum ${this.#seconds}`,
      `${name}_count ${count}`,
    ];
  }
}

const head = (name: string, type: string, help: string) => [
  `# HELP ${name} ${help}`,
  `# TYPE ${name} ${type}`,
];

// The kind of what the path names, behind the account. Names of tables are not shown.
function resourceOf(target = ''): string {
  const path = target.replace(/^[a-z]+:\/\/[^/?#]*/i, '').split('?', 1)[0]!;
  const name = /^\/[^/]*\/(.+)$/.exec(path)?.[1];
  if (name === undefined) return 'service';
  if (name === '$batch') return 'batch';
  if (/^Tables(\(|$)/.test(name)) return 'tables';
  return /\(.+\)$/.test(name) ? 'entity' : 'entities';
}
