// proxy.ts - stands between a program and a server, and may do something else with a request.

import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

import { onTestFinished } from 'vitest';

export interface ProxyAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface ProxyRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly body: string;
  /** Asks the server. */
  forward(): Promise<ProxyAnswer>;
}

/** Returns the answer; undefined: the connection ends without one. */
export type Intercept = (request: ProxyRequest) => Promise<ProxyAnswer | undefined>;

// They are about one connection.
const HOP = ['connection', 'content-length', 'host', 'keep-alive', 'transfer-encoding'];

/** Starts it for the length of the test. Returns its address, with the path of the target. */
export async function startProxy(target: string, intercept: Intercept): Promise<string> {
  const { origin, pathname } = new URL(target);
  const answered = async (request: IncomingMessage) => {
    const { method = '', url: path = '' } = request;
    const body = await text(request);
    return await intercept({
      ...{ method, path, body },
      async forward() {
        const headers = withoutHop(request.headers as Record<string, string>);
        const init = { method, headers, ...(body && { body }) };
        const received = await fetch(`${origin}${path}`, init);
        const told = withoutHop(Object.fromEntries(received.headers));
        return { status: received.status, headers: told, body: await received.text() };
      },
    });
  };
  const server = createServer((request, response) => {
    answered(request).then(
      (answer) => {
        if (answer) response.writeHead(answer.status, answer.headers).end(answer.body);
        else response.destroy();
      },
      () => response.destroy(),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}${pathname}`;
}

function withoutHop(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP.includes(name)));
}
