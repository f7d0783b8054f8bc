// The contract of a storage, over PostgreSQL.

import { describe, it } from 'vitest';

import { storageContract } from '../../../js/src/storage/contract.js';
import { postgresStorage } from '../../../js/src/storage/postgres.js';
import { freshStore, poolOf, useDatabase } from '../support/postgres.js';

const database = useDatabase();

describe('postgresStorage', () => {
  it.each(storageContract)('$name', async ({ run }) => {
    const pool = poolOf(database);
    await run(() => postgresStorage(pool, freshStore()));
  });

  it.each(storageContract)('with one connection: $name', async ({ run }) => {
    const pool = poolOf(database, { max: 1 });
    await run(() => postgresStorage(pool, freshStore()));
  });
});
