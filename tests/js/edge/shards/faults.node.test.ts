// Random requests with random faults between router, catalogue and shards, beside a model.

import { beforeEach, describe, expect, it, vi } from 'vitest';

import { roundsOf } from '../../../../scripts/test/tier.mjs';
import { randomNumbers, testSeed } from '../../support/random-numbers.js';
import {
  JSON_HEADERS,
  openSharded,
  tablesOf,
  type Fate,
  type Sharded,
} from '../../support/shards.js';

const first = testSeed();
const rounds = roundsOf('ENTITABLE_SHARD_ROUNDS', { usual: 2, whole: 6 });

const TABLES = ['Pets', 'Logs'];
const PARTITIONS = Array.from({ length: 12 }, (_, at) => `p${at}`);
const ROWS = ['1', '2'];
const SIZES = [2, 3, 4];
const FATES: Fate[] = ['lost', 'unanswered', 'cut', 'killed before', 'killed after'];

/** What an entity may be: its values; undefined, if it may be missing. */
type Possible = Set<number | undefined>;

/** Sends requests, and knows what may be stored. */
class Client {
  readonly #account: Sharded;
  readonly #random: (below: number) => number;
  // A table that is not here does not exist.
  readonly #tables = new Map<string, { mayBeMissing: boolean; entities: Map<string, Possible> }>();
  #lastValue = 0;
  // Where the account is on its way to.
  #to: number | undefined;

  constructor(account: Sharded, random: (below: number) => number) {
    this.#account = account;
    this.#random = random;
  }

  async act(): Promise<void> {
    const kind = this.#random(22);
    const table = this.#oneOf(TABLES);
    if (kind === 0) await this.#drop(table);
    else if (kind < 4) await this.#create(table);
    else if (kind < 7) await this.#check(table);
    else if (kind < 10) await this.#transact(table);
    else if (kind < 12) await this.#delete(table);
    else if (kind < 14) {
      await Promise.all([this.#reshard(1 + this.#random(12)), this.#upsertMany(table)]);
    } else await this.#upsertMany(table);
  }

  /** Everything that must be stored is stored, and nothing else. */
  async checkAll(): Promise<void> {
    for (const table of TABLES) await this.#check(table);
    const names = await tablesOf(this.#account.router);
    for (const name of names) expect(this.#tables.has(name), name).toBe(true);
    const { shards } = await this.#status('GET');
    const set = this.#account.shardsOf(shards!);
    for (const shard of set) expect(await tablesOf(shard)).toEqual(names);
  }

  /** Ends a resharding, without faults. No other set has tables then. */
  async endResharding(): Promise<void> {
    for (let steps = 0; this.#to !== undefined; steps++) {
      expect(steps).toBeLessThan(200);
      await this.#reshard(1);
    }
    const { shards } = await this.#status('GET');
    for (const size of SIZES.filter((other) => other !== shards)) {
      for (const shard of this.#account.shardsOf(size)) expect(await tablesOf(shard)).toEqual([]);
    }
  }

  // Takes steps to another number of shards, and sometimes back.
  async #reshard(steps: number): Promise<void> {
    this.#to ??= this.#oneOf(SIZES);
    for (let at = 0; at < steps && this.#to !== undefined; at++) {
      const isBack = this.#random(25) === 0;
      const { state, shards } = await this.#status(isBack ? 'DELETE' : 'POST', this.#to);
      if (shards !== undefined && state === undefined) this.#to = undefined;
    }
  }

  async #status(method: string, to?: number) {
    const answer = await this.#account.reshard(method, to).catch(() => undefined);
    const text = await answer?.text().catch(() => undefined);
    // The catalogue has ended, say.
    if (!answer || text === undefined) return {};
    if (answer.ok) return JSON.parse(text) as { shards?: number; state?: string };
    // 400: it was too late to go back.
    expect(method === 'DELETE' ? [400, 503] : [503], text).toContain(answer.status);
    return {};
  }

  async #create(table: string): Promise<void> {
    const body = JSON.stringify({ TableName: table });
    const { status } = await this.#send('POST', '/Tables', body);
    const known = this.#tables.get(table);
    if (status === 201 && known) expect(known.mayBeMissing).toBe(true);
    if (status === 409 || status < 300) {
      expect(status === 201 || known, 'a table that nobody has created').toBeTruthy();
      this.#tables.set(table, { entities: known?.entities ?? new Map(), mayBeMissing: false });
    } else {
      expect(status).toBeGreaterThanOrEqual(500);
      if (!known) this.#tables.set(table, { entities: new Map(), mayBeMissing: true });
    }
  }

  // As a client does, it is repeated until it has been answered.
  async #drop(table: string): Promise<void> {
    for (;;) {
      const { status } = await this.#send('DELETE', `/Tables('${table}')`);
      // It may have to wait for a resharding.
      if (status === 503) await this.#reshard(1);
      if (status >= 500) continue;
      expect([204, 404]).toContain(status);
      break;
    }
    this.#tables.delete(table);
  }

  // At the same time, because requests for several partitions must not hinder each other.
  async #upsertMany(table: string): Promise<void> {
    const partitions = PARTITIONS.filter(() => this.#random(3) === 0);
    await Promise.all(partitions.map((partition) => this.#upsert(table, partition)));
  }

  async #upsert(table: string, partition: string): Promise<void> {
    const row = this.#oneOf(ROWS);
    const value = ++this.#lastValue;
    const path = `/${table}(PartitionKey='${partition}',RowKey='${row}')`;
    const { status } = await this.#send('PUT', path, JSON.stringify({ value }));
    this.#wrote(table, [`${partition}/${row}`], value, status);
  }

  async #delete(table: string): Promise<void> {
    const [partition, row] = [this.#oneOf(PARTITIONS), this.#oneOf(ROWS)];
    const path = `/${table}(PartitionKey='${partition}',RowKey='${row}')`;
    const { status, code } = await this.#send('DELETE', path, undefined, { 'If-Match': '*' });
    const isGone = status === 404 && code === 'ResourceNotFound';
    this.#wrote(table, [`${partition}/${row}`], undefined, isGone ? 204 : status);
  }

  // Both rows of a partition have the same value afterwards.
  async #transact(table: string): Promise<void> {
    const partition = this.#oneOf(PARTITIONS);
    const value = ++this.#lastValue;
    const parts = ROWS.map(
      (row) =>
        '--c\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\n' +
        `PUT /${table}(PartitionKey='${partition}',RowKey='${row}') HTTP/1.1\r\n` +
        `Content-Type: application/json\r\n\r\n${JSON.stringify({ value })}\r\n`,
    );
    const body = `--b\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n${parts.join('')}--c--\r\n--b--\r\n`;
    const headers = { 'Content-Type': 'multipart/mixed; boundary=b' };
    const { status, code } = await this.#send('POST', '/$batch', body, headers);
    const outcome = code === undefined ? status : code === 'TableNotFound' ? 404 : 500;
    const keys = ROWS.map((row) => `${partition}/${row}`);
    this.#wrote(table, keys, value, outcome === 202 ? 204 : outcome);
  }

  #wrote(table: string, keys: string[], value: number | undefined, status: number): void {
    const known = this.#tables.get(table);
    if (status === 404) {
      expect(!known || known.mayBeMissing, `${table} is missing`).toBe(true);
      return;
    }
    if (status >= 500) {
      for (const key of keys) {
        const possible = known?.entities.get(key) ?? new Set([undefined]);
        known?.entities.set(key, possible.add(value));
      }
      return;
    }
    expect(status).toBe(204);
    expect(known, `a write to ${table}, which does not exist`).toBeDefined();
    // A table with an entity is there.
    known!.mayBeMissing = false;
    for (const key of keys) known!.entities.set(key, new Set([value]));
  }

