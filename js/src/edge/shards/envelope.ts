/**
 * What is around a query: nothing, or a batch. The router reads and makes the query within.
 *
 * @module
 */

import { textOfUtf8 } from '../../base/utf8.js';
import { keyOf, nextIn, TOKEN_NAMES, TOKEN_PREFIX, tokensOf, type Key } from './token.js';

/** A request whose body has arrived. */
export interface WholeRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  readonly body: Uint8Array<ArrayBuffer> | undefined;
  readonly signal: AbortSignal;
}

/** The answer of a shard to a query. */
export interface QueryAnswer {
  /** The JSON of a page; undefined, if the query has failed. */
  readonly json: string | undefined;
  /** Where the next page begins. */
  readonly next: Key | undefined;
  /** The answer to the client with this page. */
  with(json: string, next: Key | undefined): Response;
  /** The answer as it is. */
  readonly response: Response;
}

/** The parameters of a query to replace. */
export type Parameters = readonly (readonly [name: string, value: string])[];

/** The same request with other parameters of its query, and a reader of its answers. */
export interface Envelope {
  request(parameters: Parameters): WholeRequest;
  read(response: Response): Promise<QueryAnswer>;
}

const EXPOSED = 'Access-Control-Expose-Headers';

/** @param part - the address of the query, if the request is a batch. */
export const envelopeOf = (request: WholeRequest, part: string | undefined): Envelope =>
  part === undefined ? plainQuery(request) : queryInBatch(request, part);

function plainQuery(request: WholeRequest): Envelope {
  return {
    request: (parameters) => ({ ...request, url: withParameters(request.url, parameters) }),
    async read(response) {
      const bytes = await response.arrayBuffer();
      const { status } = response;
      const headers = new Headers(response.headers);
      return {
        json: status === 200 ? textOfUtf8(new Uint8Array(bytes)) : undefined,
        next: nextIn(headers),
        response: new Response(bytes, { status, headers }),
        with(json, next) {
          for (const name of TOKEN_NAMES) headers.delete(TOKEN_PREFIX + name);
          headers.delete('Content-Length');
          for (const [name, value] of tokenHeaders(next)) headers.set(name, value);
          exposeTokens(headers, next);
          return new Response(json, { status, headers });
        },
      };
    },
  };
}

function queryInBatch(request: WholeRequest, part: string): Envelope {
  const body = textOfUtf8(request.body!);
  const at = body.indexOf(`GET ${part}`) + 'GET '.length;
  const [before, after] = [body.slice(0, at), body.slice(at + part.length)];
  return {
    request: (parameters) => ({
      ...request,
      body: new TextEncoder().encode(before + withParameters(part, parameters) + after),
    }),
    async read(response) {
      const text = textOfUtf8(new Uint8Array(await response.arrayBuffer()));
      const { status, headers } = response;
      const remake = (made: string) => new Response(made, { status, headers: remade(headers) });
      const found = PART.exec(text);
      if (!found) return { json: undefined, next: undefined, response: remake(text), with: remake };
      const [, head = '', fields = '', json, end = ''] = found;
      const lines = fields.split('\r\n').filter(Boolean);
      const [partition, row] = TOKEN_NAMES.map((name) => tokenIn(lines, name));
      return {
        json,
        next: partition === undefined ? undefined : keyOf(partition, row),
        response: remake(text),
        with(merged, next) {
          const kept = lines.filter((line) => !TOKEN_LINE.test(line));
          const all = [...kept, ...tokenHeaders(next).map((pair) => pair.join(': '))];
          return remake(`${head}${all.join('\r\n')}\r\n\r\n${merged}${end}`);
        },
      };
    },
  };
}

// A batch whose only part has succeeded: the text up to its status, its headers, its body, and the
// rest.
const PART = /^([^]*?\r\nHTTP\/1\.1 200 OK\r\n)([^]*?\r\n)\r\n([^]*)(\r\n--[^\r\n]*--\r\n)$/;
const TOKEN_LINE = /^x-ms-continuation-/i;

function tokenIn(lines: readonly string[], name: string): string | undefined {
  const start = `${TOKEN_PREFIX}${name}: `.toLowerCase();
  return lines.find((line) => line.toLowerCase().startsWith(start))?.slice(start.length);
}

const tokenHeaders = (next: Key | undefined): [name: string, value: string][] =>
  next ? tokensOf(next).map((token, at) => [TOKEN_PREFIX + TOKEN_NAMES[at]!, token]) : [];

// The shard has exposed the headers of its own answer, which may have had no token.
function exposeTokens(headers: Headers, next: Key | undefined): void {
  const exposed = headers.get(EXPOSED);
  if (exposed === null || !next) return;
  const missing = TOKEN_NAMES.map((name) => TOKEN_PREFIX + name).filter(
    (name) => !exposed.toLowerCase().split(',').includes(name.toLowerCase()),
  );
  headers.set(EXPOSED, [exposed, ...missing].join());
}

function remade(headers: Headers): Headers {
  const kept = new Headers(headers);
  kept.delete('Content-Length');
  return kept;
}

function withParameters(address: string, parameters: Parameters): string {
  const [path = '', query = ''] = address.split(/\?(.*)/s, 2);
  const kept = query.split('&').filter((pair) => {
    const name = decodeURIComponent(pair.split('=', 1)[0]!);
    return pair !== '' && !parameters.some(([replaced]) => replaced === name);
  });
  const added = parameters.map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return `${path}?${[...kept, ...added].join('&')}`;
}
