// insert.mjs - how long one awaited insert takes, in an account of its own. Node and Deno run it.

import { openAccount } from '../../dist/inline.js';

const COUNT = 500;
// They compile what the others run.
const WARM = 300;

/** The median, in milliseconds. */
export async function medianInsert(storage) {
  const account = await openAccount({ storage });
  const table = account.tableClient('Pets');
  await table.createTable();
  const times = [];
  for (let at = 0; at < WARM + COUNT; at++) {
    const entity = {
      partitionKey: 'dogs',
      rowKey: `${at}`,
      name: `dog number ${at}`,
      age: at % 20,
    };
    const begin = performance.now();
    await table.createEntity(entity);
    times.push(performance.now() - begin);
  }
  await account.close();
  return times.slice(WARM).sort((one, other) => one - other)[COUNT / 2];
}
