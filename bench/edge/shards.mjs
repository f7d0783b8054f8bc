// shards.mjs - `npm run bench:edge -- shards`: an account over 1, 2, 4 and 8 Durable Objects in
// Cloudflare's runtime on this machine, and how evenly more of them would be used.

import { build as bundle } from 'esbuild';

import { say } from '../../scripts/lib/terminal.mjs';
import { medianOf, number, scriptOf, start, timeOf, timesOf } from './worker.mjs';

const OBJECTS = [1, 2, 4, 8];
// Of each, the fastest counts, because other work on the machine only adds to a time.
const ROUNDS = 3;
const REQUESTS = 240;
const AT_ONCE = 24;
const PAGES = 15;
const ENTITIES = 1000;

const workerWith = (shards) => `
  import { tableWorker } from './dist/edge.js';
  import wasm from './entitable.wasm';
  const { TableObject, worker } = tableWorker({ wasm, shards: ${shards}, authorize: () => true });
  export { TableObject, worker as default };`;

async function measure(shards) {
  const worker = start(await scriptOf(workerWith(shards)));
  try {
    const { origin } = await worker.ready;
    const send = async (method, path, body) => {
      const headers = { Accept: 'application/json', 'Content-Type': 'application/json' };
      const answer = await fetch(`${origin}/pets/${path}`, { method, headers, body });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status}`);
      return text;
    };
    const insert = (at) =>
      send('POST', 'Pets', JSON.stringify({ PartitionKey: `user-${at}`, RowKey: '1', age: at }));
    const first = await timeOf(() => send('POST', 'Tables', '{"TableName":"Pets"}'));
    const inserts = await timesOf(REQUESTS, insert);
    const reads = await timesOf(REQUESTS, (at) =>
      send('GET', `Pets(PartitionKey='user-${at}',RowKey='1')`),
    );
    let stored = REQUESTS;
    const atOnce = await timeOf(async () => {
      for (; stored < ENTITIES; stored += AT_ONCE) {
        await Promise.all(Array.from({ length: AT_ONCE }, (_, nth) => insert(stored + nth)));
      }
    });
    const ofAll = await timesOf(PAGES, () => send('GET', 'Pets'));
    const ofOne = await timesOf(PAGES, () => send('GET', "Pets?$filter=PartitionKey eq 'user-7'"));
    return {
      first,
      insert: medianOf(inserts),
      read: medianOf(reads),
      atOnce: atOnce / (stored - REQUESTS),
      ofOne: medianOf(ofOne),
      ofAll: medianOf(ofAll),
      // An account in one object cannot be spread.
      reshard: shards > 1 ? await timeOfReshard(send, 2 * shards) : undefined,
    };
  } finally {
    await worker.dispose();
  }
}

const timeOfReshard = (send, to) =>
  timeOf(async () => {
    while ('state' in JSON.parse(await send('POST', `?comp=shards&to=${to}`)));
  });

const ROWS = [
  ['first request: a table is created', 'first'],
  ['insert', 'insert'],
  [`insert, ${AT_ONCE} at once`, 'atOnce'],
  ['point read', 'read'],
  ['query with one PartitionKey', 'ofOne'],
  ['query over all partitions, a page of 1,000', 'ofAll'],
  ['resharding of 1,000 partitions to twice as many objects', 'reshard'],
];

async function sources() {
  const { outputFiles } = await bundle({
    stdin: {
      contents: `
        export { shardOf } from './js/src/edge/shards/shard-of.ts';
        export { mergePages } from './js/src/edge/shards/merge.ts';`,
      resolveDir: '.',
    },
    bundle: true,
    write: false,
    format: 'esm',
  });
  return import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);
}

/** Deals partitions, one entity each, and counts what a page asks of the shards. */
async function simulate({ shardOf, mergePages }, shards) {
  const count = Math.max(100_000, 100 * shards);
  const dealt = Array.from({ length: shards }, () => []);
  for (let at = 0; at < count; at++) {
    const partition = `user-${`${at}`.padStart(8, '0')}`;
    dealt[shardOf('pets', partition, shards)].push(partition);
  }
  let requests = 0;
  let entities = 0;
  const ask = async (shard, top, from) => {
    const all = dealt[shard];
    const begin = from ? all.findIndex((partition) => partition >= from.partitionKey) : 0;
    const page = all.slice(begin, begin + top);
    requests++;
    entities += page.length;
    const keyOf = (partitionKey) => ({ partitionKey, rowKey: '' });
    const next = all[begin + top];
    return { entities: page, keys: page.map(keyOf), next: next && keyOf(next) };
  };
  await mergePages(shards, 1000, ask);
  const busiest = Math.max(...dealt.map(({ length }) => length)) / (count / shards);
  return { count, busiest, requests, entities };
}

/** Prints both tables. */
export async function benchShards() {
  const results = OBJECTS.map(() => []);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [at, shards] of OBJECTS.entries()) results[at].push(await measure(shards));
  }
  say(`| ms, measured | ${OBJECTS.map((count) => `${count}`).join(' | ')} |`);
  say(`| --- | ${OBJECTS.map(() => '---:').join(' | ')} |`);
  for (const [title, name] of ROWS) {
    const fastest = results.map((rounds) => Math.min(...rounds.map((times) => times[name])));
    const cells = fastest.map((time) => (Number.isNaN(time) ? '–' : number(time)));
    say(`| ${title} | ${cells.join(' | ')} |`);
  }
  const simulated = await sources();
  say('\n| shards, simulated | partitions | busiest shard | requests for a page | entities read |');
  say('| ---: | ---: | ---: | ---: | ---: |');
  for (const shards of [8, 64, 512, 4096]) {
    const { count, busiest, requests, entities } = await simulate(simulated, shards);
    const share = `${number(100 * busiest)} % of the mean`;
    say(`| ${shards} | ${count} | ${share} | ${requests} | ${entities} |`);
  }
}
