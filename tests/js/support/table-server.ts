// table-server.ts - a server on a real port with a handler of the test, and raw clients.

import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { expect, onTestFinished, vi } from 'vitest';

import type { RawTableHandler } from '../../../js/src/http.js';
import { createTableServer, type TableServerOptions } from '../../../js/src/server/http/server.js';

export const FINE: RawTableHandler = () =>
  Promise.resolve({ status: 204, headers: [['Content-Length', '0']], body: new Uint8Array() });
export const LIMITS = {
  all: 8,
  perAddress: 4,
  highWaterMark: 6,
  idleMs: 60_000,
  shortIdleMs: 60_000,
};
export const GET = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n';

export async function listen(options: Partial<TableServerOptions> = {}): Promise<Server> {
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

export interface Client {
  readonly socket: Socket;
  readonly received: () => string;
  readonly closed: Promise<unknown>;
}

// Connected, and known to the server.
export async function call(server: Server, text?: string): Promise<Client> {
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

export const answered = (client: Client, count = 1) =>
  vi.waitFor(() => expect(client.received().match(/^HTTP/gm)).toHaveLength(count));
