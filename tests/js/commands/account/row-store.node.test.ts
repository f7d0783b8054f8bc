import { expect, it } from 'vitest';

import { TableError } from '../../../../js/src/base/errors.js';
import type { ReadAccount } from '../../../../js/src/commands/account/place.js';
import { rowStore } from '../../../../js/src/commands/account/row-store.js';

interface Row {
  readonly entity: { partitionKey: string; rowKey: string };
  readonly isBad?: boolean;
}

const row = (key: string, isBad = false): Row => ({
  entity: { partitionKey: key[0]!, rowKey: key[1]! },
  isBad,
});

/** A storage account that refuses a list of actions for the last bad entity of it. */
function refusingAccount(bad: ReadonlySet<object>): ReadAccount {
  const submitTransaction = async (actions: [string, object, string][]) => {
    const operationIndex = actions.findLastIndex(([, entity]) => bad.has(entity));
    if (operationIndex < 0) return;
    throw new TableError('InvalidInput', 'It is bad.', { operationIndex });
  };
  return { tableClient: () => ({ submitTransaction }) } as never;
}

it('counts every refused row of a storage account, also those before another one', async () => {
  const rows = [row('A1'), row('B1', true), row('A2', true), row('A3')];
  const bad = new Set(rows.filter(({ isBad }) => isBad).map(({ entity }) => entity));
  const refused: string[] = [];
  const { signal } = new AbortController();
  const { put } = rowStore<Row>(
    refusingAccount(bad),
    'T',
    { mode: 'Replace', signal },
    async (it) => {
      refused.push(it.entity.partitionKey + it.entity.rowKey);
    },
  );

  expect(await put(rows)).toBe(2);
  expect(refused.sort()).toEqual(['A2', 'B1']);
});
