/**
 * Spreads an account over another number of shards: a copy, while clients can only read.
 *
 * Each step may be repeated, and the next one is always known from the records. So it goes on where
 * it was, whatever has ended in between. `docs/internals/shards.md` has the states.
 *
 * @module
 */

import { forEachAtOnce } from '../../base/at-once.js';
import { isTableError, serverBusy, TableError } from '../../base/errors.js';
import { copyPage } from './copy.js';
import { failureOf } from './failures.js';
import { MAX_SHARDS } from './most-shards.js';
import { pathOfTable } from './paths.js';
import { FILL, SHARD_HEADER, type GateState } from './protocol.js';
import type { Resharding, ShardRecords } from './records.js';
import type { Backend } from './router.js';
import type { TableSync } from './table-sync.js';

/** What a resharding works with. */
export interface ReshardingParts {
  readonly records: ShardRecords;
  readonly sync: TableSync;
  /** A set of shards by its size. The sets have no shard in common. */
  readonly shardsOf: (shards: number) => readonly Backend[];
  readonly baseUrl: string;
  /** Finishes changes of tables. From now on, no other one begins. */
  readonly settleAll: () => Promise<void>;
}

/** How far it is. */
export interface ShardStatus {
  /** How many shards clients use. */
  readonly shards: number;
  /** Undefined: nothing is under way. */
  readonly state?: Resharding['state'] | undefined;
  /** How many shards clients are going to use. */
  readonly to?: number | undefined;
  /** How many entities were copied. */
  readonly copied?: number | undefined;
}

// Requests to objects at the same time: the limit of the platform.
const AT_ONCE = 6;

// Tables that one step deletes.
const TABLES_AT_ONCE = 500;

type In<State extends Resharding['state']> = Resharding & { readonly state: State };

/** The resharding of one account. */
export class ReshardingSteps {
  readonly #parts: ReshardingParts;
  #last: Promise<unknown> = Promise.resolve();

  constructor(parts: ReshardingParts) {
    this.#parts = parts;
  }

  async status(): Promise<ShardStatus> {
    const { records } = this.#parts;
    const shards = await records.shards();
    if (shards === undefined) throw serverBusy();
    const { state, to, copied } = (await records.resharding()) ?? {};
    return state === undefined ? { shards } : { shards, state, to, copied };
  }

