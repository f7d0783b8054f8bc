// What postgresStorage makes of errors and lost connections, over a double of the pool.
// `tests/server/postgres` has the tests over a real server.

import { describe, expect, it, vi } from 'vitest';

import { TableError } from '../../../js/src/base/errors.js';
import type { Batch, StoreStatus } from '../../../js/src/storage/page-storage.js';
import { postgresStorage, type PostgresPool } from '../../../js/src/storage/postgres.js';
import { failure, lostConnection, PostgresDouble } from '../support/postgres-double.js';
import { errorCode } from '../support/rejection.js';

const append: Batch = {
  expect: [
    ['log/base', Uint8Array.of(1)],
    ['log/1', undefined],
  ],
  puts: [['log/1', Uint8Array.of(2)]],
  deletes: [],
};
const flush: Batch = { expect: [['pages/1', undefined]], puts: append.puts, deletes: ['log/0'] };

/** A storage that has been used before, as that of an open account. */
async function opened(double = new PostgresDouble()) {
  const storage = postgresStorage(double, 'store');
  await storage.read({ keys: [] });
  double.statements.length = 0;
  return { double, storage };
}

describe('a commit of one record', () => {
  it('is one statement', async () => {
    const { double, storage } = await opened();

    expect(await storage.commit(append)).toEqual({ outcome: 'ok' });
    expect(double.statements).toEqual(['WITHlock']);
  });

  it('has an unknown outcome if its connection is lost, and is not sent again', async () => {
    const { double, storage } = await opened();
    double.onStatement = lostConnection;
    const { outcome, cause } = await storage.commit(append);

    expect(outcome).toBe('unknown');
    expect(cause).toMatchObject({ message: 'Connection terminated unexpectedly' });
    expect(double.statements).toEqual(['WITHlock', 'release']);
  });

  it.each(['57P01', '57P02', '08006', '40003', 'XX000', '58030', 'EPIPE', 'ECONNRESET'])(
    'has an unknown outcome if the error is %s',
    async (code) => {
      const { double, storage } = await opened();
      double.onStatement = () => failure(code);

      expect((await storage.commit(append)).outcome).toBe('unknown');
    },
  );

  it.each([
    ['25006', 'refused', 'Connect to the primary server'],
    ['42501', 'refused', 'SELECT, INSERT, UPDATE and DELETE'],
    ['42P01', 'refused', 'does not exist any more'],
    ['57014', 'refused', 'PostgreSQL has cancelled the statement. Raise statement_timeout'],
    ['53100', 'quota', 'disk'],
    ['22000', 'refused', 'a message (22000)'],
  ])('that fails with %s is %s', async (code, outcome, text) => {
    const { double, storage } = await opened();
    double.onStatement = () => failure(code);
    const result = await storage.commit(append);

    expect(result.outcome).toBe(outcome);
    expect(result.cause).toBeInstanceOf(TableError);
    expect((result.cause as Error).message).toContain(text);
    expect((result.cause as Error).cause).toMatchObject({ code });
  });

  it.each(['40001', '40P01'])('is done again after a race (%s)', async (code) => {
    const { double, storage } = await opened();
    const races = [failure(code), failure(code)];
    double.onStatement = () => races.pop();

    expect((await storage.commit(append)).outcome).toBe('ok');
    expect(double.statements.filter((kind) => kind === 'WITHlock')).toHaveLength(3);
  });

  it('is refused if there is no connection for it, because nothing was sent', async () => {
    const { double, storage } = await opened();
    double.onConnect = () => failure('28P01', 'password authentication failed');
    const { outcome, cause } = await storage.commit(append);

    expect(outcome).toBe('refused');
    expect((cause as Error).message).toContain('refuses the user or the password');
  });
});

describe('a commit of several values', () => {
  it('is a transaction', async () => {
    const { double, storage } = await opened();

    expect(await storage.commit(flush)).toEqual({ outcome: 'ok' });
    expect(double.statements).toEqual(['BEGIN', 'write', 'COMMIT']);
  });

  it.each([
    ['BEGIN', 'refused'],
    ['write', 'refused'],
    ['COMMIT', 'unknown'],
  ])('whose connection is lost at %s is %s', async (kind, outcome) => {
    const { double, storage } = await opened();
    double.onStatement = (given) => (given === kind ? lostConnection() : undefined);

    expect((await storage.commit(flush)).outcome).toBe(outcome);
    expect(double.statements.at(-1)).toBe('release');
  });

  it('is refused if PostgreSQL rolls back instead', async () => {
    const { double, storage } = await opened();
    double.command = 'ROLLBACK';

    expect((await storage.commit(flush)).outcome).toBe('refused');
  });

  it.each(['write', 'COMMIT'])('is unknown after a race at %s', async (kind) => {
    const { double, storage } = await opened();
    double.onStatement = (given) => (given === kind ? failure('40001') : undefined);
    let decisions = 0;
    const result = await storage.exclusively!({ keys: [] }, () => (decisions++, flush));

    expect(result?.outcome).toBe('unknown');
    expect(decisions).toBe(1);
  });
});

