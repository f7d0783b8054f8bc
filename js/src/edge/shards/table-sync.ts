/**
 * Makes the shards follow the catalogue: the same tables with the same policies, and the same
 * properties of the account. Every step may be repeated.
 *
 * @module
 */

import { pathOfTable } from './paths.js';
import type { Backend } from './protocol.js';

/** The catalogue's own account. */
export interface SyncedFrom {
  readonly own: Backend;
  /** The address of the account, without a slash at the end. */
  readonly baseUrl: string;
}

const PLAIN_JSON = { Accept: 'application/json;odata=nometadata' };
const PROPERTIES = '/?restype=service&comp=properties';

/** Copies definitions to the shards. */
export class TableSync {
  readonly #from: SyncedFrom;

  constructor(from: SyncedFrom) {
    this.#from = from;
  }

  /** The name of the catalogue's table as first written; undefined, if there is no such table. */
  async nameOf(table: string): Promise<string | undefined> {
    const answer = await this.#own('GET', pathOfTable(table), PLAIN_JSON);
    // 400: no table has such a name.
    if ([400, 404].includes(answer.status)) return undefined;
    const { TableName } = (await checked(answer, [200]).json()) as { TableName: string };
    return TableName;
  }

  /** The table that follows in the list of tables; undefined: there is none. */
  async nameAfter(table: string | undefined): Promise<string | undefined> {
    let isNext = table === undefined;
    for (let query = ''; ;) {
      const answer = checked(await this.#own('GET', `/Tables${query}`, PLAIN_JSON), [200]);
      for (const { TableName } of ((await answer.json()) as TableList).value) {
        if (isNext) return TableName;
        isNext = TableName === table;
      }
      const token = answer.headers.get('x-ms-continuation-NextTableName');
      if (token === null) return undefined;
      query = `?NextTableName=${encodeURIComponent(token)}`;
    }
  }

  /**
   * Gives every shard the definition that the catalogue has.
   *
   * @param table - the name in any case; empty: the properties of the account.
   * @throws the error of the first shard that does not follow.
   */
  async equalize(table: string, given: readonly Backend[]): Promise<void> {
    const shards = [...given];
    if (table === '') return this.#copy(shards, PROPERTIES, 202);
    const name = await this.nameOf(table);
    if (name === undefined) {
      return this.#toAll(shards, 'DELETE', pathOfTable(table), [204, 404]);
    }
    const body = JSON.stringify({ TableName: name });
    await this.#toAll(shards, 'POST', '/Tables', [201, 204, 409], body);
    await this.#copy(shards, `/${name}?comp=acl`, 204);
  }

  // Settings, which are the same XML in both directions.
  async #copy(shards: readonly Backend[], path: string, status: number): Promise<void> {
    const answer = checked(await this.#own('GET', path, {}), [200]);
    await this.#toAll(shards, 'PUT', path, [status], await answer.text());
  }

  async #toAll(
    shards: readonly Backend[],
    method: string,
    path: string,
    statuses: number[],
    body?: string,
  ): Promise<void> {
    const headers = { ...PLAIN_JSON, 'Content-Type': 'application/json' };
    const url = this.#from.baseUrl + path;
    const asking = shards.map(async (shard) =>
      checked(await shard(new Request(url, { method, headers, body: body ?? null })), statuses),
    );
    const failed = (await Promise.allSettled(asking)).find(({ status }) => status === 'rejected');
    if (failed) throw (failed as PromiseRejectedResult).reason;
  }

  #own(method: string, path: string, headers: Record<string, string>): Promise<Response> {
    return this.#from.own(new Request(this.#from.baseUrl + path, { method, headers }));
  }
}

interface TableList {
  readonly value: readonly { readonly TableName: string }[];
}

function checked(answer: Response, statuses: readonly number[]): Response {
  if (statuses.includes(answer.status)) return answer;
  throw new Error(`A request for a definition got ${answer.status}.`);
}
