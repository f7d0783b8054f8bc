// What postgresStorage makes of errors and lost connections, over a double of the pool.
// `tests/server/postgres` has the tests over a real server.

import { describe, expect, it } from 'vitest';

import { TableError } from '../../../js/src/base/errors.js';
import type { Batch } from '../../../js/src/storage/page-storage.js';
import { postgresStorage, type PostgresPool } from '../../../js/src/storage/postgres.js';
import {
  afterTheWait,
  append,
  failure,
  flush,
  lostConnection,
  opened,
  PostgresDouble,
} from '../support/postgres-double.js';
import { errorCode } from '../support/rejection.js';

describe('a commit of one record', () => {
  it('is one statement', async () => {
    const { double, storage } = await opened();

    expect(await storage.commit(append)).toEqual({ outcome: 'ok' });
    expect(double.statements).toEqual(['WITHlock']);
  });

  it('is sent again if its connection is lost, and then searched', async () => {
    const { double, storage } = await opened();
    const losses = [lostConnection(), failure('57P01')];
    double.onStatement = () => losses.pop();

    // A connection was lost, so the server may have lost commits. The account reads the log.
    expect((await storage.commit(append)).outcome).toBe('unknown');
    expect(double.statements.filter((kind) => kind === 'WITHlock')).toHaveLength(3);
    expect((await storage.commit(append)).outcome).toBe('ok');
  });

  it.each([
    ...['57P01', '57P02', '57P05', '08006', 'EPIPE', 'ECONNRESET'],
    ...['40003', 'XX000', '58030', undefined],
  ])('has an unknown outcome if the error is %s for ten seconds', async (code) => {
    const { double, storage } = await opened();
    double.onStatement = () => failure(code);
    const { outcome, cause } = await afterTheWait(() => storage.commit(append));

    expect(outcome).toBe('unknown');
    expect(cause).toMatchObject({ message: 'a message' });
  });

  it('has an unknown outcome if it was sent, and then there is no server for ten seconds', async () => {
    const { double, storage } = await opened();
    double.onStatement = () => {
      double.onConnect = () => failure('ECONNREFUSED');
      return lostConnection();
    };

    expect((await afterTheWait(() => storage.commit(append))).outcome).toBe('unknown');
  });

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

  it('is refused if there is no server, also after an idle connection was lost', async () => {
    const { double, storage } = await opened();
    double.loseIdle();
    double.onConnect = () => failure('ECONNREFUSED');
    const { outcome, cause } = await afterTheWait(() => storage.commit(append));

    expect(outcome).toBe('refused');
    expect(cause).toMatchObject({ code: 'StorageUnavailable' });
  });

  it('is refused if the server only reads, also after an idle connection was lost', async () => {
    const { double, storage } = await opened();
    double.loseIdle();
    const base = { area: 'log', number: -(2 ** 53), value: Uint8Array.of(1) };
    double.onStatement = (kind) => {
      if (kind === 'BEGIN') return [{ area: null, server: 'one' }, base];
      return kind === 'write' ? failure('25006') : undefined;
    };

    expect((await storage.commit(append)).outcome).toBe('refused');
  });
});

describe('a commit of several values', () => {
  it('is a transaction', async () => {
    const { double, storage } = await opened();

    expect(await storage.commit(flush)).toEqual({ outcome: 'ok' });
    expect(double.statements).toEqual(['BEGIN', 'write', 'COMMIT']);
  });

  it.each(['BEGIN', 'write'])('is done again if its connection is lost at %s', async (kind) => {
    const { double, storage } = await opened();
    const losses = [lostConnection(), failure('57P01')];
    double.onStatement = (given) => (given === kind ? losses.pop() : undefined);

    // As above: nothing is stored before the account has read the log.
    expect((await storage.commit(flush)).outcome).toBe('unknown');
    expect(double.statements.slice(-3)).toEqual(['BEGIN', 'write', 'ROLLBACK']);
    expect((await storage.commit(flush)).outcome).toBe('ok');
  });

  it.each(['BEGIN', 'write'])('is refused if that happens for ten seconds at %s', async (kind) => {
    const { double, storage } = await opened();
    double.onStatement = (given) => (given === kind ? lostConnection() : undefined);

    expect((await afterTheWait(() => storage.commit(flush))).outcome).toBe('refused');
  });

  it('has an unknown outcome if its connection is lost at COMMIT', async () => {
    const { double, storage } = await opened();
    double.onStatement = (given) => (given === 'COMMIT' ? lostConnection() : undefined);

    expect((await storage.commit(flush)).outcome).toBe('unknown');
    expect(double.statements).toEqual(['BEGIN', 'write', 'COMMIT', 'release']);
  });

  it('is refused if PostgreSQL rolls back instead', async () => {
    const { double, storage } = await opened();
    double.command = 'ROLLBACK';

    expect((await storage.commit(flush)).outcome).toBe('refused');
  });

  it.each([
    ['write', '40001', 'ok'],
    ['COMMIT', '40001', 'ok'],
    ['write', '57P01', 'unknown'],
    ['write', '53100', 'quota'],
  ])('is decided once, and done again if it fails at %s with %s', async (kind, code, outcome) => {
    const { double, storage } = await opened();
    const failures = [failure(code)];
    double.onStatement = (given) => (given === kind ? failures.pop() : undefined);
    let decisions = 0;
    const result = await storage.exclusively!({ keys: [] }, () => (decisions++, flush));

    expect(result?.outcome).toBe(outcome);
    expect(decisions).toBe(1);
  });

  it('has an unknown outcome if others have committed before it is done again', async () => {
    const { double, storage } = await opened();
    const races = [failure('40001')];
    double.onStatement = (given) => (given === 'write' ? races.pop() : undefined);
    const overtaken: Batch = { ...flush, expect: [['pages/1', Uint8Array.of(9)]] };

    expect((await storage.exclusively!({ keys: [] }, () => overtaken))?.outcome).toBe('unknown');
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
    const { double, storage } = await opened();
    double.onConnect = () => failure('ECONNREFUSED');

    expect(await afterTheWait(() => errorCode(storage.read({ keys: [] })))).toBe(
      'StorageUnavailable',
    );
  });

  it('gives up after ten seconds if no connection comes, and uses one that comes late', async () => {
    const { double, storage } = await opened();
    const hold = double.holdConnections();

    expect(await afterTheWait(() => errorCode(storage.read({ keys: [] })))).toBe(
      'StorageUnavailable',
    );
    hold.end();
    expect(await storage.read({ keys: [] })).toMatchObject({ values: [] });
  });
});

describe('the first use', () => {
  it('creates the table if it is missing', async () => {
    const double = new PostgresDouble();
    double.onStatement = (kind) => (kind === 'to_regclass' ? [{ found: null }] : undefined);
    await postgresStorage(double, 'store').read({ keys: [] });

    expect(double.statements).toEqual(['to_regclass', 'CREATE', 'to_regclass', 'SELECTNULL']);
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
