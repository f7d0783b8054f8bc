// run.mjs - `npm run bench:edge`: the size of a Worker of the template, its cold start, and its
// requests, in Cloudflare's runtime on this machine. `npm run bench:edge -- shards`: shards.mjs.

import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

import { build } from '../../scripts/build.mjs';
import { enterProject } from '../../scripts/lib/project.mjs';
import { main, say } from '../../scripts/lib/terminal.mjs';
import { benchShards } from './shards.mjs';
import { medianOf, number, scriptOf, start, timeOf, timesOf } from './worker.mjs';

const ROUNDS = 9;
const REQUESTS = 300;
const AT_ONCE = 24;
const ACCOUNT = 'pets';

// Without signatures, which would measure this client.
const WORKER = `
  import { tableWorker } from './dist/edge.js';
  import wasm from './entitable.wasm';
  const { TableObject, worker } = tableWorker({ wasm, authorize: () => true });
  export { TableObject, worker as default };`;

// What the runtime costs without Entitable: a request that goes to an object, which stores a value.
const NOTHING = `
  export class TableObject {
    constructor(context) { this.storage = context.storage; }
    async fetch(request) {
      if (request.method === 'POST') await this.storage.put('key', await request.text());
      return Response.json(await this.storage.get('key') ?? null);
    }
  }
  export default {
    fetch: (request, env) => env.TABLES.get(env.TABLES.idFromName('pets')).fetch(request),
  };`;

function requestsTo(origin) {
  const send = async (method, path, body) => {
    const headers = { Accept: 'application/json', 'Content-Type': 'application/json' };
    const answer = await fetch(`${origin}/${ACCOUNT}/${path}`, { method, headers, body });
    await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status}`);
  };
  return {
    create: () => send('POST', 'Tables', '{"TableName":"Pets"}'),
    list: () => send('GET', 'Tables'),
    insert: (row) =>
      send('POST', 'Pets', JSON.stringify({ PartitionKey: 'dogs', RowKey: `${row}`, age: row })),
    read: (row) => send('GET', `Pets(PartitionKey='dogs',RowKey='${row}')`),
  };
}

/** The first request to a Worker that runs, in ms. */
async function coldStart(script) {
  const worker = start(script);
  try {
    const { origin } = await worker.ready;
    return await timeOf(() => requestsTo(origin).list());
  } finally {
    await worker.dispose();
  }
}

async function warm(script, isEmpty) {
  const worker = start(script);
  try {
    const { create, insert, read } = requestsTo((await worker.ready).origin);
    if (!isEmpty) await create();
    const inserts = await timesOf(REQUESTS, (row) => insert(row));
    const reads = await timesOf(REQUESTS, (row) => read(row));
    const begin = performance.now();
    for (let at = 0; at < REQUESTS; at += AT_ONCE) {
      const rows = Array.from({ length: AT_ONCE }, (_, nth) => REQUESTS + at + nth);
      await Promise.all(rows.map(insert));
    }
    const atOnce = (performance.now() - begin) / (Math.ceil(REQUESTS / AT_ONCE) * AT_ONCE);
    return { insert: medianOf(inserts), read: medianOf(reads), atOnce };
  } finally {
    await worker.dispose();
  }
}

enterProject();
await main(async () => {
  await build('package');
  if (process.argv[2] === 'shards') return benchShards();
  const script = await scriptOf(WORKER);
  const sizes = [script, readFileSync('dist/entitable.wasm')].map(
    (part) => gzipSync(part, { level: 9 }).length / 1000,
  );
  say(`The Worker has ${number(sizes[0] + sizes[1])} KB with gzip: ${number(sizes[0])} KB of`);
  say(`script and ${number(sizes[1])} KB of WebAssembly.\n`);
  const cold = { ours: [], empty: [] };
  for (let round = 0; round < ROUNDS; round++) {
    cold.empty.push(await coldStart(NOTHING));
    cold.ours.push(await coldStart(script));
  }
  const [empty, ours] = [await warm(NOTHING, true), await warm(script, false)];
  say('| ms, median | this Worker | an object that stores one value |');
  say('| --- | ---: | ---: |');
  say(`| first request | ${number(medianOf(cold.ours))} | ${number(medianOf(cold.empty))} |`);
  say(`| insert | ${number(ours.insert)} | ${number(empty.insert)} |`);
  say(`| point read | ${number(ours.read)} | ${number(empty.read)} |`);
  say(`| insert, ${AT_ONCE} at once | ${number(ours.atOnce)} | ${number(empty.atOnce)} |`);
});
