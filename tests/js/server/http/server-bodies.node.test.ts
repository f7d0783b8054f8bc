// Bodies that come late or never, and answers before them.

import { once } from 'node:events';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { isTableError } from '../../../../js/src/base/errors.js';
import { MIN_MEMORY_BYTES } from '../../../../js/src/core/memory.js';
import type { RawTableHandler } from '../../../../js/src/http.js';
import { ROOM_LIMITS, roomLimits } from '../../../../js/src/server/http/request-room.js';

import { GET, listen, call, answered } from '../../support/table-server.js';

// The answer of the service to a body that is too long.
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

  it('admits no further large body', async () => {
    const server = await listenFull();
    const client = await call(server, post('Content-Length: 100000', 'x'.repeat(100_000)));
    await answered(client);

    expect(client.received()).toMatch(/^HTTP\/1\.1 503 /);
  });
});

it('reserves no room for a body before its first byte', async () => {
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

  it('refuses a body that is announced as too long, before it comes', async () => {
    const server = await listen({ handler: () => Promise.resolve(readThenAnswer) });
    const client = await call(server, post('Content-Length: 1000000000000'));
    await client.closed;

    expect(client.received()).toMatch(/^HTTP\/1\.1 413 [^]*\r\nConnection: close\r\n/);
  });

  it('ends the connection of a client that does not send on', async () => {
    const server = await listen({ handler: () => Promise.resolve(refuse) });
    const client = await call(server, post('Content-Length: 9', '1'));
    await client.closed;

    expect(client.received()).toMatch(/^HTTP\/1\.1 403 [^]*\r\nConnection: close\r\n[^]*no$/);
  });

  it('lets a client send the rest of a body before it reads the answer, and accepts no request after it', async () => {
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

  it('waits for the rest of a body no longer than it takes', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const server = await listen({ handler: () => Promise.resolve(refuse) });
    const client = await call(server, post('Content-Length: 9', '1'));
    await once(client.socket, 'data');
    client.socket.write('23456789');
    await client.closed;

    expect(client.received()).toMatch(/^HTTP\/1\.1 403 /);
  });
});

describe('a client that asks before it sends its body', () => {
  const EXPECT = 'Expect: 100-continue\r\n';
  const refuse: RawTableHandler = () =>
    Promise.resolve({ status: 403, headers: [], body: new TextEncoder().encode('no') });

  it.each([
    ['is not allowed', refuse, `${EXPECT}Content-Length: 9`, 403],
    ['announces too much', readThenAnswer, `${EXPECT}Content-Length: 1000000000000`, 413],
    ['expects something else', readThenAnswer, 'Expect: more\r\nContent-Length: 9', 417],
  ])('is not told to go on if it %s', async (_, handler, headers, status) => {
    const server = await listen({ handler: () => Promise.resolve(handler) });
    const client = await call(server, post(headers));
    await answered(client);

    expect(client.received()).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  });

  it('is told to go on otherwise, in its turn, and answered when the body has come', async () => {
    const server = await listen({ handler: () => Promise.resolve(readThenAnswer) });
    const client = await call(server, GET + post(`${EXPECT}Content-Length: 9`));
    const statuses = () => client.received().match(/(?<=HTTP\/1\.1 )\d+/g);
    await vi.waitFor(() => expect(statuses()).toEqual(['200', '100']));
    client.socket.write(`123456789${GET}`);
    await vi.waitFor(() => expect(statuses()).toEqual(['200', '100', '200', '200']));

    expect(client.received()).toContain('\nreadHTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 ');
  });

  it('of HTTP/1.0 is not told, because it would not understand', async () => {
    const server = await listen({ handler: () => Promise.resolve(readThenAnswer) });
    const request = post(`${EXPECT}Content-Length: 9`, '123456789').replace('HTTP/1.1', 'HTTP/1.0');
    const client = await call(server, request);
    await client.closed;

    expect(client.received()).toMatch(/^HTTP\/1\.1 200 /);
  });
});

describe('clients that request many lists and leave before the answers', () => {
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

  it('delay no lists of others, though the module has room for one list only', async () => {
    const server = await listen({
      handler: () => Promise.resolve(makeList),
      limits: { ...roomLimits(MIN_MEMORY_BYTES), waitMs: 100 },
    });
    const slow = await call(server);
    slow.socket.pause();
    slow.socket.write(GET);
    await vi.waitFor(() => expect(slow.socket.readableLength).toBeGreaterThan(0));

    const other = await call(server, GET);
    await answered(other);
    expect(other.received()).toMatch(/^HTTP\/1\.1 200 /);
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
