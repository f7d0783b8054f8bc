// commands.js - the commands of run.mjs to a page: { engine, ahead, name, count, values, round }.
// The name is that of a workload, or of a command here. `ahead`: the files to fetch at once.
// `store`: which of the stores of the engine; the usual one has no name.

import * as answers from './workloads/answers.js';
import * as checks from './workloads/checks.js';
import * as gaps from './workloads/gaps.js';
import * as loading from './workloads/loading.js';
import * as reading from './workloads/reading.js';
import * as trips from './workloads/trips.js';
import * as writing from './workloads/writing.js';

const WORKLOADS = { ...answers, ...checks, ...gaps, ...loading, ...reading, ...trips, ...writing };

let adapter;

async function load({ engine, ahead, store = '' }) {
  const assets = new URL(`./${engine}/`, import.meta.url).href;
  for (const file of ahead) fetchAhead(assets + file);
  const { default: create } = await import(`${assets}adapter.js`);
  adapter = create({ name: `bench-${engine}${store}`, assets });
  adapter.toOwn ??= (entity) => entity;
}

// What the guide of Entitable tells apps to write into their page, for every engine.
function fetchAhead(href) {
  const link = document.createElement('link');
  const isModule = href.endsWith('.wasm');
  const wanted = isModule
    ? { rel: 'preload', as: 'fetch', type: 'application/wasm', crossOrigin: 'anonymous' }
    : { rel: 'modulepreload' };
  document.head.append(Object.assign(link, wanted, { href }));
}

const COMMANDS = {
  async open(_, { cacheBytes }) {
    await adapter.open({ isFresh: false, cacheBytes });
  },
  async close() {
    await adapter.close();
    adapter = undefined;
  },
  limits: (_, command) => adapter.limits(command),
};

export async function carryOut(command) {
  if (!adapter) await load(command);
  const work = COMMANDS[command.name] ?? WORKLOADS[command.name];
  return (await work(adapter, command)) ?? {};
}
