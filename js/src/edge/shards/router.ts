/**
 * Sends each request of one account to the accounts that it is spread over.
 *
 * @module
 */

import { abortError, isTableError, serverBusy } from '../../base/errors.js';
import { MAX_BODY_BYTES } from '../../base/limits.js';
import { readBody } from '../../http/body.js';
import { failureResponse } from '../answers.js';
import { envelopeOf, type QueryAnswer, type WholeRequest } from './envelope.js';
import { outcomeUnknown } from './failures.js';
import { keyIn, readFeed } from './feed.js';
import { isClosed } from './gate.js';
import { mergePages } from './merge.js';
import {
  CATALOGUE_HEADER,
  headerOf,
  SHARD_HEADER,
  type Backend,
  type CatalogueTask,
} from './protocol.js';
import type { QueryRoute, Route, RouteReader } from './route.js';
import { selectionOf } from './select.js';
import { shardOf } from './shard-of.js';
import { TOKEN_NAMES, tokensOf } from './token.js';

/**
 * Finds the accounts that one account is spread over.
 *
 * @param isAgain - whether a shard was closed, because the account has other ones.
 * @throws {@link TableError}
 */
export type FindBackends = (isAgain: boolean) => Promise<Backends>;

/** The accounts that one account is spread over. */
export interface Backends {
  readonly catalogue: Backend;
  readonly shards: number;
  /** The shard with this number, from 0. */
  readonly shard: (number: number) => Backend;
}

// A read is sent again if a shard does not answer.
const READ_TRIES = 3;

// Thrown for the answer of a closed shard.
const CLOSED = new Error('A shard is closed.');

/** Answers a request. It rejects only if the request was aborted or its body cannot be read. */
export async function routed(
  request: Request,
  find: FindBackends,
  readRoute: RouteReader,
  accountPath: string,
): Promise<Response> {
  const { method, signal } = request;
  const url = request.url.replace(/#.*$/s, '');
  const headers = new Headers(request.headers);
  // A client asks no catalogue. The length of a body may change.
  for (const name of [CATALOGUE_HEADER, SHARD_HEADER, 'Content-Length']) headers.delete(name);
  const bytes = await readBody(request, MAX_BODY_BYTES + 1);
  const body = bytes && new Uint8Array(bytes);
  try {
    const route = readRoute({ method, target: url, headers, body }, accountPath);
    const whole = { method, url, headers, signal, body };
    const answer = async (isAgain: boolean) =>
      new RoutedRequest(whole, await find(isAgain)).answer(route);
    return await answer(false).catch((error: unknown) => {
      if (error !== CLOSED) throw error;
      return answer(true);
    });
  } catch (error) {
    const failure = error === CLOSED ? serverBusy() : error;
    if (!isTableError(failure)) throw error;
    return failureResponse({ method, headers }, failure);
  }
}

class RoutedRequest {
  readonly #request: WholeRequest;
  readonly #backends: Backends;

  constructor(request: WholeRequest, backends: Backends) {
    this.#request = request;
    this.#backends = backends;
  }

  answer(route: Route): Promise<Response> {
    const { shards } = this.#backends;
    if ('partition' in route) {
      const { table, partition } = route;
      return this.#toShard(shardOf(table, partition, shards), this.#request, table);
    }
    if ('top' in route) {
      // Without an entity, there is nothing to merge.
      return route.top === 0 ? this.#toShard(0, this.#request, route.table) : this.#merged(route);
    }
    if ('defines' in route) return this.#toCatalogue({ kind: 'define', table: route.defines });
    return this.#toCatalogue({ kind: 'read' });
  }

  async #merged({ table, top, select, part }: QueryRoute): Promise<Response> {
    const envelope = envelopeOf(this.#request, part);
    const { asked, page } = selectionOf(select);
    const selected = asked === undefined ? [] : [['$select', asked] as const];
    const answers: { answer: QueryAnswer; head: string }[] = [];
    let failure: Response | undefined;
    const merging = mergePages(this.#backends.shards, top, async (shard, count, from) => {
      const request = envelope.request([
        ['$top', `${count}`],
        ...selected,
        ...(from ? tokensOf(from).map((token, at) => [TOKEN_NAMES[at]!, token] as const) : []),
      ]);
      const answer = await envelope.read(await this.#toShard(shard, request, table));
      if (answer.json === undefined) {
        failure = answer.response;
        throw new Error('A shard has refused the query.');
      }
      const { head, entities } = readFeed(answer.json);
      answers.push({ answer, head });
      return { entities, keys: entities.map(keyIn), next: answer.next };
    });
    const merged = await merging.catch((error: unknown) => {
      if (!failure) throw error;
    });
    if (!merged) return failure!;
    const [{ answer, head }] = answers as [(typeof answers)[0]];
    return answer.with(page({ head, entities: merged.entities }), merged.next);
  }

  // A table may exist, and be missing in a shard: see `docs/internals/shards.md`.
  async #toShard(shard: number, request: WholeRequest, table: string): Promise<Response> {
    const send = async () => {
      const answer = await sent(this.#backends.shard(shard), request);
      if (isClosed(answer)) throw CLOSED;
      return answer;
    };
    const answer = await send();
    if (!(await isTableMissing(answer))) return answer;
    const settled = await this.#toCatalogue({ kind: 'settle', table });
    const { status } = settled;
    if (settled.ok || status === 404) this.#checkNumber(await settled.text());
    if (status === 404) return answer;
    // Whether the table exists is not known, and nothing was done.
    if (status !== 200) throw serverBusy();
    return send();
  }

  // The shard may be one that is not in use any more.
  #checkNumber(shards: string): void {
    if (Number(shards) !== this.#backends.shards) throw CLOSED;
  }

  #toCatalogue(task: CatalogueTask): Promise<Response> {
    const headers = new Headers(this.#request.headers);
    headers.set(CATALOGUE_HEADER, headerOf(task));
    const isOwn = task.kind === 'settle';
    const request = { ...this.#request, headers };
    const { catalogue } = this.#backends;
    return sent(catalogue, isOwn ? { ...request, method: 'GET', body: undefined } : request);
  }
}

/**
 * Sends a request to a backend.
 *
 * @throws {@link TableError} `ServerBusy` for a read without an answer, and `StorageOutcomeUnknown`
 * for a write.
 */
async function sent(backend: Backend, request: WholeRequest): Promise<Response> {
  const { method, url, headers, body, signal } = request;
  const isRead = method === 'GET';
  for (let tries = 1; ; tries++) {
    try {
      return await whole(
        await backend(new Request(url, { method, headers, body: body ?? null, signal })),
      );
    } catch (error) {
      // Some platforms have no signal here.
      if (signal?.aborted) throw abortError(signal);
      console.error('Entitable: a shard does not answer.', error);
      if (!isRead) throw outcomeUnknown(error);
      // Cloudflare asks not to repeat requests to an object that has too many.
      const { overloaded } = error as { overloaded?: unknown };
      if (tries === READ_TRIES || overloaded === true) throw serverBusy();
    }
  }
}

// An object that ends while it answers leaves a body without its end.
async function whole(answer: Response): Promise<Response> {
  const { status, headers, body } = answer;
  return body ? new Response(await answer.arrayBuffer(), { status, headers }) : answer;
}

async function isTableMissing(answer: Response): Promise<boolean> {
  const isFailure = answer.status === 404;
  // A batch has the status of a part in its text.
  if (!isFailure && answer.status !== 202) return false;
  const text = await answer.clone().text();
  return (isFailure || /^HTTP\/1\.1 404 /m.test(text)) && text.includes('TableNotFound');
}
