/**
 * HTTP/1.1 for an account, on Node.
 *
 * @module
 */

import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import { serverBusy } from '../errors.js';
import type { AbortSignalLike } from '../platform.js';
import type { HttpAnswer, IncomingRequest, RequestHeaders, TableExchange } from '../http.js';
import { answerClientErrors } from './client-errors.js';
import { CONNECTION_LIMITS, Connections, type ConnectionLimits } from './connection-limits.js';
import { Connection } from './connection.js';
import type { HostCheck } from './hosts.js';
import { requestLine } from './log.js';
import { RequestRoom, ROOM_LIMITS, type RoomLimits } from './request-room.js';

/** What became of a request: "2024-01-02T03:04:05.678Z GET /Tables 200 1.2 ms". */
export type RequestLog = (line: string) => void;

// How long a client may take, in milliseconds, and how much of everything it may have.
const HEADERS_TIMEOUT = 10_000;
const REQUEST_TIMEOUT = 60_000;
// For a client that reads nothing of its answer.
const STALL_TIMEOUT = 60_000;
// Filters stand in the address, and are long.
const MAX_HEADER_BYTES = 128 * 1024;
// For requests that are under way when the server stops.
const CLOSE_TIMEOUT = 5_000;
const SHORT_BODY = 4096;

/** What a server is made of. */
export interface TableServerOptions {
  /** What answers the next request. If it rejects, there is nobody to answer it any more. */
  readonly exchange: () => Promise<TableExchange>;
  readonly log?: RequestLog | undefined;
  /** Undefined: it answers to every name. */
  readonly allowsHost?: HostCheck | undefined;
  readonly connections?: ConnectionLimits | undefined;
  readonly limits?: RoomLimits | undefined;
}

/** Makes a server that does not listen yet. */
export function createTableServer(options: TableServerOptions): Server {
  const server = createServer({
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: HEADERS_TIMEOUT,
    requestTimeout: REQUEST_TIMEOUT,
    connectionsCheckingInterval: 1_000,
  });
  server.setTimeout(STALL_TIMEOUT);
  const connections = new Connections(server, options.connections ?? CONNECTION_LIMITS);
  answerClientErrors(server, connections);
  const room = new RequestRoom(options.limits ?? ROOM_LIMITS);
  const context: Context = { ...options, server, room, turn: new Turn() };
  const queues = new WeakMap<Socket, Connection>();
  server.on('connection', (socket) => queues.set(socket, new Connection(socket)));
  server.on('request', (message, response) => {
    queues
      .get(message.socket)!
      .add(() => answer(context, message, response).catch(() => void response.destroy()));
  });
  return server;
}

/**
 * Has a server listen.
 *
 * @param port - any free one if 0.
 * @param onError - is called with what Node reports later: that it cannot accept a connection, say.
 * The server goes on.
 * @throws what Node reports, if the port cannot be had.
 */
export async function listenAt(
  server: Server,
  port: number,
  host: string,
  onError: (error: Error) => void,
): Promise<void> {
  server.listen(port, host);
  await once(server, 'listening');
  server.on('error', onError);
}

/** Takes no further request, waits for those under way, and cuts off who takes too long. */
export async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const timer = setTimeout(() => server.closeAllConnections(), CLOSE_TIMEOUT);
  server.closeIdleConnections();
  await closed;
  clearTimeout(timer);
}

interface Context extends TableServerOptions {
  readonly server: Server;
  readonly room: RequestRoom;
  readonly turn: Turn;
}

async function answer(
  { server, exchange, room, turn, log, allowsHost }: Context,
  message: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const start = performance.now();
  const { method, url: target, headers } = message;
  const note = (outcome: string) => log?.(requestLine({ method, target, outcome }));
  if (allowsHost && !allowsHost(hostOf(target) ?? headers.host)) {
    misdirect(response);
    return note(`${response.statusCode}`);
  }
  const place = await room.enter(message, response);
  try {
    const handle = await exchange();
    await turn.end();
    const request = toRequest(message, response);
    const answered = await handle(place ? request : { ...request, readBody: refuseBody });
    place?.answered(answered.body.length);
    // Who is told to come again on the same connection would keep a server from stopping.
    response.shouldKeepAlive &&= server.listening;
    send(answered, message, response);
    note(`${answered.status} ${(performance.now() - start).toFixed(1)} ms`);
  } catch {
    // The client has gone, or sent no whole body: there is nobody to answer.
    place?.leave();
    message.destroy();
    note('aborted');
  }
}

