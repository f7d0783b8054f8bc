// What postgresStorage needs of a server and what it leaves there: tables, rights and connections.

import { once } from 'node:events';

import { describe, expect, it, onTestFinished, vi } from 'vitest';

import type { Batch, PageStorage } from '../../../js/src/storage/page-storage.js';
import { postgresStorage, type PostgresPool } from '../../../js/src/storage/postgres.js';
import { rejection } from '../../js/support/rejection.js';
import { freshStore, poolOf, useDatabase } from '../support/postgres.js';

const database = useDatabase();

const record: Batch = {
  expect: [['log/1', undefined]],
  puts: [['log/1', Uint8Array.of(1)]],
  deletes: [],
};
const valueIn = async (storage: PageStorage) =>
  (await storage.read({ keys: ['log/1'] })).values[0]?.[0];

/** A pool of a new role with these rights on tables that were created before. */
async function poolOfRole(name: string, ...statements: string[]) {
  const pool = poolOf(database);
  await pool.query(`CREATE ROLE ${name} LOGIN PASSWORD 'secret'`);
  for (const statement of statements) await pool.query(statement);
  return poolOf(database, { connectionString: database.url.replace('entitable:', `${name}:`) });
}

describe('the table', () => {
  it('is created once by many processes that begin at the same time', async () => {
    const table = 'at_once';
    const storages = Array.from({ length: 8 }, () =>
      postgresStorage(poolOf(database, { max: 1 }), 'store', { table }),
    );
    const outcomes = await Promise.all(storages.map((storage) => storage.commit(record)));

    expect(outcomes.map(({ outcome }) => outcome).sort()).toEqual([
      ...Array.from({ length: 7 }, () => 'moved'),
      'ok',
    ]);
  });

  /** The parameters of the table, and of the table with its long values. */
  async function parametersOf(table: string): Promise<{ own: string[]; long: string[] }> {
    const { rows } = await poolOf(database).query(
      `SELECT t.reloptions AS own, v.reloptions AS long FROM pg_class AS t
       JOIN pg_class AS v ON v.oid = t.reltoastrelid WHERE t.relname = $1`,
      [table],
    );
    return rows[0];
  }

  it.each([
    ['is new', 'vacuumed', []],
    [
      'is from an older version',
      'older',
      ['ALTER TABLE older RESET (%)', 'ALTER TABLE older RESET (toast.%)'],
    ],
  ])('is vacuumed when few rows are dead, if it %s', async (_, table, statements) => {
    const storage = postgresStorage(poolOf(database), freshStore(), { table });
    await storage.commit(record);
    const soon = [
      expect.stringMatching(/^autovacuum_vacuum_threshold=\d{1,4}$/),
      expect.stringMatching(/^autovacuum_vacuum_scale_factor=0(\.0\d+)?$/),
    ];
    const names = ['autovacuum_vacuum_threshold', 'autovacuum_vacuum_scale_factor'];
    for (const statement of statements) {
      for (const name of names) await poolOf(database).query(statement.replace('%', name));
    }
    if (statements.length > 0) {
      expect(await parametersOf(table)).toEqual({ own: null, long: null });
      await storage.close();
      await storage.read({ keys: [] });
    }

    expect(await parametersOf(table)).toEqual({ own: soon, long: soon });
    await storage.close();
  });

  it('keeps the parameters that its owner has set', async () => {
    const storage = postgresStorage(poolOf(database), freshStore(), { table: 'tuned' });
    await storage.commit(record);
    await storage.close();
    const own = ['autovacuum_vacuum_threshold=7', 'autovacuum_vacuum_scale_factor=0.5'];
    await poolOf(database).query(`ALTER TABLE tuned SET (${own.join()})`);
    await storage.read({ keys: [] });

    expect((await parametersOf('tuned')).own).toEqual(own);
    await storage.close();
  });

  it('has many stores, and the rows of one go when it is destroyed', async () => {
    const pool = poolOf(database);
    const [one, other] = [freshStore(), freshStore()];
    const storages = [one, other].map((name) => postgresStorage(pool, name));
    for (const storage of storages) await storage.commit(record);
    await storages[0]!.destroy();
    const { rows } = await pool.query('SELECT store FROM entitable WHERE store = ANY ($1)', [
      [one, other],
    ]);

    expect(rows).toEqual([{ store: other }]);
    await storages[1]!.close();
  });

  it('may be in a schema, and may have a name that is a word of SQL', async () => {
    const pool = poolOf(database);
    await pool.query('CREATE SCHEMA "table"');
    const storage = postgresStorage(pool, 'store', { table: 'table.order' });
    await storage.commit(record);

    expect(await valueIn(storage)).toBe(1);
    await storage.close();
  });
});

