// What Node says of requests without an answer: whether a connection was made.

import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

import { expect, it, onTestFinished } from 'vitest';

import { remoteAccount } from '../../../js/src/remote.js';
import { errorCode } from '../support/rejection.js';

const REX = { partitionKey: 'dogs', rowKey: 'rex' };

async function listening(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as { port: number }).port}/acct`;
}

const petsAt = (url: string) =>
  remoteAccount({ url, sas: 'sig=x', retries: 1 }).tableClient('Pets');

it('a write without a connection was not done', async () => {
  const server = createServer();
  const url = await listening(server);
  server.close();
  await once(server, 'close');

  expect(await errorCode(petsAt(url).createEntity(REX))).toBe('StorageUnavailable');
});

it('a write to a host without an address was not done', async () => {
  const url = 'http://nobody.invalid/acct';

  expect(await errorCode(petsAt(url).createEntity(REX))).toBe('StorageUnavailable');
});

it('a write on a connection that ends may have been done', async () => {
  const url = await listening(createServer((socket) => socket.once('data', () => socket.end())));

  expect(await errorCode(petsAt(url).createEntity(REX))).toBe('StorageOutcomeUnknown');
});
