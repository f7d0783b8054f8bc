// fault-proxy.ts - a server between a page and a remote account that loses requests and answers.

import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { onTestFinished } from 'vitest';

/** A request that the proxy has received. */
export interface Passing {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly body: string;
}

/** What becomes of a request: it calls `forward`, or not, and tells what the page gets. */
export type Fault = (request: Passing, forward: () => Promise<Answer>) => Promise<Answer | 'lost'>;

export interface Answer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: Buffer;
}

export interface FaultProxy {
  /** The address of the remote account, through the proxy. */
  readonly url: string;
  /** Without one, every request is forwarded. It is not asked about preflights. */
  fault: Fault | undefined;
  /** The requests that came, without preflights. */
  readonly requests: Passing[];
}

/** Starts a proxy of the account at `target`, until the end of the test. */
export async function openFaultProxy(target: string, fault?: Fault): Promise<FaultProxy> {
  const { origin, pathname } = new URL(target);
  const server = createServer((request, response) => {
    answer(request).then(
      (given) => send(response, given),
      () => response.destroy(),
    );
  });
  const proxy: FaultProxy & { url: string } = { url: '', fault, requests: [] };

  async function answer(request: IncomingMessage): Promise<Answer | 'lost'> {
    const { method = '', url: path = '' } = request;
    const forward = () => forwarded(`${origin}${path}`, request, body);
    const body = await bodyOf(request);
    if (method === 'OPTIONS') return await forward();
    const passing = { method, path, body: body.toString() };
    proxy.requests.push(passing);
    return await (proxy.fault ? proxy.fault(passing, forward) : forward());
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  proxy.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${pathname}`;
  return proxy;
}

/** An answer of a service that has no time. A page can read it. */
export const busy: Answer = {
  status: 503,
  headers: { 'access-control-allow-origin': '*', 'access-control-expose-headers': '*' },
  body: Buffer.alloc(0),
};

/** Loses about every fourth request: half of them after they took effect. Others are refused. */
export function faultsAtRandom(random: () => number): Fault {
  return async (_, forward) => {
    const fault = Math.floor(random() * 12);
    if (fault === 0) return 'lost';
    if (fault === 1) return busy;
    const answer = await forward();
    return fault === 2 ? 'lost' : answer;
  };
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}

// Of the connection between two programs, not of the message.
const OF_THE_CONNECTION = new Set([
  ...['connection', 'content-length', 'host', 'keep-alive', 'transfer-encoding'],
  // `fetch` decodes the body.
  ...['accept-encoding', 'content-encoding'],
]);

async function forwarded(url: string, request: IncomingMessage, body: Buffer): Promise<Answer> {
  const { method = '', headers } = request;
  const passed = Object.entries(headers).filter(([name]) => !OF_THE_CONNECTION.has(name));
  const answer = await fetch(url, {
    method,
    headers: Object.fromEntries(passed.map(([name, value]) => [name, String(value)])),
    ...(body.length > 0 && { body: new Uint8Array(body) }),
  });
  return {
    status: answer.status,
    headers: Object.fromEntries(
      [...answer.headers].filter(([name]) => !OF_THE_CONNECTION.has(name)),
    ),
    body: Buffer.from(await answer.arrayBuffer()),
  };
}

function send(response: ServerResponse, answer: Answer | 'lost'): void {
  if (answer === 'lost') return void response.destroy();
  response.writeHead(answer.status, answer.headers);
  response.end(answer.body);
}
