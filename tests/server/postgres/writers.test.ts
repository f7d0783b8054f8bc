// Several writers on one store: what commits see that have waited for another, and that no
// acknowledged record is lost while others take records out of the log.

import type { Pool } from 'pg';
import { describe, expect, it, vi } from 'vitest';

import type { Batch, PageStorage, StorageKey } from '../../../js/src/storage/page-storage.js';
import {
  postgresStorage,
  type PostgresClient,
  type PostgresPool,
} from '../../../js/src/storage/postgres.js';
import { deleteAll, lockAndSelect, write } from '../../../js/src/storage/postgres/statements.js';
import { freshStore, poolOf, useDatabase } from '../support/postgres.js';

const database = useDatabase();

const bytes = (text: string) => new TextEncoder().encode(text);
const textOf = (value: Uint8Array | undefined) => value && new TextDecoder().decode(value);

const batch = (parts: Partial<Batch>): Batch => ({ expect: [], puts: [], deletes: [], ...parts });

/** A record as the engine commits it: alone, under a free number, above a known checkpoint. */
const record = (number: number, base: string, text: string): Batch =>
  batch({
    expect: [
      ['log/base', bytes(base)],
      [`log/${number}`, undefined],
    ],
    puts: [[`log/${number}`, bytes(text)]],
    optimistic: true,
  });

async function untilSoManyWait(pool: Pool, count: number): Promise<void> {
  const query = `SELECT count(*)::int AS n FROM pg_stat_activity
    WHERE wait_event_type = 'Lock' AND datname = current_database()`;
  await vi.waitFor(async () => expect((await pool.query(query)).rows[0].n).toBe(count), 20_000);
}

describe('a record that has waited for another commit', () => {
  // What the other commit does, and what becomes of record 2, which expects checkpoint `a`.
  it.each([
    { does: 'nothing', puts: [], outcome: 'ok' },
    { does: 'stores the same checkpoint', puts: [['log/base', 'a']], outcome: 'ok' },
    { does: 'stores another checkpoint', puts: [['log/base', 'b']], outcome: 'moved' },
    { does: 'stores record 2', puts: [['log/2', 'theirs']], outcome: 'moved' },
    { does: 'deletes record 2', had: 'log/2', deletes: ['log/2'], puts: [], outcome: 'ok' },
    { does: 'deletes the checkpoint', deletes: ['log/base'], puts: [], outcome: 'moved' },
    { does: 'removes the store', isRemoved: true, puts: [], outcome: 'moved' },
  ])('is $outcome if that $does', async ({ had, puts, deletes = [], isRemoved, outcome }) => {
    const pool = poolOf(database);
    const store = freshStore();
    const place = { table: '"entitable"', store };
    const storage = postgresStorage(pool, store);
    await storage.commit(batch({ puts: [['log/base', bytes('a')]] }));
    if (had) await storage.commit(batch({ puts: [[had as StorageKey, bytes('old')]] }));
    const other = await pool.connect();
    await other.query(lockAndSelect(place, { keys: [] }));
    const writing = write(place, {
      puts: puts.map(([key, text]) => [key as StorageKey, bytes(text!)] as const),
      deletes: deletes as StorageKey[],
    });
    if (isRemoved) await other.query(deleteAll(place));
    else if (writing) await other.query(writing.text, writing.values);
    const commit = storage.commit(record(2, 'a', 'ours'));
    await untilSoManyWait(pool, 1);
    await other.query('COMMIT');
    other.release();

    expect((await commit).outcome).toBe(outcome);
    const { values } = await storage.read({ keys: ['log/2'] });
    expect(textOf(values[0]) === 'ours').toBe(outcome === 'ok');
    await storage.close();
  });
});

/** A storage whose waits for the server are counted: what is sent meanwhile takes no longer. */
function countingStorage(store: string) {
  const pool = poolOf(database, { pipeline: true });
  let [waits, open] = [0, 0];
  const counted: PostgresPool = {
    on: (event, listener) => pool.on(event, listener),
    removeListener: (event, listener) => pool.removeListener(event, listener),
    async connect() {
      const client = (await pool.connect()) as PostgresClient;
      const query: PostgresClient['query'] = async (text, values) => {
        if (open++ === 0) waits++;
        return client.query(text, values).finally(() => open--);
      };
      return {
        query,
        pipeline: client.pipeline,
        on: (event: string, listener: never) => client.on(event as 'error', listener),
        removeListener: (event, listener) => client.removeListener(event, listener),
        release: (end) => client.release(end),
      };
    },
  };
  const storage = postgresStorage(counted, store, { hints: false });
  return { storage, waits: () => waits };
}

