/**
 * The catalogue of an account that is spread over several: it knows the tables, and makes the
 * shards follow.
 *
 * An account of its own has the tables, their policies and the properties, but no entity. So it
 * answers requests about them as any account does. `docs/internals/shards.md` has the states.
 *
 * @module
 */

import { isTableError, serverBusy } from '../../base/errors.js';
import { failureResponse } from '../answers.js';
import { askedTo } from './asked.js';
import { outcomeUnknown } from './failures.js';
import { CATALOGUE_HEADER, taskOf } from './protocol.js';
import { ShardRecords, type RecordStore } from './records.js';
import { answerReshard } from './reshard-requests.js';
import { ReshardingSteps } from './resharding.js';
import type { Backend } from './protocol.js';
import { TableSync } from './table-sync.js';

/** What a catalogue is made of. */
export interface CatalogueParts {
  /** The account with the tables, as clients see it. */
  readonly clients: Backend;
  /** The same account, which takes requests without a signature. */
  readonly own: Backend;
  /** So many shards, which take requests of the catalogue. */
  readonly shardsOf: (shards: number) => readonly Backend[];
  /** Whether there are sets of other sizes, and shards with gates. */
  readonly canReshard: boolean;
  readonly records: RecordStore;
  /** The address of the account, without a slash at the end. */
  readonly baseUrl: string;
}

/**
 * There must be only one catalogue of an account at any time: it carries out changes of a table one
 * after another.
 */
export class ShardCatalogue {
  readonly #clients: Backend;
  readonly #records: ShardRecords;
  readonly #sync: TableSync;
  readonly #resharding: ReshardingSteps;
  readonly #shardsOf: (shards: number) => readonly Backend[];
  readonly #canReshard: boolean;
  // The last work on each table.
  readonly #queues = new Map<string, Promise<unknown>>();

  constructor({ clients, own, shardsOf, canReshard, records, baseUrl }: CatalogueParts) {
    this.#clients = clients;
    this.#shardsOf = shardsOf;
    this.#canReshard = canReshard;
    this.#records = new ShardRecords(records);
    this.#sync = new TableSync({ own, baseUrl });
    this.#resharding = new ReshardingSteps({
      ...{ records: this.#records, sync: this.#sync, shardsOf, baseUrl },
      settleAll: () => this.#settleAll(),
    });
  }

  /** Answers a router. A request without a task reads. */
  async answer(request: Request): Promise<Response> {
    const { method, headers } = request;
    try {
      return await this.#carryOut(request);
    } catch (error) {
      if (!isTableError(error)) throw error;
      return failureResponse({ method, headers }, error);
    }
  }

  async #carryOut(request: Request): Promise<Response> {
    const task = taskOf(request.headers.get(CATALOGUE_HEADER)) ?? { kind: 'read' };
    switch (task.kind) {
      case 'open':
        return this.#open(task.shards);
      case 'settle':
        await this.#settle(task.table);
        return this.#settled(task.table);
      case 'define':
        return this.#define(task.table, request);
      case 'reshard':
        return this.#canReshard ? answerReshard(request, this.#resharding) : this.#read(request);
      case 'read':
        return this.#read(request);
    }
  }

  // The number of shards is stored with the first request.
  async #open(shards: number): Promise<Response> {
    await this.#resharding.open();
    return this.#inTurn('', async () => {
      const stored = await this.#records.shards();
      if (stored !== undefined) return new Response(`${stored}`);
      const first = await this.#sync.nameAfter(undefined).catch(notRead);
      if (first !== undefined) {
        const reason = 'The account has tables already, which are not in shards.';
        return new Response(reason, { status: 409 });
      }
      await this.#records.setShards(shards);
      return new Response(`${shards}`);
    });
  }

  #define(table: string, request: Request): Promise<Response> {
    // Its caller cannot use it again: its body is read once.
    const sent = request;
    return this.#inTurn(table, async () => {
      if (await this.#resharding.holdsTables()) throw serverBusy();
      await this.#finish(table);
      await this.#records.begin(table);
      const answer = await this.#clients(sent);
      // It may be stored, or not: the next request for the table finds out.
      if (answer.status >= 500) return answer;
      if (answer.ok) await this.#equalize(table).catch(notKnown);
      // The change is complete, even if this is not noted: then the next request repeats it.
      await this.#records.end(table).catch(report);
      return answer;
    });
  }

  async #read(request: Request): Promise<Response> {
    // A list of tables must not wait for a shard that does not answer.
    const unsettled = await this.#records.unsettled();
    await Promise.allSettled(unsettled.map((table) => this.#settle(table)));
    return this.#clients(request);
  }

  #settle(table: string): Promise<void> {
    return this.#inTurn(table, () => this.#finish(table));
  }

  // Whatever was begun, the table of the catalogue decides how it ends.
  async #finish(table: string): Promise<void> {
    if (!(await this.#records.unsettled()).includes(table)) return;
    await this.#equalize(table).catch(notDone);
    await this.#records.end(table);
  }

  // A router that knows another number has asked a shard that is not in use.
  async #settled(table: string): Promise<Response> {
    const status = (await this.#sync.nameOf(table)) ? 200 : 404;
    return new Response(`${await this.#records.shards()}`, { status });
  }

  async #settleAll(): Promise<void> {
    await Promise.allSettled(this.#queues.values());
    for (const table of await this.#records.unsettled()) await this.#settle(table);
  }

  async #equalize(table: string): Promise<void> {
    const shards = await this.#records.shards();
    if (shards === undefined) throw new Error('No router has opened the account.');
    const all = this.#shardsOf(shards).map((shard) => askedTo('own', shard));
    await this.#sync.equalize(table, all);
  }

  async #inTurn<T>(table: string, work: () => Promise<T>): Promise<T> {
    const before = this.#queues.get(table) ?? Promise.resolve();
    const done = before.then(work, work);
    const queued = done.catch(() => {});
    this.#queues.set(table, queued);
    try {
      return await done;
    } finally {
      if (this.#queues.get(table) === queued) this.#queues.delete(table);
    }
  }
}

const report = (cause: unknown) =>
  console.error('Entitable: a change of a table is not finished.', cause);

function notKnown(cause: unknown): never {
  report(cause);
  throw outcomeUnknown(cause);
}

function notRead(cause: unknown): never {
  console.error('Entitable: the tables cannot be read.', cause);
  throw serverBusy();
}

function notDone(cause: unknown): never {
  report(cause);
  throw serverBusy();
}
