// A server on a real port, with a handler of the test.

import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { createTableServer, listenAt } from '../../../../js/src/server/http/server.js';

import { FINE, GET, listen, call, answered, type Client } from '../../support/table-server.js';

it('continues after errors of the system, and reports them', async () => {
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

it('rejects if the port is in use', async () => {
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
  // The first of them sends another request.
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
  const log = vi.fn();
  const server = await listen({ handler, allowsHost: (host) => host === 'localhost', log });

  const evil = await call(server, GET.replace('localhost', 'evil.example'));
  await answered(evil);
  expect(evil.received()).toMatch(/^HTTP\/1\.1 421 /);
  expect(handler).not.toHaveBeenCalled();
  expect(log.mock.calls).toMatchObject([[{ method: 'GET', target: '/', status: 421 }]]);

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