// Of an absolute address, which takes the place of the header.
const hostOf = (target = '') => /^[a-z]+:\/\/([^/?#]*)/i.exec(target)?.[1];

function misdirect(response: ServerResponse): void {
  response.writeHead(421, { 'Content-Type': 'text/plain' });
  response.end('This server does not answer to that host name: see --allow-host.\n');
}

// Only clients that may come in are told that there is no room.
function refuseBody(): never {
  throw serverBusy();
}

// Requests that came in one turn of the event loop are handled together: their writes share a
// commit, and a client with several of them is woken up once, which the system takes as long for as
// we do for a request.
class Turn {
  #end: Promise<void> | undefined;

  end(): Promise<void> {
    return (this.#end ??= new Promise((resolve) => {
      setImmediate(() => {
        this.#end = undefined;
        resolve();
      });
    }));
  }
}

function toRequest(message: IncomingMessage, response: ServerResponse): IncomingRequest {
  return {
    method: message.method ?? '',
    target: message.url ?? '',
    headers: new RawHeaders(message.rawHeaders),
    readBody: (limit) => (hasBody(message) ? readBody(message, limit) : undefined),
    signal: new ClientSignal(message, response),
    origin: { isSecure: false, address: message.socket.remoteAddress },
  };
}

// Fires when the client has gone.  An AbortController takes longer than all else of a small request.
class ClientSignal implements AbortSignalLike {
  readonly #message: IncomingMessage;
  readonly #response: ServerResponse;

  constructor(message: IncomingMessage, response: ServerResponse) {
    this.#message = message;
    this.#response = response;
  }

  get aborted(): boolean {
    return this.#response.destroyed || this.#message.socket.destroyed;
  }

  addEventListener(_: 'abort', listener: () => void): void {
    this.#response.on('close', listener);
  }

  removeEventListener(_: 'abort', listener: () => void): void {
    this.#response.off('close', listener);
  }
}

function hasBody({ headers }: IncomingMessage): boolean {
  return 'content-length' in headers || 'transfer-encoding' in headers;
}

async function readBody(message: IncomingMessage, limit: number): Promise<Uint8Array | undefined> {
  // Most have come whole by now.
  if (!message.complete) return collectBody(message, limit);
  const body = message.read() as Buffer | null;
  return body?.subarray(0, limit);
}

// What comes behind the limit is thrown away, for as long as a request may take.
function collectBody(message: IncomingMessage, limit: number): Promise<Uint8Array | undefined> {
  const gone = () => new Error('the client has gone');
  return new Promise((resolve, reject) => {
    // It may have gone in the very turn in which it came.
    if (message.destroyed) throw gone();
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
    message.on('close', () => {
      if (!message.complete) reject(gone());
    });
  });
}

function send({ status, headers, body }: HttpAnswer, from: IncomingMessage, to: ServerResponse) {
  const lines = headers.flat();
  if (body.length > 0 && from.method !== 'HEAD') lines.push('Content-Length', `${body.length}`);
  to.writeHead(status, lines);
  // As a text a body goes out in one piece with the headers.
  if (body.length > SHORT_BODY) to.end(body);
  else to.end(Buffer.from(body.buffer, body.byteOffset, body.length).toString('latin1'), 'latin1');
}

// As they were sent, all of them.
class RawHeaders implements RequestHeaders {
  readonly #raw: readonly string[];

  constructor(raw: readonly string[]) {
    this.#raw = raw;
  }

  get(name: string): string | null {
    const folded = name.toLowerCase();
    let found: string | null = null;
    for (let i = 0; i < this.#raw.length; i += 2) {
      const other = this.#raw[i]!;
      if (other.length !== name.length || other.toLowerCase() !== folded) continue;
      const value = this.#raw[i + 1]!;
      found = found === null ? value : `${found}, ${value}`;
    }
    return found;
  }

  *[Symbol.iterator](): Iterator<[string, string]> {
    for (let i = 0; i < this.#raw.length; i += 2) yield [this.#raw[i]!, this.#raw[i + 1]!];
  }
}
