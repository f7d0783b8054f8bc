/**
 * Makes the shards follow the catalogue: the same tables with the same policies, and the same
 * properties of the account. Every step may be repeated.
 *
 * @module
 */

import type { Backend } from './router.js';

/** The ways to the catalogue's own account and to the shards. */
export interface SyncedBackends {
  readonly own: Backend;
  readonly shards: readonly Backend[];
  readonly baseUrl: string;
}

const PLAIN_JSON = { Accept: 'application/json;odata=nometadata' };
const PROPERTIES = '/?restype=service&comp=properties';

/** Copies definitions to the shards. */
export class TableSync {
  readonly #backends: SyncedBackends;

  constructor(backends: SyncedBackends) {
    this.#backends = backends;
  }

  /** The name of the catalogue's table as first written; undefined, if there is no such table. */
  async nameOf(table: string): Promise<string | undefined> {
    const answer = await this.#own('GET', pathOf(table), PLAIN_JSON);
    // 400: no table has such a name.
    if ([400, 404].includes(answer.status)) return undefined;
    const { TableName } = (await checked(answer, [200]).json()) as { TableName: string };
    return TableName;
  }

  /**
   * Gives every shard the definition that the catalogue has.
   *
   * @param table - the name in any case; empty: the properties of the account.
   * @throws the error of the first shard that does not follow.
   */
  async equalize(table: string): Promise<void> {
    if (table === '') return this.#copy(PROPERTIES, 202);
    const name = await this.nameOf(table);
    if (name === undefined) {
      return this.#toAll('DELETE', pathOf(table), [204, 404]);
    }
    const body = JSON.stringify({ TableName: name });
    await this.#toAll('POST', '/Tables', [201, 204, 409], body);
    await this.#copy(`/${name}?comp=acl`, 204);
  }

  // Settings, which are the same XML in both directions.
  async #copy(path: string, status: number): Promise<void> {
    const answer = checked(await this.#own('GET', path, {}), [200]);
    await this.#toAll('PUT', path, [status], await answer.text());
  }

  async #toAll(method: string, path: string, statuses: number[], body?: string): Promise<void> {
    const headers = { ...PLAIN_JSON, 'Content-Type': 'application/json' };
    const url = this.#backends.baseUrl + path;
    const asking = this.#backends.shards.map(async (shard) =>
      checked(await shard(new Request(url, { method, headers, body: body ?? null })), statuses),
    );
    const failed = (await Promise.allSettled(asking)).find(({ status }) => status === 'rejected');
    if (failed) throw (failed as PromiseRejectedResult).reason;
  }

  #own(method: string, path: string, headers: Record<string, string>): Promise<Response> {
    return this.#backends.own(new Request(this.#backends.baseUrl + path, { method, headers }));
  }
}

const pathOf = (table: string) => `/Tables('${encodeURIComponent(table).replaceAll("'", "''")}')`;

function checked(answer: Response, statuses: readonly number[]): Response {
  if (statuses.includes(answer.status)) return answer;
  throw new Error(`A request for a definition got ${answer.status}.`);
}
