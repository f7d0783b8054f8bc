// page.js - work in the page and in a worker, and how long the page shows no new frame meanwhile.

import { deleteAccount, openAccount } from './dist/index.js';
import { indexedDbStorage } from './dist/storage/indexeddb.js';
import { measureFrameGap } from './frames.js';

const NAME = 'bench-worker';
const PARTITIONS = 100;
const READS = 1000;
const TEXTS = 10_000;
const LETTERS = { Latin: 'e', Cyrillic: 'ж', Chinese: '漢' };

function* entities(count) {
  for (let i = 0; i < count; i++) {
    yield {
      partitionKey: `p${i % PARTITIONS}`,
      rowKey: `${i}`.padStart(8, '0'),
      name: `entity ${i}`,
      number: i,
      price: i + 0.5,
      isEven: i % 2 === 0,
    };
  }
}

function* texts(letter) {
  for (let i = 0; i < TEXTS; i++) {
    const text = `${letter.repeat(100)}${i % 50}x`;
    yield { partitionKey: 'p', rowKey: `${i}`.padStart(8, '0'), text };
  }
}

// The heaviest of filters, by the script of the letters: another case of a text takes longest.
async function measureFilters(account) {
  const measured = {};
  for (const [script, letter] of Object.entries(LETTERS)) {
    const table = account.tableClient(script);
    await table.createTable();
    await table.importEntities(texts(letter));
    const filter = `contains(toupper(text),'${letter.toUpperCase().repeat(3)}49X')`;
    measured[script] = await measureFrameGap(() =>
      table.countEntities({ filter, dialect: 'extended' }),
    );
    if (measured[script].result !== TEXTS / 50) throw new Error(`${script}: a wrong count.`);
  }
  return measured;
}

/** Returns the time and the longest frame of each kind of work; of reads, the median time. */
globalThis.measure = async ({ worker, count }) => {
  await deleteAccount(NAME);
  const account = await openAccount({ storage: indexedDbStorage(NAME), worker });
  if (account.isInWorker !== worker) throw new Error('The account is in the wrong thread.');
  const table = account.tableClient('Entities');
  await table.createTable();
  const imported = await measureFrameGap(() => table.importEntities(entities(count)));
  let seen = 0;
  const scanned = await measureFrameGap(async () => {
    for await (const { partitionKey } of table.listEntities()) seen += Number(!!partitionKey);
  });
  if (seen !== count) throw new Error(`The scan found ${seen} entities.`);
  const counted = await measureFrameGap(() =>
    table.countEntities({ filter: "number ge 10 and name ne 'entity 5'" }),
  );
  const times = [];
  for (let i = 0; i < READS; i++) {
    const start = performance.now();
    await table.getEntity(`p${i % PARTITIONS}`, `${i}`.padStart(8, '0'));
    times.push(performance.now() - start);
  }
  times.sort((one, other) => one - other);
  const filtered = await measureFilters(account);
  await account.close();
  return { imported, scanned, counted, ...filtered, readMs: times[READS / 2] };
};
