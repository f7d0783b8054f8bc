// measure.mjs - measures counts: bytes written for each changed byte, bytes stored for each live
// byte, pages read for a point read.

import { say, step } from '../../scripts/lib/terminal.mjs';
import { openAccount } from '../../dist/index.js';
import {
  PARTITIONS,
  eachEntity,
  makeEntity,
  makePatch,
  partitionKeyOf,
  rowKeyOf,
} from '../page/dataset.js';
import { below, randomFrom } from '../page/random.js';
import { CountingStorage } from './counting-storage.mjs';

const ENTITIES = 1_000_000;
const MERGES = 100_000;
const AT_ONCE = 100;
const POINTS = 200;

export async function measureStore(results) {
  const storage = new CountingStorage();
  await step(`loaded ${ENTITIES} entities`, () => load(storage));
  const loadedBytes = storage.storedBytes;
  storage.startCounting();
  await step(`merged ${MERGES}`, () => merge(storage));
  const changedBytes = MERGES * meanEntityBytes();
  const space = {
    atEnd: storage.storedBytes / loadedBytes,
    atMost: storage.mostStoredBytes / loadedBytes,
  };
  const perByteChanged = storage.writtenBytes / changedBytes;
  const reads = await coldReads(storage);
  results.data.store = {
    writes: { entities: ENTITIES, merges: MERGES, perByteChanged },
    reads,
    space,
  };
  results.save();
  say(JSON.stringify(results.data.store));
}

async function withTable(storage, work, options = {}) {
  const account = await openAccount({ storage, ...options });
  try {
    return await work(account.tableClient('Entities'));
  } finally {
    await account.close();
  }
}

const toOwn = ({ balance, created, ...entity }) => ({
  ...entity,
  balance: BigInt(balance),
  created: new Date(created),
});

async function load(storage) {
  function* entities() {
    for (const entity of eachEntity(ENTITIES, 'words')) yield toOwn(entity);
  }
  await withTable(storage, async (table) => {
    await table.createTable();
    await table.importEntities(entities());
    await storage.untilIdle();
  });
}

const randomKey = (random) => [
  partitionKeyOf(below(PARTITIONS, random)),
  rowKeyOf(below(ENTITIES / PARTITIONS, random)),
];

async function merge(storage) {
  const random = randomFrom(7);
  await withTable(storage, async (table) => {
    for (let done = 0; done < MERGES; done += AT_ONCE) {
      const patches = Array.from({ length: AT_ONCE }, () =>
        makePatch(...randomKey(random), random, 'words'),
      );
      await Promise.all(patches.map((patch) => table.updateEntity(patch, 'Merge')));
    }
    await storage.untilIdle();
  });
}

// The bytes of its JSON.
function meanEntityBytes() {
  const random = randomFrom(9);
  let bytes = 0;
  for (let i = 0; i < 1000; i++) bytes += JSON.stringify(makeEntity(i, random)).length;
  return bytes / 1000;
}

// Each read is in a newly opened account, after another read that has loaded the directory and the
// row of the table.
async function coldReads(storage) {
  const random = randomFrom(11);
  const counts = [];
  for (let i = 0; i < POINTS; i++) {
    await withTable(storage, async (table) => {
      await table.getEntity(...randomKey(random));
      storage.leavesRead = 0;
      await table.getEntity(...randomKey(random));
      counts.push(storage.leavesRead);
    });
  }
  return {
    mostLeaves: Math.max(...counts),
    meanLeaves: counts.reduce((sum, count) => sum + count) / counts.length,
  };
}
