// A synced table that an earlier version has stored: see `tests/fixtures/README.md`.

import { expect, it } from 'vitest';

import { syncTables } from '../../../js/src/sync.js';
import stored from '../../fixtures/synced-1.values?raw';
import { openForTest } from '../support/accounts.js';
import { storageOfLines } from '../support/fixtures.js';
import { rejection } from '../support/rejection.js';
import { syncWasmBytes } from '../support/wasm.js';
import { URL } from './support.js';

it('reads the state of sync that had no versions, and goes on from it', async () => {
  const storage = await storageOfLines(stored);
  const account = await openForTest({ storage, wasm: await syncWasmBytes() });
  const todos = account.tableClient('Todos');
  const sent: string[] = [];
  const fetch = (url: string) => {
    sent.push(decodeURIComponent(url));
    return Promise.reject(new TypeError('Failed to fetch'));
  };
  const sync = syncTables(account, { remote: { url: URL, fetch }, tables: { Todos: {} } });

  const pending = await sync.pending('Todos');
  const rowKeys = pending.map(({ rowKey }) => rowKey).sort();
  expect(rowKeys).toEqual(['open', 'pulled', 'rejected', 'sent']);
  expect(await sync.conflicts('Todos')).toMatchObject([
    { rowKey: 'conflict', base: { n: 1 }, local: { n: 2 }, remote: { n: 3 }, result: { n: 3 } },
  ]);
  await rejection(sync.once());
  expect(sent[0]).toContain("Timestamp ge datetime'2026-11-29T");

  // What changes is stored with a version, beside the rest.
  await todos.updateEntity({ partitionKey: 'p', rowKey: 'open', n: 2 }, 'Merge');
  await sync.discard('Todos', 'p', 'pulled');
  expect(await todos.getEntity('p', 'pulled')).toMatchObject({ n: 1 });
  expect(await sync.pending('Todos')).toHaveLength(3);
});
