// writer.ts - runs as a process of its own. It commits one sizedBatch after another, and prints the
// number of each acknowledged commit on a line.

import { writeSync } from 'node:fs';
import process from 'node:process';

import { nodeFileSystem } from '../../../../js/src/storage/file/node/file-system.js';
import { processesHere } from '../../../../js/src/storage/file/node/processes.js';
import { folderStores } from '../../../../js/src/storage/file/node/stores.js';
import type { Durability } from '../../../../js/src/storage/page-storage.js';
import { sizedBatch } from './sized-commits.js';

const [folder, durability] = process.argv.slice(-2) as [string, Durability];
const stores = folderStores({
  fileSystem: nodeFileSystem,
  processes: processesHere(),
  // So that it is rewritten often, and killed then, too.
  deadBytes: 200_000,
});
const storage = stores.storageFor({ folder, durability });
const { records } = await storage.read({ keys: [], recordsAfter: 0 });

// Several at a time, which share batches.
let next = (records.at(-1)?.[0] ?? 0) + 1;
const write = async () => {
  for (;;) {
    const number = next++;
    const { outcome, cause } = await storage.commit(sizedBatch(number));
    if (outcome !== 'ok') throw new Error(`${number}: ${outcome}`, { cause });
    writeSync(1, `${number}\n`);
  }
};
await Promise.all([write(), write(), write()]);