  /** Whether tables must stay as they are, because clients are between two sets of shards. */
  async holdsTables(): Promise<boolean> {
    const state = (await this.#parts.records.resharding())?.state;
    return state !== undefined && state !== 'clearing';
  }

  /**
   * Takes the next step to so many shards.
   *
   * @throws {@link TableError} `InvalidInput`, if the number is wrong, or the account is on its way
   * to another number; the error of a shard that refuses; `ServerBusy`.
   */
  advance(to: number): Promise<void> {
    if (!Number.isInteger(to) || to < 2 || to > MAX_SHARDS) {
      throw refusal(`The number of shards is an integer from 2 to ${MAX_SHARDS}.`);
    }
    return this.#inTurn(async (resharding) => {
      if (resharding?.state === 'clearing' || resharding?.state === 'cancelling') return resharding;
      if (resharding && resharding.to !== to) {
        throw refusal(
          `The account is on its way to ${resharding.to} shards. Finish that, or cancel it.`,
        );
      }
      if (resharding) return resharding;
      const from = await this.#parts.records.shards();
      if (from === undefined) throw serverBusy();
      return from === to ? undefined : { state: 'stopping', from, to, copied: 0 };
    });
  }

  /**
   * Takes the next step back.
   *
   * @throws {@link TableError} `InvalidInput`, if everything was copied already; as `advance()`.
   */
  cancel(): Promise<void> {
    return this.#inTurn((resharding) => {
      if (resharding?.state === 'closing' || resharding?.state === 'opening') {
        throw refusal('Everything was copied already, so it cannot be cancelled any more.');
      }
      if (!resharding || resharding.state === 'clearing') return resharding;
      return { ...resharding, state: 'cancelling' };
    });
  }

  /** Ends the moment in which neither set of shards takes requests. */
  async open(): Promise<void> {
    const { records } = this.#parts;
    const isBetween = (state: Resharding['state'] | undefined) =>
      state === 'closing' || state === 'opening';
    while (isBetween((await records.resharding())?.state)) {
      await this.#inTurn((now) => (isBetween(now?.state) ? now : undefined));
    }
  }

  // One step after another. `next` returns the state to leave; undefined: nothing is to be done.
  #inTurn(
    next: (
      now: Resharding | undefined,
    ) => PromiseLike<Resharding | undefined> | Resharding | undefined,
  ): Promise<void> {
    const { records } = this.#parts;
    const done = this.#last.then(async () => {
      const now = await records.resharding();
      const resharding = await next(now);
      if (!resharding) return;
      if (resharding.state !== now?.state) await records.setResharding(resharding);
      await this.#leave(resharding);
    });
    this.#last = done.catch(() => {});
    return done.catch((error: unknown) => {
      if (isTableError(error)) throw error;
      console.error('Entitable: a step of the resharding has failed.', error);
      throw serverBusy();
    });
  }

  async #leave(now: Resharding): Promise<void> {
    const { records, settleAll } = this.#parts;
    const { from, to, copied } = now;
    switch (now.state) {
      case 'stopping':
        await settleAll();
        await this.#setGates(from, 'reading');
        return records.setResharding({ ...now, state: 'preparing', shard: 0 });
      case 'preparing':
        return this.#prepare(now);
      case 'copying':
        return this.#copy(now);
      case 'closing':
        await this.#setGates(from, 'closed');
        return records.setShards(to, { ...now, state: 'opening' });
      case 'opening':
        await this.#setGates(to, 'open');
        return records.setResharding({ ...now, state: 'clearing', shard: 0 });
      case 'cancelling':
        await this.#setGates(from, 'open');
        return records.setResharding({ from: to, to: from, copied, state: 'clearing', shard: 0 });
      case 'clearing':
        return this.#clear(now);
    }
  }

  // A shard may have tables of an earlier resharding.
  async #prepare(now: In<'preparing'>): Promise<void> {
    const { records } = this.#parts;
    const { to, shard } = now;
    if (!(await this.#empty(to, shard))) return;
    await records.setResharding(
      shard + 1 < to ? { ...now, shard: shard + 1 } : { ...now, state: 'copying' },
    );
  }

  async #copy(now: In<'copying'>): Promise<void> {
    const { records, sync, shardsOf, baseUrl } = this.#parts;
    const { from, to, copied, at } = now;
    const targets = shardsOf(to);
    const table = at ? at.table : await sync.nameAfter(undefined);
    if (table === undefined) return this.#endCopy(now, copied);
    const shard = at?.shard ?? 0;
    if (shard === 0 && !at?.from) await sync.equalize(table, targets);
    const page = await copyPage({
      ...{ baseUrl, table, from: at?.from },
      source: this.#shard(from, shard),
      targets: targets.map(filling),
    });
    const sum = copied + page.entities;
    const isTableDone = !page.next && shard + 1 === from;
    const next = isTableDone ? await sync.nameAfter(table) : table;
    if (next === undefined) return this.#endCopy(now, sum);
    const isShardDone = !page.next;
    const place = isTableDone ? 0 : isShardDone ? shard + 1 : shard;
    await records.setResharding({
      ...now,
      copied: sum,
      at: { table: next, shard: place, from: page.next },
    });
  }

  async #endCopy({ from, to }: In<'copying'>, copied: number): Promise<void> {
    const { records, sync, shardsOf } = this.#parts;
    await sync.equalize('', shardsOf(to));
    await records.setResharding({ state: 'closing', from, to, copied });
  }

  async #clear(now: In<'clearing'>): Promise<void> {
    const { from, shard } = now;
    if (!(await this.#empty(from, shard))) return;
    await this.#parts.records.setResharding(
      shard + 1 < from ? { ...now, shard: shard + 1 } : undefined,
    );
  }

  #shard(shards: number, shard: number): Backend {
    return this.#parts.shardsOf(shards)[shard]!;
  }

  async #setGates(shards: number, state: GateState): Promise<void> {
    await forEachAtOnce(this.#parts.shardsOf(shards), AT_ONCE, (shard) =>
      this.#setGate(shard, state),
    );
  }

  async #setGate(shard: Backend, state: GateState): Promise<void> {
    const headers = { [SHARD_HEADER]: state };
    const answer = await shard(new Request(`${this.#parts.baseUrl}/`, { headers }));
    if (answer.status !== 204) throw await failureOf(answer);
  }

  // Closes a shard, and deletes its tables. Returns whether it has no more of them.
  async #empty(shards: number, shard: number): Promise<boolean> {
    const { baseUrl } = this.#parts;
    await this.#setGate(this.#shard(shards, shard), 'closed');
    const backend = filling(this.#shard(shards, shard));
    const headers = { Accept: 'application/json;odata=nometadata' };
    const list = `${baseUrl}/Tables?$top=${TABLES_AT_ONCE}`;
    const answer = await backend(new Request(list, { headers }));
    if (answer.status !== 200) throw await failureOf(answer);
    const { value } = (await answer.json()) as { value: readonly { TableName: string }[] };
    await forEachAtOnce(value, AT_ONCE, async ({ TableName }) => {
      const url = baseUrl + pathOfTable(TableName);
      const deleted = await backend(new Request(url, { method: 'DELETE', headers }));
      if (![204, 404].includes(deleted.status)) throw await failureOf(deleted);
    });
    return value.length < TABLES_AT_ONCE;
  }
}

// The text reaches the person who runs the command.
const refusal = (text: string) => new TableError('InvalidInput', text);

/** The same shard for requests that it takes only while it is closed to clients. */
const filling =
  (shard: Backend): Backend =>
  (request) => {
    const headers = new Headers(request.headers);
    headers.set(SHARD_HEADER, FILL);
    return shard(new Request(request, { headers }));
  };
