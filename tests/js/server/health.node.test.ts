import type { AddressInfo } from 'node:net';
import { expect, it, vi } from 'vitest';

import type { Health } from '../../../js/src/server/health.js';
import { answered, call, FINE, listen } from '../support/table-server.js';

const addressOf = (server: Awaited<ReturnType<typeof listen>>) =>
  `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

it('tells whether the accounts are open, without a signature and without a line in the log', async () => {
  const handler = vi.fn(async () => FINE);
  const log = vi.fn();
  let health: Health = 'healthy';
  const server = await listen({
    handler,
    log,
    health: async () => health,
  });
  const ask = (method = 'GET', path = '/-/health') => fetch(addressOf(server) + path, { method });

  const good = await ask();
  expect([good.status, await good.text()]).toEqual([200, 'healthy\n']);
  expect((await ask('HEAD')).status).toBe(200);
  expect((await ask('GET', '/-/health?probe=1')).status).toBe(200);
  health = 'writes fail';
  const reading = await ask();
  expect([reading.status, await reading.text()]).toEqual([200, 'writes fail\n']);
  health = 'unhealthy';
  const bad = await ask();
  expect([bad.status, await bad.text()]).toEqual([503, 'unhealthy\n']);
  expect(handler).not.toHaveBeenCalled();
  expect(log).not.toHaveBeenCalled();
});

it('takes only this path, and only questions', async () => {
  const handler = vi.fn(async () => FINE);
  const server = await listen({ handler, health: async () => 'healthy' });
  for (const path of ['/-/healthy', '/-/', '/acct/-/health']) {
    expect((await fetch(addressOf(server) + path)).status).toBe(204);
  }
  const method = 'DELETE';
  expect((await fetch(`${addressOf(server)}/-/health`, { method })).status).toBe(204);
  expect(handler).toHaveBeenCalledTimes(4);
});

it('says while it stops that it does not work any more', async () => {
  const server = await listen({ health: async () => 'healthy' });
  const line = 'GET /-/health HTTP/1.1\r\n';
  const rest = 'Host: localhost\r\n\r\n';
  // The second request has begun when the server stops.
  const client = await call(server, line + rest + line);
  await answered(client);
  server.close();
  client.socket.write(rest);
  await client.closed;

  expect(
    client
      .received()
      .match(/^HTTP\/1\.1 .*/gm)
      ?.map((status) => status.slice(9, 12)),
  ).toEqual(['200', '503']);
});
