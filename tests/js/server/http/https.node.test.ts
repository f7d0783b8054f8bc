// A server that speaks HTTPS, with a certificate of the test.

import { once } from 'node:events';
import type { IncomingMessage, Server } from 'node:http';
import { request } from 'node:https';
import { connect, type AddressInfo } from 'node:net';
import { connect as connectByTls } from 'node:tls';
import { expect, it, onTestFinished } from 'vitest';

import type { IncomingRequest } from '../../../../js/src/http.js';
import { closeServer, createTableServer } from '../../../../js/src/server/http/server.js';
import { newCertificate, PFX } from '../../support/certificate.js';
import { FINE, GET, listen } from '../../support/table-server.js';

const certificate = newCertificate();
const portOf = (server: Server) => (server.address() as AddressInfo).port;

/** The status of an answer to a request by HTTPS. */
async function get(server: Server, ca = certificate.cert): Promise<number | undefined> {
  const sent = request({
    ...{ host: '127.0.0.1', port: portOf(server), agent: false, ca },
  }).end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  answer.resume();
  return answer.statusCode;
}

it('answers by HTTPS, and knows that the request came by it', async () => {
  const origins: IncomingRequest['origin'][] = [];
  const server = await listen({
    certificate,
    handler: async () => (sent) => {
      origins.push(sent.origin);
      return FINE(sent);
    },
  });

  expect(await get(server)).toBe(204);
  expect(origins).toEqual([{ isSecure: true, address: '127.0.0.1' }]);
});

it('takes the bytes of a PFX file, and its password', async () => {
  const { bytes: pfx, passphrase, cert } = PFX;
  const server = await listen({ certificate: { pfx: new Uint8Array(pfx), passphrase } });

  expect(await get(server, cert)).toBe(204);
  const wrong = { pfx, passphrase: 'wrong' };
  expect(() => createTableServer({ certificate: wrong, handler: async () => FINE })).toThrow(
    /mac verify failure/,
  );
});

it('limits the connections of HTTPS, too', async () => {
  const server = await listen({ certificate });
  const limits = { all: 8, perAddress: 4, highWaterMark: 2, idleMs: 60_000, shortIdleMs: 60_000 };
  const small = await listen({ certificate, connections: limits });
  for (const one of [server, small]) {
    const sockets = [0, 1].map(() =>
      connectByTls({ host: '127.0.0.1', port: portOf(one), ca: certificate.cert }),
    );
    for (const socket of sockets) {
      onTestFinished(() => void socket.destroy());
      await once(socket, 'secureConnect');
    }
    const first = once(sockets[0]!, 'close');
    expect(await get(one)).toBe(204);
    if (one === small) await first;
    else expect(sockets[0]!.destroyed).toBe(false);
  }
});

it('continues after a client that does not speak TLS', async () => {
  const server = await listen({ certificate });
  const client = connect(portOf(server), '127.0.0.1');
  client.on('error', () => {});
  client.write(GET);
  await once(client, 'close');

  expect(await get(server)).toBe(204);
});

it('stops in time, though a client never ends its handshake', async () => {
  const server = await listen({ certificate });
  const client = connect(portOf(server), '127.0.0.1');
  onTestFinished(() => void client.destroy());
  client.on('error', () => {});
  await once(server, 'connection');
  const closed = once(client, 'close');

  await closeServer(server, 10);
  await closed;
}, 20_000);

it('refuses a certificate that is none', () => {
  const broken = { ...certificate, cert: 'broken' };
  expect(() => createTableServer({ certificate: broken, handler: async () => FINE })).toThrow(
    /PEM/,
  );
});