describe('a role', () => {
  it('needs four rights on a table that is there', async () => {
    const table = 'four_rights';
    await postgresStorage(poolOf(database, { max: 1 }), 'store', { table }).read({ keys: [] });
    const pool = await poolOfRole(
      'writer',
      `GRANT SELECT, INSERT, UPDATE, DELETE ON ${table} TO writer`,
    );
    const storage = postgresStorage(pool, 'store', { table });
    const again = { ...record, expect: [['log/1', Uint8Array.of(1)]] } as const;
    const next: Batch = {
      expect: [...again.expect, ['log/2', undefined]],
      puts: [['log/2', Uint8Array.of(2)]],
      deletes: [],
    };

    for (const batch of [record, again, next, { ...next, deletes: ['log/2'] as const }]) {
      const expected = batch === record || batch === again || batch === next ? 'ok' : 'moved';
      expect((await storage.commit(batch)).outcome).toBe(expected);
    }
    await storage.destroy();
  });

  it('without rights learns which it needs', async () => {
    const pool = await poolOfRole('guest');
    const error = await rejection(
      postgresStorage(pool, 'store', { table: 'none' }).read({ keys: [] }),
    );

    expect(error).toMatchObject({ code: 'StorageUnavailable', cause: { code: '42501' } });
    expect(String(error)).toContain('CREATE on the schema');
  });

  it('that only reads can read, and is told where to write', async () => {
    const table = 'only_read';
    const owner = postgresStorage(poolOf(database, { max: 1 }), 'store', { table });
    await owner.commit(record);
    const pool = await poolOfRole(
      'reader',
      `GRANT SELECT ON ${table} TO reader`,
      'ALTER ROLE reader SET default_transaction_read_only = on',
    );
    const storage = postgresStorage(pool, 'store', { table });
    const { outcome, cause } = await storage.commit({ ...record, expect: [] });

    expect(await valueIn(storage)).toBe(1);
    expect(outcome).toBe('refused');
    expect(String(cause)).toContain('Connect to the primary server');
    await storage.close();
  });

  it('that may have few connections waits for one, and at first learns that there is none', async () => {
    const pool = await poolOfRole(
      'few',
      'GRANT CREATE ON SCHEMA public TO few',
      'ALTER ROLE few CONNECTION LIMIT 1',
    );
    const storage = postgresStorage(pool, 'store', { table: 'few', hints: false });
    await storage.commit(record);
    const reads = await Promise.all([1, 2, 3, 4].map(() => valueIn(storage)));
    const other = postgresStorage(poolOf(database, pool.options), 'store', { table: 'few' });
    const error = await rejection(other.read({ keys: [] }));

    expect(reads).toEqual([1, 1, 1, 1]);
    expect(error).toMatchObject({ code: 'StorageUnavailable', cause: { code: '53300' } });
    expect(String(error)).toContain('Give each process a smaller pool');
    await storage.close();
  });

  // Its statements then fail with 40001 after they have waited, and are repeated.
  it.each(['repeatable read', 'serializable'])('may be %s by default', async (isolation) => {
    const name = isolation.replace(' ', '_');
    const pool = await poolOfRole(
      name,
      `ALTER ROLE ${name} SET default_transaction_isolation = '${isolation}'`,
      `GRANT CREATE ON SCHEMA public TO ${name}`,
    );
    const storages = [1, 2, 3].map(() => postgresStorage(pool, 'store', { table: `t_${name}` }));
    await storages[0]!.commit({ ...record, expect: [], puts: [['log/base', Uint8Array.of(7)]] });
    const append = (number: number): Batch => ({
      expect: [
        ['log/base', Uint8Array.of(7)],
        [`log/${number}`, undefined],
      ],
      puts: [[`log/${number}`, Uint8Array.of(number)]],
      deletes: [],
    });
    for (let number = 1; number < 20; number++) {
      const results = await Promise.all(storages.map((storage) => storage.commit(append(number))));
      const outcomes = results.map(({ outcome }) => outcome).sort();
      expect(outcomes).toEqual(['moved', 'moved', 'ok']);
    }
    for (const storage of storages) await storage.close();
  });
});

describe('a hint', () => {
  // An account of a process, as the core listens and speaks.
  async function listener(storage: PageStorage) {
    await storage.read({ keys: [] });
    const channel = new BroadcastChannel(storage.channel!);
    onTestFinished(() => channel.close());
    return channel;
  }
  const isListening = async (pool: ReturnType<typeof poolOf>, count: number) => {
    const query = `SELECT count(*)::int AS n FROM pg_stat_activity
      WHERE query LIKE 'LISTEN%' AND datname = current_database()`;
    await vi.waitFor(async () => expect((await pool.query(query)).rows[0].n).toBe(count), 20_000);
  };

  it('reaches other processes, also after the connection was lost', async () => {
    const name = freshStore();
    const watch = poolOf(database);
    const storages = [1, 2].map(() => postgresStorage(poolOf(database), name));
    const [one, other] = await Promise.all(storages.map(listener));
    await isListening(watch, 2);
    let heard = once(other!, 'message');
    one!.postMessage(0);
    await heard;

    heard = once(other!, 'message');
    await watch.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE (query LIKE 'LISTEN%' OR query LIKE '%pg_notify%')
         AND datname = current_database() AND pid <> pg_backend_pid()`,
    );
    // It hears when it listens again, because it may have missed a hint.
    await heard;
    await Promise.all(storages.map((storage) => storage.close()));
    await isListening(watch, 0);
  });

  it('is not sent if the app does not want it, or the pool has one connection', async () => {
    const silent = postgresStorage(poolOf(database), freshStore(), { hints: false });
    const single: PostgresPool = poolOf(database, { max: 1 });
    const lone = postgresStorage(single, freshStore());
    for (const storage of [silent, lone]) await storage.read({ keys: [] });

    expect(silent.channel).toBeUndefined();
    await isListening(poolOf(database), 0);
    await lone.close();
  });
});
