// A server on a real port, with a handler of the test.

import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';

import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { isTableError } from '../../../js/src/base/errors.js';
import { ROOM_LIMITS } from '../../../js/src/cli/request-room.js';
import {
  createTableServer,
  listenAt,
  type TableServerOptions,
} from '../../../js/src/cli/server.js';
import type { RawTableHandler } from '../../../js/src/http.js';

const FINE: RawTableHandler = () =>
  Promise.resolve({ status: 204, headers: [['Content-Length', '0']], body: new Uint8Array() });
const LIMITS = { all: 8, perAddress: 4, crowded: 6, idle: 60_000, idleWhenCrowded: 60_000 };
const GET = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n';

async function listen(options: Partial<TableServerOptions> = {}): Promise<Server> {
  const server = createTableServer({
    handler: () => Promise.resolve(FINE),
    connections: LIMITS,
    ...options,
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return server;
}

interface Client {
  readonly socket: Socket;
  readonly received: () => string;
  readonly closed: Promise<unknown>;
}

// Connected, and known to the server.
async function call(server: Server, text?: string): Promise<Client> {
  const taken = once(server, 'connection');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  let received = '';
  socket.setEncoding('latin1').on('data', (piece) => (received += piece));
  socket.on('error', () => {});
  const closed = new Promise((resolve) => socket.once('close', resolve));
  await Promise.all([once(socket, 'connect'), taken]);
  if (text !== undefined) socket.write(text);
  return { socket, received: () => received, closed };
}

const answered = (client: Client, count = 1) =>
  vi.waitFor(() => expect(client.received().match(/^HTTP/gm)).toHaveLength(count));

it('goes on after errors of the system, and says what they are', async () => {
  const server = createTableServer({ handler: () => Promise.resolve(FINE) });
  onTestFinished(() => void server.close());
  const received: unknown[] = [];
  await listenAt(server, 0, '127.0.0.1', (error) => received.push(error));
  const errors = [new Error('EMFILE'), new Error('ENFILE')];

  // As Node does when it cannot accept a connection.
  for (const error of errors) server.emit('error', error);

  expect(received).toEqual(errors);
  await answered(await call(server, GET));
});

it('rejects where the port is taken', async () => {
  const { port } = (await listen()).address() as AddressInfo;
  const received: unknown[] = [];
  const server = createTableServer({ handler: () => Promise.resolve(FINE) });

  const listening = listenAt(server, port, '127.0.0.1', (error) => received.push(error));
  await expect(listening).rejects.toMatchObject({ code: 'EADDRINUSE' });
  expect(received).toEqual([]);
});

it('ends the connection that was idle the longest when there are many', async () => {
  const server = await listen();
  const silent = await call(server);
  const clients: Client[] = [];
  for (let i = 0; i < 5; i++) {
    clients.push(await call(server, GET));
    await answered(clients[i]!);
  }
  // The first of them has asked for something again meanwhile.
  clients[0]!.socket.write(GET);
  await answered(clients[0]!, 2);

  const late = await call(server, GET);
  await silent.closed;
  await answered(late);
  await call(server, GET);
  await clients[1]!.closed;

  clients[0]!.socket.write(GET);
  await answered(clients[0]!, 3);
});

it('serves a new client while another holds many idle connections', async () => {
  const server = await listen();
  for (let i = 0; i < 30; i++) await call(server, i % 2 ? 'GET / HTTP/1.1\r\n' : undefined);

  await answered(await call(server, GET));
});

// What the service says to a body that is too long.
const MAX_BODY = 4 * 2 ** 20;
const readThenAnswer: RawTableHandler = async (request) => {
  let status = 200;
  try {
    const body = await request.readBody(MAX_BODY + 1);
    if (body && body.length > MAX_BODY) status = 413;
  } catch (error) {
    if (!isTableError(error)) throw error;
    status = error.statusCode;
  }
  return { status, headers: [], body: new TextEncoder().encode('read') };
};
const post = (headers: string, body = '') =>
  `POST / HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n\r\n${body}`;

describe('while bodies that were announced do not come', () => {
  // Two clients that send enough of their bodies to get room for them. None is left then.
  async function listenFull(): Promise<Server> {
    const server = await listen({
      handler: () => Promise.resolve(readThenAnswer),
      limits: { ...ROOM_LIMITS, bodyBytes: 2 * MAX_BODY, waitMs: 50 },
    });
    for (let i = 0; i < 2; i++) {
      const part = 'x'.repeat(100_000);
      const [[taken]] = await Promise.all([
        once(server, 'connection') as Promise<[Socket]>,
        call(server, post(`Content-Length: ${MAX_BODY}`, part)),
      ]);
      await vi.waitFor(() => expect(taken.bytesRead).toBeGreaterThan(part.length));
    }
    return server;
  }

  it('serves requests without a body', async () => {
    const server = await listenFull();

    await answered(await call(server, GET));
  });

  it.each([
    ['', post('Content-Length: 9', '123456789')],
    [' that is chunked', post('Transfer-Encoding: chunked', '9\r\n123456789\r\n0\r\n\r\n')],
  ])('serves a request with a small body%s', async (_, request) => {
    const server = await listenFull();
    const client = await call(server, request);
    await answered(client);

    expect(client.received()).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('lets no further large body in', async () => {
    const server = await listenFull();
    const client = await call(server, post('Content-Length: 100000', 'x'.repeat(100_000)));
    await answered(client);

    expect(client.received()).toMatch(/^HTTP\/1\.1 503 /);
  });
});

it('takes no room for a body of which nothing has come', async () => {
  const server = await listen({
    handler: () => Promise.resolve(readThenAnswer),
    limits: { ...ROOM_LIMITS, bodyBytes: MAX_BODY, waitMs: 50 },
  });
  for (let i = 0; i < 3; i++) {
    const began = once(server, 'request');
    await call(server, post(`Content-Length: ${MAX_BODY}`));
    await began;
  }
  const client = await call(server, post(`Content-Length: ${MAX_BODY}`, 'x'.repeat(MAX_BODY)));
  await answered(client);

  expect(client.received()).toMatch(/^HTTP\/1\.1 200 /);
});

describe('a request that is answered before its body has come', () => {
  const refuse: RawTableHandler = () =>
    Promise.resolve({ status: 403, headers: [], body: new TextEncoder().encode('no') });

  it.each([
    ['too long', readThenAnswer, 413],
    ['not wanted', refuse, 403],
  ])('ends the connection of a client that sends on: %s', async (_, handler, status) => {
    const server = await listen({ handler: () => Promise.resolve(handler) });
    const client = await call(server, post('Transfer-Encoding: chunked'));
    const chunk = Buffer.from(`10000\r\n${'x'.repeat(0x10000)}\r\n`);
    let isOver = false;
    const closed = client.closed.then(() => (isOver = true));
    let sent = 0;
    while (!isOver && sent < 128 * 2 ** 20) {
      sent += chunk.length;
      if (client.socket.write(chunk)) continue;
      await Promise.race([closed, new Promise((resolve) => client.socket.once('drain', resolve))]);
    }

    expect(isOver).toBe(true);
    expect(client.received()).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(client.received()).toMatch(/^Connection: close\r\n/m);
  });

  it('ends the connection of a client that does not send on', async () => {
    const server = await listen({ handler: () => Promise.resolve(refuse) });
    const client = await call(server, post('Content-Length: 9', '1'));
    await client.closed;

    expect(client.received()).toMatch(/^HTTP\/1\.1 403 [^]*\r\nConnection: close\r\n[^]*no$/);
  });

  it('lets a client send the rest before it reads the answer, and takes no request behind it', async () => {
    const handler = vi.fn(refuse);
    const server = await listen({ handler: () => Promise.resolve(handler) });
    const client = await call(server, post(`Content-Length: ${2 * MAX_BODY}`, 'x'));
    await answered(client);
    client.socket.write('x'.repeat(2 * MAX_BODY - 1) + GET);
    await client.closed;

    expect(client.socket.errored).toBeNull();
    expect(client.received().match(/^HTTP/gm)).toHaveLength(1);
    expect(handler).toHaveBeenCalledOnce();
  });
});

describe('clients that ask for many lists and go before they are answered', () => {
  // More than the system keeps for a client that reads nothing.
  const LIST_BYTES = 16 * 2 ** 20;
  const list = new Uint8Array(LIST_BYTES).fill(0x20);
  const makeList: RawTableHandler = async (request) => {
    await request.readBody(1);
    return { status: 200, headers: [], body: list };
  };
  const limits = { ...ROOM_LIMITS, listBytes: 8 * LIST_BYTES, waitMs: 100 };

  // Each sends its requests at once and reads nothing. It goes while the server waits for it to
  // read its first list.
  async function comeAndGo(server: Server, clients: number): Promise<void> {
    for (let i = 0; i < clients; i++) {
      const [[taken], client] = await Promise.all([
        once(server, 'connection') as Promise<[Socket]>,
        call(server),
      ]);
      client.socket.pause();
      client.socket.write(GET.repeat(5));
      await vi.waitFor(() => expect(taken.writableNeedDrain).toBe(true));
      const closed = new Promise((resolve) => taken.once('close', resolve));
      client.socket.resetAndDestroy();
      await closed;
    }
  }

  it('keep nothing of the room for lists', async () => {
    const server = await listen({ handler: () => Promise.resolve(makeList), limits });
    await comeAndGo(server, 10);

    const late = await call(server, GET);
    await answered(late);
    expect(late.received()).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('have their other requests withdrawn', async () => {
    const wasAborted: unknown[] = [];
    const handler: RawTableHandler = (request) => {
      wasAborted.push(request.signal?.aborted);
      return makeList(request);
    };
    const server = await listen({ handler: () => Promise.resolve(handler), limits });
    await comeAndGo(server, 1);

    await vi.waitFor(() => expect(wasAborted).toEqual([false, true, true, true, true]));
  });
});

it('does not end connections with a request under way', async () => {
  let answer!: () => void;
  const asked = new Promise<void>((resolve) => (answer = resolve));
  const server = await listen({
    handler: () => Promise.resolve((request) => asked.then(() => FINE(request))),
  });
  const clients: Client[] = [];
  for (let i = 0; i < 7; i++) {
    const began = once(server, 'request');
    clients.push(await call(server, GET));
    await began;
  }
  await call(server);

  answer();
  for (const client of clients) await answered(client);
});

it('counts the connections of each address', async () => {
  const server = await listen();
  const from = (address: string, socket: Socket) =>
    Object.defineProperty(socket, 'remoteAddress', { value: address });
  const addresses = ['192.0.2.1', '192.0.2.1', '192.0.2.2', '192.0.2.1', '192.0.2.1', '192.0.2.1'];
  // Before the server checks.
  server.prependListener('connection', (socket) => from(addresses.shift()!, socket));
  const first = await call(server);
  const second = await call(server);
  for (let i = 0; i < 3; i++) await call(server);
  await call(server);

  await first.closed;
  expect(second.socket.destroyed).toBe(false);
});

it('refuses a name that it does not answer to, before anything else', async () => {
  const handler = vi.fn(() => Promise.resolve(FINE));
  const lines: string[] = [];
  const server = await listen({
    handler,
    allowsHost: (host) => host === 'localhost',
    log: (line) => lines.push(line),
  });

  const evil = await call(server, GET.replace('localhost', 'evil.example'));
  await answered(evil);
  expect(evil.received()).toMatch(/^HTTP\/1\.1 421 /);
  expect(handler).not.toHaveBeenCalled();
  expect(lines).toEqual([expect.stringMatching(/Z GET \/ 421$/)]);

  const good = await call(server, GET);
  await answered(good);
  expect(good.received()).toMatch(/^HTTP\/1\.1 204 /);
});

describe('the head of a request', () => {
  const headers = (count: number) => 'a:b\r\n'.repeat(count);
  const line = 'GET / HTTP/1.1\r\n';

  it.each([
    ['many headers', `${line}Host: localhost\r\n${headers(199)}\r\n`, 204],
    ['too many headers', `${line}Host: localhost\r\n${headers(200)}\r\n`, 431],
    ['far too many headers', `${line}Host: localhost\r\n${headers(20_000)}\r\n`, 431],
    ['no host', `${line}\r\n`, 400],
    ['an empty host', `${line}Host:\r\n\r\n`, 400],
    ['a blank for a host', `${line}Host: \r\n\r\n`, 400],
    ['two hosts', `${line}Host: localhost\r\nHost: localhost\r\n\r\n`, 400],
    ['an address without a host', 'GET http:///Tables HTTP/1.1\r\nHost: localhost\r\n\r\n', 400],
    ['no host, in HTTP/1.0', 'GET / HTTP/1.0\r\n\r\n', 400],
    ['an empty host, in HTTP/1.0', 'GET / HTTP/1.0\r\nHost:\r\n\r\n', 400],
    ['a host, in HTTP/1.0', 'GET / HTTP/1.0\r\nHost: localhost\r\n\r\n', 204],
  ])('may have, or not: %s', async (_, text, status) => {
    const handler = vi.fn(FINE);
    const server = await listen({ handler: () => Promise.resolve(handler) });
    const client = await call(server, text);
    await answered(client);

    expect(client.received()).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(handler).toHaveBeenCalledTimes(status === 204 ? 1 : 0);
    if (status === 204) return;
    await client.closed;
    expect(client.received()).toMatch(/^Connection: close\r\n/m);
  });
});

it('answers the requests that came before bytes that are none', async () => {
  let answer!: () => void;
  const asked = new Promise<void>((resolve) => (answer = resolve));
  const server = await listen({
    handler: () => Promise.resolve((request) => asked.then(() => FINE(request))),
  });
  const failed = once(server, 'clientError');
  const client = await call(server, `${GET}${GET}nonsense\r\n\r\n`);
  await failed;
  answer();

  await client.closed;
  expect(client.received().match(/^HTTP\/1\.1 \d+/gm)).toEqual([
    'HTTP/1.1 204',
    'HTTP/1.1 204',
    'HTTP/1.1 400',
  ]);
});

it.each([
  ['nonsense\r\n\r\n', '400'],
  [`GET /${'a'.repeat(200_000)} HTTP/1.1\r\n\r\n`, '431'],
  ['POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n', '400'],
])('refuses what is no request', async (text, status) => {
  const server = await listen({
    // It waits for a body of which the rest never comes.
    handler: () =>
      Promise.resolve(async (request) => {
        await request.readBody(9);
        return FINE(request);
      }),
  });
  const client = await call(server, text);
  await client.closed;

  expect(client.received()).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
});