  async #check(table: string): Promise<void> {
    const found = new Map<string, number>();
    const order: string[] = [];
    const top = this.#oneOf([1, 3, 1000]);
    for (let tokens = ''; ;) {
      const answer = await this.#send('GET', `/${table}?$top=${top}&$select=value${tokens}`);
      const { status, json, next } = answer;
      const known = this.#tables.get(table);
      if (status >= 500) return;
      if (status === 404) return expect(!known || known.mayBeMissing, table).toBe(true);
      expect(known, `${table} does not exist`).toBeDefined();
      expect(json!.every((row) => Object.keys(row).join() === 'value')).toBe(true);
      if (!next) break;
      expect(json).toHaveLength(top);
      tokens = `&${next}`;
    }
    for (let tokens = ''; ;) {
      const { status, json, next } = await this.#send('GET', `/${table}?$top=${top}${tokens}`);
      if (status >= 500) return;
      for (const { PartitionKey, RowKey, value } of json!) {
        order.push(`${PartitionKey}/${RowKey}`);
        found.set(`${PartitionKey}/${RowKey}`, Number(value));
      }
      if (!next) break;
      tokens = `&${next}`;
    }
    expect(order).toEqual([...new Set(order)].sort());
    const { entities } = this.#tables.get(table)!;
    for (const [key, possible] of entities) {
      expect(possible, `${table}/${key} is ${found.get(key)}`).toContain(found.get(key));
      // What was seen stays.
      if (possible.size > 1) entities.set(key, new Set([found.get(key)]));
    }
    for (const key of found.keys()) expect(entities.has(key), `${table}/${key}`).toBe(true);
  }

  async #send(method: string, path: string, body?: string, headers: Record<string, string> = {}) {
    const init = { headers: { ...JSON_HEADERS, ...headers }, ...(body !== undefined && { body }) };
    const answer = await this.#account.send(method, path, init);
    const text = await answer.text();
    const next = ['NextPartitionKey', 'NextRowKey'].flatMap((name) => {
      const token = answer.headers.get(`x-ms-continuation-${name}`);
      return token === null ? [] : [`${name}=${encodeURIComponent(token)}`];
    });
    return {
      status: answer.status,
      code: /"code":"(\w+)"/.exec(text)?.[1],
      json: text.startsWith('{"value"')
        ? (JSON.parse(text) as { value: Record<string, string | number>[] }).value
        : undefined,
      next: next.join('&'),
    };
  }

  #oneOf<T>(values: readonly T[]): T {
    return values[this.#random(values.length)]!;
  }
}

describe('an account over several, with faults', { timeout: 120_000 }, () => {
  beforeEach(() => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
  });

  it.each(Array.from({ length: rounds }, (_, at) => first + at))(
    'loses nothing that was acknowledged (seed %d)',
    async (seed) => {
      const random = randomNumbers(seed);
      let isFaulty = true;
      const faults = randomNumbers(seed + 1);
      const account = await openSharded(2 + random(3), () =>
        isFaulty && faults(12) === 0 ? FATES[faults(FATES.length)]! : 'fine',
      );
      const client = new Client(account, random);
      for (let at = 0; at < 150; at++) {
        isFaulty = at % 30 !== 29;
        await client.act();
        if (!isFaulty) await client.checkAll();
      }
      isFaulty = false;
      await client.endResharding();
      await client.checkAll();
      expect(account.starts()).toBeGreaterThan(1);
    },
  );
});
