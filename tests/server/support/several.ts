// several.ts - several processes that serve one account, and clients that note what was
// acknowledged.

import { TableClient, TableServiceClient } from '@azure/data-tables';
import { expect } from 'vitest';

import { randomFrom } from '../../real/support/random.js';
import { serve, type Server } from '../../package/support/serve.js';

const OPTIONS = { allowInsecureConnection: true, retryOptions: { maxRetries: 0 } };
const COUNTER = { partitionKey: 'counter', rowKey: '' };

/** The processes behind a load balancer. Each has a place, in which another may take over. */
export class Processes {
  readonly #words: readonly string[];
  readonly #places: Promise<Server>[];

  constructor(count: number, ...words: string[]) {
    this.#words = words;
    this.#places = Array.from({ length: count }, () => this.#start());
  }

  #start(): Promise<Server> {
    const server = serve(...this.#words);
    // Callers of the place get the error.
    server.catch(() => undefined);
    return server;
  }

  get count(): number {
    return this.#places.length;
  }

  at(place: number): Promise<Server> {
    return this.#places[place % this.count]!;
  }

  /** Kills the process, and starts another one in its place. */
  async replace(place: number): Promise<void> {
    const old = await this.at(place);
    // First, so that no client waits for the dead one.
    this.#places[place] = this.#start();
    await old.stop('SIGKILL');
    await this.at(place);
  }

  /** A client of the table through this place. */
  async table(place: number): Promise<TableClient> {
    const { connectionString } = await this.at(place);
    return TableClient.fromConnectionString(connectionString, 'Rows', OPTIONS);
  }

  async createTable(): Promise<void> {
    const { connectionString } = await this.at(0);
    await TableServiceClient.fromConnectionString(connectionString, OPTIONS).createTable('Rows');
    await (await this.table(0)).createEntity({ ...COUNTER, count: 0 });
  }

  async stop(): Promise<void> {
    for (const server of await Promise.all(this.#places)) expect(await server.stop()).toBe(0);
  }
}

type Fate = 'stored' | 'refused' | 'unknown';

/** Whether a write was acknowledged, was certainly not stored, or may have been stored. */
async function fateOf(write: Promise<unknown>): Promise<Fate> {
  try {
    await write;
    return 'stored';
  } catch (error) {
    const { statusCode } = error as { statusCode?: number };
    return statusCode === 503 || statusCode === 412 ? 'refused' : 'unknown';
  }
}

/** Writers that use all processes in turn, and what they know at the end. */
export class Load {
  readonly #processes: Processes;
  readonly #random: () => number;
  readonly #rows: Record<Fate, Set<string>> = {
    stored: new Set(),
    refused: new Set(),
    unknown: new Set(),
  };
  readonly #increments: Record<Fate, number> = { stored: 0, refused: 0, unknown: 0 };
  readonly #waiting: { count: number; resolve: () => void }[] = [];
  #isOver = false;
  #failure: Error | undefined;
  readonly #writers: Promise<unknown>;

  constructor(processes: Processes, seed: number) {
    this.#processes = processes;
    this.#random = randomFrom(seed);
    const writers = Array.from({ length: 4 }, (_, writer) => this.#write(writer));
    this.#writers = Promise.all(writers).catch((error: Error) => {
      this.#failure = error;
      this.#isOver = true;
      for (const { resolve } of this.#waiting) resolve();
    });
  }

  /** Resolves when so many more rows were acknowledged. */
  async acknowledges(count: number): Promise<void> {
    const until = this.#rows.stored.size + count;
    if (!this.#failure) {
      await new Promise<void>((resolve) => this.#waiting.push({ count: until, resolve }));
    }
    if (this.#failure) throw this.#failure;
  }

  place(): number {
    return Math.floor(this.#random() * this.#processes.count);
  }

  async #write(writer: number): Promise<void> {
    for (let number = 0; !this.#isOver; number++) {
      const row = `${writer}-${number}`;
      const place = this.place();
      const table = await this.#processes.table(place);
      const key = { partitionKey: `${writer}`, rowKey: row };
      const fate = await fateOf(table.createEntity(key));
      this.#rows[fate].add(row);
      if (fate === 'stored') await this.#find(key, place + 1);
      if (number % 3 === 0) await this.#increment();
      for (const { count, resolve } of this.#waiting) {
        if (count <= this.#rows.stored.size) resolve();
      }
    }
  }

  // Another process finds at once what one has acknowledged.
  async #find(key: typeof COUNTER, place: number): Promise<void> {
    const table = await this.#processes.table(place);
    const { statusCode } = await table.getEntity(key.partitionKey, key.rowKey).then(
      () => ({ statusCode: 200 }),
      (error: { statusCode?: number }) => error,
    );
    if (statusCode === 404) throw new Error(`row ${key.rowKey} is not found by another process`);
  }

  // Reads by one process, and writes by another.
  async #increment(): Promise<void> {
    const [from, to] = [this.place(), this.place()];
    const read = await (
      await this.#processes.table(from)
    )
      .getEntity<{ count: number }>(COUNTER.partitionKey, COUNTER.rowKey)
      .catch(() => undefined);
    if (!read) return;
    const entity = { ...COUNTER, count: read.count + 1 };
    const table = await this.#processes.table(to);
    this.#increments[await fateOf(table.updateEntity(entity, 'Merge', { etag: read.etag }))]++;
  }

  /** Ends the writers, and compares what is stored with what was acknowledged. */
  async end(): Promise<{ stored: number; unknown: number }> {
    this.#isOver = true;
    await this.#writers;
    if (this.#failure) throw this.#failure;
    const table = await this.#processes.table(0);
    const found: string[] = [];
    let count = -1;
    for await (const entity of table.listEntities<{ count: number }>()) {
      if (entity.partitionKey === COUNTER.partitionKey) count = entity.count;
      else found.push(entity.rowKey!);
    }
    const there = new Set(found);
    const { stored, refused, unknown } = this.#rows;
    expect(found.length, 'rows that are there twice').toBe(there.size);
    expect([...stored].filter((row) => !there.has(row))).toEqual([]);
    expect([...refused].filter((row) => there.has(row))).toEqual([]);
    expect(found.filter((row) => !stored.has(row) && !unknown.has(row))).toEqual([]);
    expect(count).toBeGreaterThanOrEqual(this.#increments.stored);
    expect(count).toBeLessThanOrEqual(this.#increments.stored + this.#increments.unknown);
    return { stored: stored.size, unknown: unknown.size };
  }
}
