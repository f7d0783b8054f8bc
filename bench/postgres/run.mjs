// run.mjs - `npm run bench:postgres`: one, two and four processes that serve an account in
// PostgreSQL, beside one process over a folder, and beside plain SQL by `pg`. It prints a table for
// docs/guides/postgres.md.
//
//   npm run bench:postgres                 some minutes
//   npm run bench:postgres -- --quick      to see whether it runs

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { build } from '../../scripts/build.mjs';
import { startPostgres } from '../../scripts/lib/postgres.mjs';
import { enterProject } from '../../scripts/lib/project.mjs';
import { main, say } from '../../scripts/lib/terminal.mjs';
import { installSystemPackages } from '../../scripts/test/system.mjs';
import { served } from './served.mjs';
import { sql } from './sql.mjs';

const AT_ONCE = 32;
// A partition, and a page of results.
const PAGE = 100;
// Of each, the median counts. The subjects take turns, because the machine has other work.
const ROUNDS = 3;
const SIZES = { count: 2000, alone: 200, pages: 400 };
const QUICK = { count: 200, alone: 20, pages: 20 };

const entityOf = (i, prefix) => ({
  PartitionKey: `${prefix}${Math.floor(i / PAGE)}`,
  RowKey: `${i % PAGE}`.padStart(3, '0'),
  Name: `entity number ${i} of many`,
  City: ['Oslo', 'Lima', 'Kyoto', 'Accra', 'Perth'][i % 5],
  Count: (i * 7919) % 100_003,
  Share: (i % 997) / 997,
  Active: i % 3 === 0,
});

/** Calls `operation` for 0 … count - 1, `atOnce` calls at a time. Returns the calls per second. */
async function rate(count, atOnce, operation) {
  const begin = performance.now();
  let next = 0;
  const worker = async () => {
    while (next < count) await operation(next++);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return count / ((performance.now() - begin) / 1000);
}

async function measure(subject, { count, alone, pages }) {
  const insertInto = (prefix) => (i) => subject.insert(entityOf(i, prefix));
  const read = (i) => {
    const { PartitionKey, RowKey } = entityOf((i * 7919) % count, 'many');
    return subject.read(PartitionKey, RowKey);
  };
  const list = async (i) => {
    const found = await subject.list(`many${(i * 37) % Math.floor(count / PAGE)}`);
    if (found !== PAGE) throw new Error(`${found} entities in a partition`);
  };
  await rate(count / 4, AT_ONCE, insertInto('warm'));
  const inserts = await rate(count, AT_ONCE, insertInto('many'));
  const loneInserts = await rate(alone, 1, insertInto('alone'));
  await rate(count / 4, AT_ONCE, read);
  const reads = await rate(count, AT_ONCE, read);
  const loneReads = await rate(alone, 1, read);
  await rate(pages / 4, AT_ONCE, list);
  const queries = await rate(pages, AT_ONCE, list);
  return { inserts, loneInserts, reads, loneReads, queries };
}

const ROWS = {
  inserts: `inserts, ${AT_ONCE} at once`,
  loneInserts: 'inserts, one at a time',
  reads: `point reads, ${AT_ONCE} at once`,
  loneReads: 'point reads, one at a time',
  queries: `queries of ${PAGE} entities`,
};

function medianOf(rounds, key) {
  const sorted = rounds.map((rates) => rates[key]).sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

function print(results) {
  const row = (cells) => say(`| ${cells.join(' | ')} |`);
  row(['per second', ...Object.keys(results)]);
  row(['---', ...Object.keys(results).map(() => '---:')]);
  for (const [key, title] of Object.entries(ROWS)) {
    const number = (value) => value.toLocaleString('en-US', { maximumFractionDigits: 0 });
    row([title, ...Object.values(results).map((rounds) => number(medianOf(rounds, key)))]);
  }
}

/** Returns the rates of each round, by the names of the subjects. */
async function takeTurns(subjects, rounds, sizes) {
  const found = Object.fromEntries(Object.keys(subjects).map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const [name, start] of Object.entries(subjects)) {
      const subject = await start(round);
      try {
        found[name].push(await measure(subject, sizes));
      } finally {
        await subject.stop();
      }
    }
  }
  return found;
}

enterProject();
await main(async () => {
  const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
  await installSystemPackages(['postgresql']);
  await build('package');
  const folder = mkdtempSync(join(tmpdir(), 'entitable-bench-'));
  // As it comes, so it syncs its log for each commit.
  const server = await startPostgres({ settings: [] });
  const inPostgres = (name) => [
    '--postgres',
    server.url,
    '--account',
    name,
    '--account-key',
    'a2V5',
  ];
  // Each round has stores of its own.
  const subjects = {
    '1 process': (round) => served(1, ...inPostgres(`one${round}`)),
    '2 processes': (round) => served(2, ...inPostgres(`two${round}`)),
    '4 processes': (round) => served(4, ...inPostgres(`four${round}`)),
    'a folder': (round) => served(1, '--data', join(folder, `${round}`)),
    'plain SQL': () => sql(server.url, AT_ONCE),
  };
  let found;
  try {
    found = await takeTurns(subjects, values.quick ? 1 : ROUNDS, values.quick ? QUICK : SIZES);
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  print(found);
});
