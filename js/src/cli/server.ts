/**
 * HTTP/1.1 for an account, on Node.
 *
 * @module
 */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

import type { HttpAnswer, IncomingRequest, RequestHeaders, TableExchange } from '../http.js';

/** What became of a request: "GET /Tables 200 1.2 ms". */
export type RequestLog = (line: string) => void;

// How long a client may take, in milliseconds, and how much of everything it may have.
const HEADERS_TIMEOUT = 10_000;
const REQUEST_TIMEOUT = 60_000;
const IDLE_TIMEOUT = 120_000;
const MAX_CONNECTIONS = 512;
// Filters stand in the address, and are long.
const MAX_HEADER_BYTES = 128 * 1024;
// For requests that are under way when the server stops.
const CLOSE_TIMEOUT = 5_000;

/** Makes a server that does not listen yet. */
export function createTableServer(exchange: Promise<TableExchange>, log?: RequestLog): Server {
  const server = createServer({
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: HEADERS_TIMEOUT,
    requestTimeout: REQUEST_TIMEOUT,
    keepAliveTimeout: IDLE_TIMEOUT,
    connectionsCheckingInterval: 1_000,
  });
  server.maxConnections = MAX_CONNECTIONS;
  server.on('request', (message, response) => {
    void answer(exchange, message, response, log);
  });
  return server;
}

/** Takes no further request, waits for those under way, and cuts off who takes too long. */
export async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const timer = setTimeout(() => server.closeAllConnections(), CLOSE_TIMEOUT);
  server.closeIdleConnections();
  await closed;
  clearTimeout(timer);
}

async function answer(
  exchange: Promise<TableExchange>,
  message: IncomingMessage,
  response: ServerResponse,
  log: RequestLog | undefined,
): Promise<void> {
  const start = performance.now();
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  try {
    const answered = await (await exchange)(toRequest(message, gone.signal));
    send(answered, message, response);
    const duration = (performance.now() - start).toFixed(1);
    log?.(`${message.method} ${message.url} ${answered.status} ${duration} ms`);
  } catch {
    // The client has gone, or sent no whole body: there is nobody to answer.
    message.destroy();
    log?.(`${message.method} ${message.url} aborted`);
  }
}

function toRequest(message: IncomingMessage, signal: AbortSignal): IncomingRequest {
  return {
    method: message.method ?? '',
    target: message.url ?? '',
    headers: new RawHeaders(message.rawHeaders),
    readBody: (limit) => readBody(message, limit),
    signal,
    origin: { isSecure: false, address: message.socket.remoteAddress },
  };
}

// What comes behind the limit is thrown away, for as long as a request may take.
function readBody(message: IncomingMessage, limit: number): Promise<Uint8Array | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const finish = () =>
      resolve(length === 0 ? undefined : Buffer.concat(chunks).subarray(0, limit));
    message.on('data', (chunk: Buffer) => {
      if (length >= limit) return;
      chunks.push(chunk);
      length += chunk.length;
      if (length >= limit) finish();
    });
    message.on('end', finish);
    message.on('error', reject);
    message.on('close', () => reject(new Error('the client has gone')));
  });
}

function send({ status, headers, body }: HttpAnswer, from: IncomingMessage, to: ServerResponse) {
  for (const [name, value] of headers) to.setHeader(name, value);
  if (body.length > 0 && from.method !== 'HEAD') to.setHeader('Content-Length', body.length);
  to.writeHead(status);
  to.end(body.length > 0 ? body : undefined);
}

// As they were sent, all of them.
class RawHeaders implements RequestHeaders {
  readonly #pairs: [name: string, value: string][] = [];

  constructor(raw: readonly string[]) {
    for (let i = 0; i < raw.length; i += 2) this.#pairs.push([raw[i]!, raw[i + 1]!]);
  }

  get(name: string): string | null {
    const folded = name.toLowerCase();
    const values = this.#pairs.filter(([other]) => other.toLowerCase() === folded);
    return values.length === 0 ? null : values.map(([, value]) => value).join(', ');
  }

  [Symbol.iterator](): Iterator<[string, string]> {
    return this.#pairs[Symbol.iterator]();
  }
}
