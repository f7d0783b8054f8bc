import { beforeEach, describe, expect, it } from 'vitest';

import type { TableClient } from '../../../js/src/client/table-client.js';
import type { ImportProgress } from '../../../js/src/transfer/models.js';
import { openTable } from '../support/accounts.js';
import { contents, dogs } from '../support/dogs.js';
import { rejection } from '../support/rejection.js';
import { STORAGES } from '../support/storages.js';

describe.each(STORAGES)('an import into $adapter storage', ({ open }) => {
  let table: TableClient;

  beforeEach(async () => {
    table = await openTable({ storage: open() });
  });

  it('resolves if it is aborted when all is stored', async () => {
    const abort = new AbortController();
    const onProgress = ({ stored }: ImportProgress) => stored === 9 && abort.abort();

    const progress = await table.importEntities(dogs(9), { abortSignal: abort.signal, onProgress });

    expect(progress).toEqual({ read: 9, stored: 9 });
    expect(abort.signal.aborted).toBe(true);
    expect(await contents(table)).toHaveLength(9);
  });

  it('can be aborted while its source does not answer, and before it began', async () => {
    let isReturned = false;
    const silent: AsyncIterable<object> = {
      [Symbol.asyncIterator]: () => ({
        next: () => new Promise<never>(() => undefined),
        return: async () => {
          isReturned = true;
          return { done: true as const, value: undefined };
        },
      }),
    };
    const abort = new AbortController();
    const ended = rejection(table.importEntities(silent, { abortSignal: abort.signal }));
    abort.abort();
    expect(await ended).toMatchObject({ name: 'AbortError', stored: 0 });
    expect(isReturned).toBe(true);

    const early = table.importEntities(dogs(9), { abortSignal: AbortSignal.abort() });
    expect(await rejection(early)).toMatchObject({ name: 'AbortError', stored: 0 });
    expect(await contents(table)).toEqual([]);
  });
});
