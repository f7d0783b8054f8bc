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
import { askedTo } from './asked.js';
import { copyPage } from './copy.js';
import { failureOf } from './failures.js';
import { MAX_SHARDS } from './most-shards.js';
import type { ShardTask } from './protocol.js';
import type { Resharding, ShardRecords } from './records.js';
import type { Backend } from './protocol.js';
import type { TableSync } from './table-sync.js';

/** What a resharding works with. */
export interface ReshardingParts {
  readonly records: ShardRecords;
  readonly sync: TableSync;
  /** A set of shards by its size. The sets have no shard in common. */
  readonly shardsOf: (shards: number) => readonly Backend[];
  readonly baseUrl: string;
  /** Finishes the changes of tables that have begun. */
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
  /** The table that is copied. */
  readonly table?: string | undefined;
  /** How many entities were copied. */
  readonly copied?: number | undefined;
}

// Requests to objects at the same time: the limit of the platform.
const AT_ONCE = 6;

// A step copies pages until it has sent so many. A page may take 401 more.
const REQUESTS_OF_STEP = 200;

type InState<State extends Resharding['state']> = Resharding & { readonly state: State };

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
    const resharding = await records.resharding();
    if (!resharding) return { shards };
    const { state, to, copied } = resharding;
    const table = state === 'copying' ? resharding.at.table : undefined;
    return { shards, state, to, table, copied };
  }

  /** Whether tables must stay as they are, because clients are between two sets of shards. */
  async holdsTables(): Promise<boolean> {
    const state = (await this.#parts.records.resharding())?.state;
    return state !== undefined && state !== 'clearing';
  }

  /**
   * Takes the next step, and begins if nothing is under way.
   *
   * @param to - how many shards clients are going to use; undefined: it does not begin.
   * @throws {@link TableError} `InvalidInput`, if the number is wrong, or the account is on its way
   * to another number; the error of a shard that refuses; `ServerBusy`.
   */
  advance(to?: number): Promise<void> {
    if (to !== undefined && !(Number.isInteger(to) && to >= 2 && to <= MAX_SHARDS)) {
      throw refusal(`The number of shards is an integer from 2 to ${MAX_SHARDS}.`);
    }
    return this.#takeStep(async (now) => {
      if (now?.state === 'clearing' || now?.state === 'cancelling' || to === undefined) return now;
      if (now && now.to !== to) {
        throw refusal(
          `The account is on its way to ${now.to} shards. Run --shards ${now.to} to finish that, ` +
            'or --cancel.',
        );
      }
      if (now) return now;
      const from = await this.#parts.records.shards();
      if (from === undefined) throw serverBusy();
      return from === to ? undefined : { state: 'stopping', from, to, copied: 0 };
    });
  }

  /**
   * Takes the first step back.
   *
   * @throws {@link TableError} `InvalidInput`, if everything was copied already; as `advance()`.
   */
  cancel(): Promise<void> {
    return this.#takeStep((now) => {
      const isPast = now?.state === 'clearing' && !now.isCancelled;
      if (isPast || now?.state === 'closing' || now?.state === 'opening') {
        throw refusal(
          'Everything was copied, so it cannot be cancelled any more. ' +
            `Run --shards ${now.to} to finish it.`,
        );
      }
      return now && now.state !== 'clearing' ? { ...now, state: 'cancelling' } : now;
    });
  }

  /** Ends the moment in which neither set of shards takes requests. */
  async open(): Promise<void> {
    const { records } = this.#parts;
    const isBetween = (state: Resharding['state'] | undefined) =>
      state === 'closing' || state === 'opening';
    while (isBetween((await records.resharding())?.state)) {
      await this.#takeStep((now) => (isBetween(now?.state) ? now : undefined));
    }
  }

  // One step after another.
  #takeStep(choose: (now: Resharding | undefined) => Chosen | Promise<Chosen>): Promise<void> {
    const { records } = this.#parts;
    const done = this.#last.then(async () => {
      const now = await records.resharding();
      const chosen = await choose(now);
      if (!chosen) return;
      if (chosen.state !== now?.state) await records.setResharding(chosen);
      await this.#carryOut(chosen);
    });
    this.#last = done.catch(() => {});
    return done.catch((error: unknown) => {
      if (isTableError(error)) throw error;
      console.error('Entitable: a step of the resharding has failed.', error);
      throw serverBusy();
    });
  }

  // Does what a state stands for, and stores the next one.
  async #carryOut(now: Resharding): Promise<void> {
    const { records, settleAll } = this.#parts;
    const { from, to, copied } = now;
    switch (now.state) {
      case 'stopping':
        await settleAll();
        await this.#askAll(from, 'reading');
        return records.setResharding({ ...now, state: 'preparing', shard: 0 });
      case 'preparing':
        return this.#prepare(now);
      case 'defining':
        return this.#define(now);
      case 'copying':
        return this.#copy(now);
      case 'closing':
        await this.#askAll(from, 'closed');
        return records.setShards(to, { ...now, state: 'opening' });
      case 'opening':
        await this.#askAll(to, 'open');
        return records.setResharding({ ...now, state: 'clearing', shard: 0 });
      case 'cancelling':
        await this.#askAll(from, 'open');
        return records.setResharding({
          ...{ state: 'clearing', isCancelled: true, shard: 0, copied },
          ...{ from: to, to: from },
        });
      case 'clearing':
        return this.#clear(now);
    }
  }

  // A shard may have entities of an earlier resharding.
  async #prepare(now: InState<'preparing'>): Promise<void> {
    const { from, to, shard, copied } = now;
    await this.#ask(this.#shard(to, shard), 'empty');
    if (shard + 1 < to) return this.#parts.records.setResharding({ ...now, shard: shard + 1 });
    return this.#beginTableAfter(undefined, { from, to, copied });
  }

  // The properties of the account have an empty name, and come last.
  async #beginTableAfter(table: string | undefined, counts: Counts): Promise<void> {
    const { records, sync } = this.#parts;
    const next = (await sync.nameAfter(table)) ?? '';
    await records.setResharding({ ...counts, state: 'defining', table: next });
  }

  async #define({ from, to, copied, table }: InState<'defining'>): Promise<void> {
    const { records, sync } = this.#parts;
    await sync.equalize(table, this.#targets(to));
    const counts = { from, to, copied };
    await records.setResharding(
      table === ''
        ? { ...counts, state: 'closing' }
        : { ...counts, state: 'copying', at: { table, shard: 0 } },
    );
  }

  async #copy({ from, to, copied, at }: InState<'copying'>): Promise<void> {
    const { records, baseUrl } = this.#parts;
    const targets = this.#targets(to);
    let [place, sum, requests] = [at, copied, 0];
    while (place.shard < from && requests < REQUESTS_OF_STEP) {
      const source = askedTo('own', this.#shard(from, place.shard));
      const page = await copyPage({ ...place, baseUrl, source, targets });
      sum += page.entities;
      requests += page.requests;
      const shard = page.next ? place.shard : place.shard + 1;
      place = { table: place.table, shard, from: page.next };
    }
    if (place.shard === from) return this.#beginTableAfter(at.table, { from, to, copied: sum });
    await records.setResharding({ state: 'copying', from, to, copied: sum, at: place });
  }

  async #clear(now: InState<'clearing'>): Promise<void> {
    const { from, shard } = now;
    await this.#ask(this.#shard(from, shard), 'empty');
    const isLast = shard + 1 === from;
    await this.#parts.records.setResharding(isLast ? undefined : { ...now, shard: shard + 1 });
  }

  // They take the copy while they are closed to clients.
  #targets(shards: number): Backend[] {
    return this.#parts.shardsOf(shards).map((shard) => askedTo('fill', shard));
  }

  #shard(shards: number, shard: number): Backend {
    return this.#parts.shardsOf(shards)[shard]!;
  }

  async #askAll(shards: number, task: ShardTask): Promise<void> {
    await forEachAtOnce(this.#parts.shardsOf(shards), AT_ONCE, (shard) => this.#ask(shard, task));
  }

  async #ask(shard: Backend, task: ShardTask): Promise<void> {
    const answer = await askedTo(task, shard)(new Request(`${this.#parts.baseUrl}/`));
    if (answer.status !== 204) throw await failureOf(answer);
  }
}

type Chosen = Resharding | undefined;
type Counts = Pick<Resharding, 'from' | 'to' | 'copied'>;

// The text reaches the person who runs the command.
const refusal = (text: string) => new TableError('InvalidInput', text);
