/**
 * HTTP/1.1 and HTTPS for accounts, on Node.
 *
 * @module
 */

import { once } from 'node:events';
import {
  createServer as createPlainServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { Socket } from 'node:net';

import type { HttpAnswer, RawTableHandler } from '../../http.js';
import type { ExplorerPage } from '../explorer-page.js';
import { asksForHealth, type Health } from '../health.js';
import { METRICS_TYPE } from '../metric-text.js';
import { asksForMetrics, type ServerMetrics } from '../metrics.js';
import type { Certificate } from '../server-options.js';
import { answerClientErrors } from './client-errors.js';
import { CONNECTION_LIMITS, Connections, type ConnectionLimits } from './connection-limits.js';
import { Connection } from './connection.js';
import type { AccountInHost, HostCheck } from './hosts.js';
import { incomingRequest } from './incoming-request.js';
import { drainBody, hasBody } from './request-body.js';
import { hostOf, MAX_HEAD_BYTES, MAX_HEADERS, problemOfHead } from './request-head.js';
import { RequestRoom, ROOM_LIMITS, type RoomLimits } from './request-room.js';
import { RequestTally, type RequestLog } from './request-tally.js';

// Timeouts of clients in milliseconds, and their limits.
const HEADERS_TIMEOUT = 10_000;
const REQUEST_TIMEOUT = 60_000;
// For a client that does not read its answer.
const STALL_TIMEOUT = 60_000;
// Not longer than a server may take to stop, which does not end a handshake.
const HANDSHAKE_TIMEOUT = 4_000;
const SHORT_BODY = 4096;

/** The parts of a server. */
export interface TableServerOptions {
  /** Returns the handler of the next request. If it rejects, none can be answered any more. */
  readonly handler: (target: string, accountInHost?: string) => Promise<RawTableHandler>;
  readonly accountInHost?: AccountInHost | undefined;
  /** What it can do now, for the answer at `/-/health`. */
  readonly health?: (() => Promise<Health>) | undefined;
  /** With it, the server speaks HTTPS. */
  readonly certificate?: Certificate | undefined;
  readonly log?: RequestLog | undefined;
  /** Counts the requests, and is at its path. */
  readonly metrics?: ServerMetrics | undefined;
  /** A page with the tables, at its path. */
  readonly explorer?: ExplorerPage | undefined;
  /** Undefined: the server answers to every name. */
  readonly allowsHost?: HostCheck | undefined;
  readonly connections?: ConnectionLimits | undefined;
  readonly limits?: RoomLimits | undefined;
}

const NODE_OPTIONS: ServerOptions = {
  maxHeaderSize: MAX_HEAD_BYTES,
  // A request without a Host header is refused here, like one with another host.
  requireHostHeader: false,
  headersTimeout: HEADERS_TIMEOUT,
  requestTimeout: REQUEST_TIMEOUT,
  connectionsCheckingInterval: 1_000,
};

/**
 * Makes a server that does not listen yet.
 *
 * @throws the error of Node, if the certificate cannot be used.
 */
export function createTableServer(options: TableServerOptions): Server {
  const { certificate } = options;
  const server = certificate
    ? createSecureServer({
        ...NODE_OPTIONS,
        ...copyOf(certificate),
        handshakeTimeout: HANDSHAKE_TIMEOUT,
      })
    : createPlainServer(NODE_OPTIONS);
  server.setTimeout(STALL_TIMEOUT);
  // Node drops all further headers. With one more than the limit, the server can see that there are
  // too many.
  server.maxHeadersCount = MAX_HEADERS + 1;
  // The event with the socket that requests come from.
  const connected = certificate ? 'secureConnection' : 'connection';
  const limits = options.connections ?? CONNECTION_LIMITS;
  const connections = new Connections(server, limits, connected);
  answerClientErrors(server, connections);
  const room = new RequestRoom(options.limits ?? ROOM_LIMITS);
  const context: Context = { ...options, server, room, turn: new Turn() };
  const queues = new WeakMap<Socket, Connection>();
  server.on(connected, (socket: Socket) => queues.set(socket, new Connection(socket)));
  // Without a listener, Node would tell the client to send its body before anybody knows who it is.
  server.on('checkContinue', (message, response) => {
    server.emit('request', message, response);
  });
  server.on('request', (message, response) => {
    const connection = queues.get(message.socket)!;
    connection.add(async () => {
      await answer(context, message, response).catch(() => void response.destroy());
      if (!response.shouldKeepAlive) connection.end();
    });
  });
  return server;
}

const copyOf = (certificate: Certificate) =>
  'pfx' in certificate ? { ...certificate, pfx: Buffer.from(certificate.pfx) } : certificate;

/**
 * Starts to listen.
 *
 * @param port - 0 for any free port.
 * @param onError - called with later errors of Node: that it cannot accept a connection, say. The
 * server goes on.
 * @throws the error of Node, if the port cannot be used.
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

/**
 * Accepts no further request, and waits for requests that have begun.
 *
 * @param ms - requests that take longer are ended.
 */
export async function closeServer(server: Server, ms: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const timer = setTimeout(() => server.closeAllConnections(), ms);
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
  context: Context,
  message: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { server, handler, certificate, room, turn, allowsHost } = context;
  const { url: target = '', method } = message;
  const tally = new RequestTally(context, message);
  const problem = problemOfHead(message, allowsHost);
  if (problem) {
    const refusal = textAnswer(problem.status, `${problem.text}\n`);
    tally.end(refusal);
    return refuse(refusal, message, response);
  }
  if (context.health && asksForHealth(method, target)) {
    const health = server.listening ? await context.health() : 'unhealthy';
    return answerHealth(health, message, response);
  }
  const page = await pageOf(context, method, target);
  if (page) return send(page, message, response);
  const place = await room.enter(message, response);
  const account = (tally.accountInHost = context.accountInHost?.(hostOf(message)!));
  try {
    const handle = await handler(target, account);
    await turn.end();
    const isSecure = certificate !== undefined;
    const answered = await handle(incomingRequest(message, response, place, isSecure, tally));
    place?.answered(answered.body.length);
    // A client that keeps its connection would keep the server from stopping.
    response.shouldKeepAlive &&= server.listening;
    await send(answered, message, response);
    tally.end(answered);
  } catch {
    // The client has gone, or did not send its whole body: it gets no answer.
    place?.leave();
    message.destroy();
    tally.end();
  }
}

// What the server answers without an account.
async function pageOf(
  { metrics, explorer }: Context,
  method: string | undefined,
  target: string,
): Promise<HttpAnswer | undefined> {
  if (metrics && asksForMetrics(method, target)) {
    return noStore(textAnswer(200, metrics.text(), METRICS_TYPE));
  }
  return explorer?.isAsked(method, target) ? explorer.answer(target) : undefined;
}

function refuse(
  refusal: HttpAnswer,
  message: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  // After an invalid head, the server does not know where the next request begins.
  if (refusal.status !== 421) response.shouldKeepAlive = false;
  return send(refusal, message, response);
}

function answerHealth(
  health: Health,
  message: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  // One that only reads stays in use, or it would not learn that writes are stored again.
  const status = health === 'unhealthy' ? 503 : 200;
  response.shouldKeepAlive &&= status === 200;
  return send(noStore(textAnswer(status, `${health}\n`)), message, response);
}

const textAnswer = (status: number, text: string, type = 'text/plain'): HttpAnswer => ({
  status,
  headers: [['Content-Type', type]],
  body: Buffer.from(text),
});

const noStore = (answered: HttpAnswer): HttpAnswer => ({
  ...answered,
  headers: [...answered.headers, ['Cache-Control', 'no-store']],
});

// Requests of one turn of the event loop are handled together. Their writes share a commit. A
// client with several of them wakes up once, and to wake it takes the system as long as a request
// takes here.
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

async function send(
  { status, headers, body }: HttpAnswer,
  from: IncomingMessage,
  to: ServerResponse,
): Promise<void> {
  const lines = headers.flat();
  if (body.length > 0 && from.method !== 'HEAD') lines.push('Content-Length', `${body.length}`);
  // The server cannot find the next request behind a body that it has not read to its end.
  const isCutOff = hasBody(from) && !from.complete;
  if (isCutOff) to.shouldKeepAlive = false;
  to.writeHead(status, lines);
  if (isCutOff) {
    to.flushHeaders();
    to.write(body);
    await drainBody(from);
    to.end();
    return;
  }
  // A body that is text goes out in one piece with the headers.
  if (body.length > SHORT_BODY) to.end(body);
  else to.end(Buffer.from(body.buffer, body.byteOffset, body.length).toString('latin1'), 'latin1');
}
