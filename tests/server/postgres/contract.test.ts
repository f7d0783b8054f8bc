// The contract of a storage, over PostgreSQL.

import { afterAll, beforeAll, describe, it } from 'vitest';

import { startPostgres } from '../../../scripts/lib/postgres.mjs';
import { storageContract } from '../../../js/src/storage/contract.js';
import { postgresStorage } from '../../../js/src/storage/postgres.js';
import { freshStore, poolOf, type PostgresServer } from '../support/postgres.js';

let server: PostgresServer;

beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());

describe('postgresStorage', () => {
  it.each(storageContract)('$name', async ({ run }) => {
    const pool = poolOf(server);
    await run(() => postgresStorage(pool, freshStore()));
  });

  it.each(storageContract)('with one connection: $name', async ({ run }) => {
    const pool = poolOf(server, { max: 1 });
    await run(() => postgresStorage(pool, freshStore()));
  });
});