describe('processes that write at the same time', () => {
  it('have their turns in order, and a turn is two waits for the server', async () => {
    const watch = poolOf(database);
    const store = freshStore();
    const [near, far] = [countingStorage(store), countingStorage(store)];
    for (const { storage } of [near, far]) await storage.read({ keys: [] });
    const waitsBefore = far.waits();
    const turns: string[] = [];
    const turn = (storage: PageStorage, name: string) =>
      storage.exclusively!({ keys: [] }, () => {
        turns.push(name);
        return batch({ puts: [[`log/${turns.length}`, bytes(name)]] });
      });
    const other = await watch.connect();
    await other.query(lockAndSelect({ table: '"entitable"', store }, { keys: [] }));
    const first = turn(near.storage, 'near');
    await untilSoManyWait(watch, 1);
    const results = [first, turn(far.storage, 'far')];
    await untilSoManyWait(watch, 2);
    for (let i = 0; i < 3; i++) results.push(turn(near.storage, 'near'));
    await other.query('COMMIT');
    other.release();

    for (const result of results) expect((await result)!.outcome).toBe('ok');
    expect(turns).toEqual(['near', 'far', 'near', 'near', 'near']);
    expect(far.waits() - waitsBefore).toBe(2);
    for (const { storage } of [near, far]) await storage.close();
  });
});

describe('a process that stops in the middle of a commit', () => {
  it('holds up the others for ten seconds at most', async () => {
    const pool = poolOf(database);
    const store = freshStore();
    const stopped = await pool.connect();
    stopped.on('error', () => {});
    const storage = postgresStorage(pool, store);
    await storage.commit(batch({ puts: [['log/base', bytes('a')]] }));
    await stopped.query(lockAndSelect({ table: '"entitable"', store }, { keys: [] }));

    const begin = performance.now();
    expect((await storage.commit(record(1, 'a', 'ours'))).outcome).toMatch(/ok|unknown/);
    expect(performance.now() - begin).toBeGreaterThan(5_000);
    stopped.release(true);
    await storage.close();
  }, 60_000);
});

// A small engine: writers append records, and now and then one of them moves the first records of
// the log into a page, and deletes those that it had moved the time before.
interface Checkpoint {
  readonly flushed: number;
  readonly deleted: number;
}

async function append(store: string, pool: Pool, writer: number, records: number) {
  const storage = postgresStorage(pool, store, { hints: false });
  const acknowledged: string[] = [];
  for (let made = 0; made < records;) {
    const { values, records: log } = await storage.read({ keys: ['log/base'], recordsAfter: 0 });
    const base = textOf(values[0])!;
    const { flushed, deleted } = JSON.parse(base) as Checkpoint;
    const last = log.at(-1)?.[0] ?? flushed;
    if (last - flushed >= 5 && writer % 2 === 0) {
      const moved = log.filter(([number]) => number > flushed && number <= last - 2);
      const to = moved.at(-1)![0];
      await storage.commit(
        batch({
          expect: [
            ['log/base', bytes(base)],
            [`pages/${to}`, undefined],
          ],
          puts: [
            ['log/base', bytes(JSON.stringify({ flushed: to, deleted: flushed }))],
            [`pages/${to}`, bytes(moved.map(([, value]) => textOf(value)).join())],
          ],
          deletes: Array.from(
            { length: flushed - deleted },
            (_, i): StorageKey => `log/${deleted + 1 + i}`,
          ),
        }),
      );
    }
    const text = `${writer}-${made}`;
    const { outcome } = await storage.commit(record(last + 1, base, text));
    expect(['ok', 'moved']).toContain(outcome);
    if (outcome === 'ok') {
      made++;
      acknowledged.push(text);
    }
  }
  await storage.close();
  return acknowledged;
}

describe('four writers', () => {
  it('lose no acknowledged record, and store none twice', async () => {
    const store = freshStore();
    const pools = [0, 1, 2, 3].map(() => poolOf(database, { max: 2 }));
    const storage = postgresStorage(pools[0]!, store);
    const start: Checkpoint = { flushed: 0, deleted: 0 };
    await storage.commit(batch({ puts: [['log/base', bytes(JSON.stringify(start))]] }));

    const all = await Promise.all(pools.map((pool, writer) => append(store, pool, writer, 60)));

    const keys = await storage.list!();
    const pages = keys.filter((key) => key.startsWith('pages/'));
    const { values, records } = await storage.read({
      keys: ['log/base', ...pages],
      recordsAfter: 0,
    });
    const { flushed } = JSON.parse(textOf(values[0])!) as Checkpoint;
    const inPages = values.slice(1).flatMap((value) => textOf(value)!.split(','));
    const inLog = records.filter(([number]) => number > flushed).map(([, value]) => textOf(value));
    expect([...inPages, ...inLog].sort()).toEqual(all.flat().sort());
    expect(pages.length).toBeGreaterThan(5);
    await storage.close();
  }, 60_000);
});
