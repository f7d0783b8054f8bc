/**
 * Finds heads of requests that the server refuses at once.
 *
 * @module
 */

import type { IncomingMessage } from 'node:http';

import type { HostCheck } from './hosts.js';

/** The size of a head, with the address: filters are in the address, and may be long. */
export const MAX_HEAD_BYTES = 128 * 1024;

/** A browser sends about 20, and proxies add some. */
export const MAX_HEADERS = 200;

/** The reason of a refusal. */
export interface HeadProblem {
  readonly status: number;
  readonly text: string;
}

/** @returns undefined, if the head is valid. */
export function problemOfHead(
  { url = '', rawHeaders }: IncomingMessage,
  allowsHost: HostCheck | undefined,
): HeadProblem | undefined {
  if (rawHeaders.length / 2 > MAX_HEADERS) {
    return { status: 431, text: `A request may have at most ${MAX_HEADERS} headers.` };
  }
  const hosts = hostsIn(rawHeaders);
  const host = hostOf({ url, rawHeaders });
  if (hosts.length !== 1 || hosts[0] === '' || !host) {
    return {
      status: 400,
      text: 'A request must have one Host header with the name of the server.',
    };
  }
  if (!allowsHost || allowsHost(host)) return undefined;
  return { status: 421, text: 'This server does not answer to that host name: see --allow-host.' };
}

/** The host that a request is for: that of an absolute address replaces the header. */
export const hostOf = ({ url = '', rawHeaders }: Pick<IncomingMessage, 'url' | 'rawHeaders'>) =>
  /^[a-z]+:\/\/([^/?#]*)/i.exec(url)?.[1] ?? hostsIn(rawHeaders)[0];

function hostsIn(rawHeaders: readonly string[]): string[] {
  const isHost = (name = '') => name.length === 4 && name.toLowerCase() === 'host';
  return rawHeaders.filter((_, at) => at % 2 === 1 && isHost(rawHeaders[at - 1]));
}
