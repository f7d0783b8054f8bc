// wire-program.ts - runs the conformance cases over HTTP, in the server of Deno or Bun. It prints
// what fails of each case.

import { Agent, request as httpRequest } from 'node:http';
import process from 'node:process';

import type { TableServiceClient } from '../../../../js/src/client/table-service-client.js';
import type { AccountSession } from '../../../../js/src/core/account-session.js';
import { createTableHandler } from '../../../../js/src/http.js';
import type { HttpAnswer } from '../../../../js/src/http/frames.js';
import { runConformanceCase, type PlainRequest, type Transport } from './case-run.js';
import { readCasesOverHttp } from './over-http.js';
import { signedRequest, SIGNER } from './signer.js';

type Handler = (request: Request) => Promise<Response>;

interface Address {
  readonly hostname: string;
  readonly port: number;
}

interface Servers {
  Deno?: {
    serve(options: Address & { onListen(): void }, handler: Handler): { addr: { port: number } };
  };
  Bun?: { serve(options: Address & { fetch: Handler }): { port: number } };
}

const { Deno, Bun } = globalThis as unknown as Servers;
const ADDRESS = { hostname: '127.0.0.1', port: 0 };

let handler: Handler;
const handle: Handler = (request) => handler(request);
const port = Deno
  ? Deno.serve({ ...ADDRESS, onListen() {} }, handle).addr.port
  : Bun!.serve({ ...ADDRESS, fetch: handle }).port;

const { account: ACCOUNT } = SIGNER;

/** The way over HTTP, to a handler that checks signatures, or checks none. */
const overHttp = (isSigned: boolean): Transport => ({
  account: ACCOUNT,
  baseUrl: `http://127.0.0.1:${port}/${ACCOUNT}`,
  handlerFor(session: AccountSession) {
    // The handler uses only the session of the account.
    const account = { session } as TableServiceClient;
    handler = createTableHandler(account, { authentication: isSigned ? SIGNER : 'anonymous' });
    return async (request, sign) => send(isSigned ? await signedRequest(request, sign) : request);
  },
});

// Some cases send thousands of requests at once.
const agent = new Agent({ keepAlive: false, maxSockets: 64 });

// fetch() forbids some headers, and changes some addresses.
function send({ method, target, headers, body }: PlainRequest): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const path = `/${ACCOUNT}${target.replaceAll(' ', '%20')}`;
    const to = { host: '127.0.0.1', port, path, agent };
    const options = { ...to, method, headers: headersOf(headers, body) };
    const request = httpRequest(options, (response) => {
      const chunks: Uint8Array[] = [];
      response.on('data', (chunk: Uint8Array) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const { rawHeaders, statusCode = 0 } = response;
        const pairs = Array.from({ length: rawHeaders.length / 2 }, (_, at): [string, string] => [
          rawHeaders[2 * at]!,
          rawHeaders[2 * at + 1]!,
        ]);
        resolve({ status: statusCode, headers: pairs, body: Buffer.concat(chunks) });
      });
    });
    request.on('error', reject);
    request.end(body);
  });
}

function headersOf(pairs: PlainRequest['headers'], body: Uint8Array | undefined) {
  const headers: Record<string, string | string[]> = {};
  if (body) headers['Content-Length'] = `${body.length}`;
  for (const [name, value] of pairs) {
    headers[name] = name in headers ? [headers[name]!, value].flat() : value;
  }
  return headers;
}

let now: number;
Date.now = () => now;

const said: Record<string, readonly string[]> = {};
for (const [title, { one, isSigned }] of await readCasesOverHttp()) {
  now = Date.UTC(2024, 0, 2, 3, 4, 5, 678);
  const outcome = await runConformanceCase(one, (by) => (now += by), overHttp(isSigned)).catch(
    (error: unknown) => ({ failures: [String(error)] }),
  );
  said[title] = outcome.failures;
}
process.stdout.write(JSON.stringify(said), () => process.exit());
