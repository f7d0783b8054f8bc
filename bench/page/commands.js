// commands.js - the commands of run.mjs to a page: { engine, name, count, values, round }. The name
// is that of a workload, or of a command here.

import * as checks from './workloads/checks.js';
import * as loading from './workloads/loading.js';
import * as reading from './workloads/reading.js';
import * as writing from './workloads/writing.js';

const WORKLOADS = { ...checks, ...loading, ...reading, ...writing };

let adapter;

async function load(engine) {
  const assets = new URL(`./${engine}/`, import.meta.url).href;
  const { default: create } = await import(`${assets}adapter.js`);
  adapter = create({ name: `bench-${engine}`, assets });
  adapter.toOwn ??= (entity) => entity;
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
  async wasmBytes() {
    globalThis.gc?.();
    return { wasmBytes: adapter.wasmBytes?.() };
  },
};

export async function carryOut(command) {
  if (!adapter) await load(command.engine);
  const work = COMMANDS[command.name] ?? WORKLOADS[command.name];
  return (await work(adapter, command)) ?? {};
}