describe('a server that may have lost commits', () => {
  it('makes the outcome of the next record unknown, and stores nothing of it', async () => {
    const { double, storage } = await opened();
    await storage.commit(append);
    double.server = 'two';

    expect((await storage.commit(append)).outcome).toBe('unknown');
    expect((await storage.commit(append)).outcome).toBe('ok');
  });

  it('makes the outcome of the next transaction unknown, and stores nothing of it', async () => {
    const { double, storage } = await opened();
    double.server = 'two';

    expect((await storage.commit(flush)).outcome).toBe('unknown');
    expect(double.statements).toEqual(['BEGIN', 'ROLLBACK']);
    expect((await storage.commit(flush)).outcome).toBe('ok');
  });

  it('makes the outcome unknown of all commits that were called before', async () => {
    const { double, storage } = await opened();
    double.server = 'two';
    const results = await Promise.all([append, flush, append].map((one) => storage.commit(one)));

    expect(results.map(({ outcome }) => outcome)).toEqual(['unknown', 'unknown', 'unknown']);
    expect((await storage.commit(append)).outcome).toBe('ok');
  });

  it('is reported also if the first commit after it is one that others have overtaken', async () => {
    const { double, storage } = await opened();
    double.server = 'two';
    const overtaken: Batch = { ...flush, expect: [['pages/1', Uint8Array.of(9)]] };

    expect((await storage.commit(overtaken)).outcome).toBe('unknown');
    expect((await storage.commit(overtaken)).outcome).toBe('moved');
  });

  it('is reported also after an exclusive read that stores nothing', async () => {
    const { double, storage } = await opened();
    double.server = 'two';

    expect(await storage.exclusively!({ keys: [] }, () => undefined)).toBeUndefined();
    expect((await storage.commit(append)).outcome).toBe('unknown');
  });

  it('is noticed by an idle connection that ends', async () => {
    const { double, storage } = await opened();
    const seen: StoreStatus[] = [];
    storage.onStatus!((status) => seen.push(status));
    double.loseIdle();

    expect((await storage.commit(append)).outcome).toBe('unknown');
    expect((await storage.commit(append)).outcome).toBe('ok');
    expect(seen).toEqual(['lost', 'reconnected']);
  });
});

describe('a read', () => {
  it('is done again on another connection', async () => {
    const { double, storage } = await opened();
    const losses = [lostConnection(), failure('57P01')];
    double.onStatement = () => losses.pop();

    expect(await storage.read({ keys: ['log/1'] })).toMatchObject({ values: [undefined] });
    expect(double.statements.filter((kind) => kind === 'release')).toHaveLength(2);
  });

  it.each(['ECONNREFUSED', '57P03', '53300'])(
    'waits for a server that was there before (%s)',
    async (code) => {
      const { double, storage } = await opened();
      const errors = [failure(code), failure(code)];
      double.onConnect = () => errors.pop();

      expect(await storage.read({ keys: [] })).toMatchObject({ values: [] });
      expect(errors).toEqual([]);
    },
  );

  it.each([
    ['ECONNREFUSED', 'PostgreSQL cannot be reached: a message.'],
    ['53300', 'PostgreSQL has no connection left.'],
    ['28000', 'PostgreSQL refuses the user or the password. Correct them in '],
    ['3D000', 'The database does not exist. Create it, or name another one.'],
  ])('fails at once if there was no server before (%s)', async (code, sentence) => {
    const double = new PostgresDouble();
    double.onConnect = () => failure(code);
    const read = postgresStorage(double, 'store').read({ keys: [] });

    expect(await errorCode(read)).toBe('StorageUnavailable');
    await expect(read).rejects.toThrow(sentence);
  });

  it('of a key that is none fails at once', async () => {
    const { double, storage } = await opened();
    const read = storage.read({ keys: ['pages/1.5'] });

    expect(await errorCode(read)).toBe('StorageUnavailable');
    expect(double.statements).toEqual(['release']);
  });

  it('gives up after ten seconds', async () => {
    vi.useFakeTimers();
    try {
      const { double, storage } = await opened();
      double.onConnect = () => failure('ECONNREFUSED');
      const code = errorCode(storage.read({ keys: [] }));
      await vi.advanceTimersByTimeAsync(10_000);

      expect(await code).toBe('StorageUnavailable');
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('the first use', () => {
  it('creates the table if it is missing', async () => {
    const double = new PostgresDouble();
    double.onStatement = (kind) => (kind === 'to_regclass' ? [{ found: null }] : undefined);
    await postgresStorage(double, 'store').read({ keys: [] });

    expect(double.statements).toEqual(['to_regclass', 'CREATE', 'SELECTNULL']);
  });

  it('uses a table that another process creates at the same time', async () => {
    const double = new PostgresDouble();
    const found = ['entitable', null];
    double.onStatement = (kind) => {
      if (kind === 'to_regclass') return [{ found: found.pop() }];
      return kind === 'CREATE' ? failure('42501') : undefined;
    };

    expect(await postgresStorage(double, 'store').read({ keys: [] })).toMatchObject({ values: [] });
  });

  it('says which rights are missing', async () => {
    const double = new PostgresDouble();
    double.onStatement = (kind) => {
      if (kind === 'to_regclass') return [{ found: null }];
      return kind === 'CREATE'
        ? failure('42501', 'permission denied for schema public')
        : undefined;
    };

    await expect(postgresStorage(double, 'store').read({ keys: [] })).rejects.toThrow(
      /CREATE on the schema.*permission denied for schema public \(42501\)/,
    );
  });
});

describe('postgresStorage', () => {
  it.each([
    ['a pool', {}, 'store', {}],
    ['a name', new PostgresDouble(), "it's", {}],
    ['a name', new PostgresDouble(), '', {}],
    ['a table', new PostgresDouble(), 'store', { table: 'a"b' }],
    ['a table', new PostgresDouble(), 'store', { table: 'Tables' }],
    ['options', new PostgresDouble(), 'store', { tabel: 'a' }],
  ])('refuses what is not %s', (_, pool, name, options) => {
    expect(() => postgresStorage(pool as PostgresPool, name, options as object)).toThrow(
      expect.objectContaining({ code: 'InvalidInput' }),
    );
  });
});
