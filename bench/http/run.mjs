// run.mjs - `npm run bench:http`: measures Entitable as a server beside the emulator, and writes
// docs/concepts/benchmarks-server.md.
//
//   npm run bench:http                    some minutes
//   npm run bench:http -- --quick         half a minute, to see whether it runs; writes nothing

import { parseArgs } from 'node:util';

import { build } from '../../scripts/build.mjs';
import { enterProject } from '../../scripts/lib/project.mjs';
import { main, say } from '../../scripts/lib/terminal.mjs';
import { serverAimLines } from '../aims.mjs';
import { timesFaster, writeReport } from './report.mjs';
import { SERVERS, start } from './servers.mjs';
import { create, large, load, small } from './work.mjs';

const AT_ONCE = 16;
const SIZES = {
  starts: 5,
  small: 10_000,
  loaded: 100_000,
  queries: 200,
  filters: 1000,
  emulatorQueries: 64,
  emulatorFilters: 48,
  most: 1_000_000,
  // The time for the emulator's load, in milliseconds.
  patience: 40_000,
  // The time for a million.
  fillPatience: 90_000,
};
const QUICK = { ...SIZES, starts: 1, small: 400, loaded: 5000, most: 10_000, patience: 10_000 };

const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];

async function startTimes(name, count) {
  const times = [];
  for (let i = 0; i < count; i++) {
    const server = await start(name, { connections: 1 });
    times.push(server.startMs);
    await server.stop();
  }
  return median(times);
}

async function measure(name, sizes) {
  const { isEmulator = false, isFilled = false } = SERVERS[name];
  const figures = { startMs: await startTimes(name, sizes.starts) };
  const server = await start(name, { connections: AT_ONCE });
  try {
    await create(server.client);
    const emptyBytes = server.memory();
    const rates = await small(server, { count: sizes.small, atOnce: AT_ONCE });
    const deadline = performance.now() + (isEmulator ? sizes.patience : Infinity);
    figures.loaded = await load(server.client, { count: sizes.loaded, deadline });
    const found = await large(server, {
      count: figures.loaded,
      queries: isEmulator ? sizes.emulatorQueries : sizes.queries,
      filters: isEmulator ? sizes.emulatorFilters : sizes.filters,
      atOnce: AT_ONCE,
    });
    Object.assign(figures, rates, found);
    // The emulator would need hours for a million.
    if (isFilled) {
      const fill = { count: sizes.most, from: figures.loaded };
      figures.most = await load(server.client, {
        ...fill,
        deadline: performance.now() + sizes.fillPatience,
      });
    }
    Object.assign(figures, { emptyBytes, bytes: server.memory() });
  } finally {
    await server.stop();
  }
  return figures;
}

enterProject();
await main(async () => {
  const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
  await build('package', 'peers');
  const figures = {};
  for (const name of Object.keys(SERVERS)) {
    figures[name] = await measure(name, values.quick ? QUICK : SIZES);
    say(`${name}: ${JSON.stringify(figures[name])}`);
  }
  if (!values.quick) writeReport(figures, { atOnce: AT_ONCE });
  for (const name of Object.keys(SERVERS).filter((name) => SERVERS[name].of)) {
    const lines = serverAimLines(name, (work) => timesFaster(figures, name, work));
    for (const line of lines) say(line);
  }
});
