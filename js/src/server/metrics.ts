/**
 * The metrics of a server, in the text format of Prometheus.
 *
 * @module
 */

import process from 'node:process';

import type { ServedRequest } from './log.js';
import { DurationHistogram, metricLines } from './metric-text.js';
import { StorageTally } from './storage-tally.js';

/** Their path. No account has the name `-`, so there is no table at it. */
export const METRICS_PATH = '/-/metrics';

/** Whether a request asks for them. It needs no signature: no name and no key is in them. */
export function asksForMetrics(method: string | undefined, target = ''): boolean {
  return (method === 'GET' || method === 'HEAD') && target.split('?', 1)[0] === METRICS_PATH;
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'MERGE', 'DELETE', 'OPTIONS'];

/** What the metrics take of a request. */
export type CountedRequest = Pick<
  ServedRequest,
  'method' | 'target' | 'status' | 'ms' | 'bytesIn' | 'bytesOut'
>;

/** The metrics of one server. */
export class ServerMetrics {
  readonly storage = new StorageTally();
  readonly #requests = new Map<string, number>();
  readonly #latencies = new DurationHistogram();
  #bytesIn = 0;
  #bytesOut = 0;

  /** @param isAccountInHost - whether the target has no account in it. */
  add(
    { method, target, status, ms, bytesIn, bytesOut }: CountedRequest,
    isAccountInHost = false,
  ): void {
    // Clients may send any word as a method.
    const known = METHODS.includes(method) ? method : 'other';
    const resource = resourceOf(target, isAccountInHost);
    const labels = `method="${known}",resource="${resource}",status="${status ?? 'aborted'}"`;
    this.#requests.set(labels, (this.#requests.get(labels) ?? 0) + 1);
    this.#latencies.add(ms);
    this.#bytesIn += bytesIn;
    this.#bytesOut += bytesOut;
  }

  /** All of them as text. */
  text(): string {
    const lines = [
      ...metricLines(
        'counter',
        'entitable_requests_total',
        'Requests that have ended.',
        this.#requests,
      ),
      ...this.#latencies.lines(
        'entitable_request_duration_seconds',
        'From the head of a request to the end of its answer.',
      ),
      ...metricLines(
        'counter',
        'entitable_request_bytes_total',
        'Bytes of the bodies of requests.',
        this.#bytesIn,
      ),
      ...metricLines(
        'counter',
        'entitable_response_bytes_total',
        'Bytes of the bodies of answers.',
        this.#bytesOut,
      ),
      ...this.storage.lines(),
      ...processLines(),
    ];
    return `${lines.join('\n')}\n`;
  }
}

function processLines(): string[] {
  const { user, system } = process.cpuUsage();
  return [
    ...metricLines(
      'gauge',
      'process_resident_memory_bytes',
      'Memory of the process.',
      process.memoryUsage.rss(),
    ),
    ...metricLines(
      'counter',
      'process_cpu_seconds_total',
      'Time of processors that the process has used.',
      (user + system) / 1e6,
    ),
    ...metricLines(
      'gauge',
      'process_start_time_seconds',
      'When the process was started, in seconds since 1970.',
      performance.timeOrigin / 1000,
    ),
  ];
}

// The kind of what the path names, behind the account. Names of tables are not shown.
function resourceOf(target: string, isAccountInHost: boolean): string {
  const path = target.replace(/^[a-z]+:\/\/[^/?#]*/i, '').split('?', 1)[0]!;
  const name = (isAccountInHost ? /^\/(.+)$/ : /^\/[^/]*\/(.+)$/).exec(path)?.[1];
  if (name === undefined) return 'service';
  if (name === '$batch') return 'batch';
  if (/^Tables(\(|$)/.test(name)) return 'tables';
  return /\(.+\)$/.test(name) ? 'entity' : 'entities';
}
