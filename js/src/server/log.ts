/**
 * What the log of a server says of a request: a line for people, or an object for programs.
 *
 * @module
 */

import { printable } from './printable.js';

/** A request that a server has answered, or whose client has gone. */
export interface ServedRequest {
  /** When it ended. */
  readonly time: Date;
  readonly method: string;
  /** Path and query, as the client sent them. Signatures in it are masked. */
  readonly target: string;
  /** Undefined: the client has gone before its answer. */
  readonly status: number | undefined;
  /** The code of the service, if the answer is an error, or that of a batch with one. */
  readonly errorCode: string | undefined;
  /** Milliseconds from its head to the end of its answer. */
  readonly ms: number;
  /** Bytes of its body. */
  readonly bytesIn: number;
  /** Bytes of the body of its answer. */
  readonly bytesOut: number;
  /** The `x-ms-request-id` of its answer. */
  readonly requestId: string | undefined;
  /** The `x-ms-client-request-id` that the client sent. */
  readonly clientRequestId: string | undefined;
}

/** "2024-01-02T03:04:05.678Z GET /Tables 200 1.2 ms". */
export function requestLine({ time, method, target, status, ms }: ServedRequest): string {
  const outcome = status === undefined ? 'aborted' : `${status} ${ms.toFixed(1)} ms`;
  return `${time.toISOString()} ${method} ${printable(target)} ${outcome}`;
}

/** How much an event of the log matters. */
export type LogLevel = 'info' | 'warning' | 'error';

/** One JSON object. Members that are undefined are left out. */
export function logObject(time: Date, level: LogLevel, event: string, members: object): string {
  return JSON.stringify({ time: time.toISOString(), level, event, ...members });
}

/** The JSON object of a request. */
export function requestObject(request: ServedRequest): string {
  const { time, target, status, ms, ...others } = request;
  const mark = target.indexOf('?');
  const [path, query] = mark < 0 ? [target] : [target.slice(0, mark), target.slice(mark + 1)];
  return logObject(time, (status ?? 0) < 500 ? 'info' : 'error', 'request', {
    ...{ method: others.method, path, query },
    ...(status === undefined ? { aborted: true } : { status }),
    ms: Number(ms.toFixed(1)),
    ...others,
  });
}

/** The target without what a reader of the log could use: the signature of a request. */
export function maskedTarget(target: string): string {
  const mark = target.indexOf('?');
  if (mark < 0) return maskedPath(target);
  const pairs = target.slice(mark + 1).split('&');
  return `${maskedPath(target.slice(0, mark))}?${pairs.map(masked).join('&')}`;
}

// A client that encodes the whole address by mistake has the signature in the path. An absolute
// address may have a password.
const maskedPath = (path: string) =>
  path
    .replace(/((?:&|%26|%3f)sig(?:=|%3d)).*?(?=&|%26|$)/gi, '$1***')
    .replace(/^([a-z]+:\/\/)[^/]*@/i, '$1***@');

function masked(pair: string): string {
  const [name = ''] = pair.split('=', 1);
  return isSecret(name) ? `${name}=***` : pair;
}

// A name that cannot be decoded is masked, too, though it has no effect.
function isSecret(name: string): boolean {
  try {
    return decodeURIComponent(name.replaceAll('+', ' ')).trim().toLowerCase() === 'sig';
  } catch {
    return true;
  }
}
