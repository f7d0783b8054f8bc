// test-long.mjs - the tests that get better with time, for as long as it takes: more rounds and
// more seeds than in `npm test`.  What is set in the environment stays as it is.

import { build } from './build.mjs';
import { enterProject } from './lib/project.mjs';
import { run } from './lib/run.mjs';
import { Problem, main, say } from './lib/terminal.mjs';
import { buildNative, runNative } from './test/native.mjs';
import { BROWSERS, NATIVE, TIDY, installSystemPackages } from './test/system.mjs';
import { runTidy } from './test/tidy.mjs';
import { sumOf } from './test/totals.mjs';

const SOAK = {
  tests: 'tests/js/soak.test.ts',
  // Mixed work, in which nothing that is held may grow: half an hour for each storage.
  environment: { ENTITABLE_SOAK_SECONDS: '3600' },
};

const RUNS = [
  {
    project: 'node',
    tests: 'tests/js/storage/file',
    environment: {
      // A process that writes into a folder is killed so often, for each durability.
      ENTITABLE_KILL_ROUNDS: '200',
      // Damage of all kinds to the file of a store.
      ENTITABLE_DAMAGE_ROUNDS: '2200',
      // Accounts in a folder whose process dies now and then.
      ENTITABLE_RANDOM_STORES: '200',
    },
  },
  {
    project: 'node',
    tests: 'random-work',
    // So many lives of stores, beside a model.
    environment: { ENTITABLE_MODEL_ROUNDS: '3000' },
  },
  {
    project: 'chromium',
    tests: 'tests/js/storage/opfs/random-work.browser.test.ts',
    // The same, with accounts in workers that are killed.
    environment: { ENTITABLE_MODEL_ROUNDS: '600' },
  },
  {
    project: 'node',
    tests: 'tests/js/sync/worlds.node.test.ts',
    // Replicas in worlds in which a request fails.
    environment: { ENTITABLE_SYNC_WORLDS: '50000' },
  },
  {
    project: 'node',
    tests: 'tests/js/edge/shards/faults.node.test.ts',
    // Accounts over several, with requests and faults at random.
    environment: { ENTITABLE_SHARD_ROUNDS: '500' },
  },
  {
    project: 'server',
    tests: 'tests/server/differential',
    // The same requests for the server and the emulator, others each time.
    environment: {
      ENTITABLE_DIFFERENTIAL_REQUESTS: '100000',
      ENTITABLE_SEED: `${Date.now() % 2 ** 31}`,
    },
  },
  {
    project: 'server',
    tests: 'tests/server/flood.test.ts',
    // All kinds of requests, so often, for a server with little memory.
    environment: { ENTITABLE_FLOOD_ROUNDS: '5' },
  },
  {
    project: 'server',
    tests: 'tests/server/postgres/processes.test.ts',
    // A process that serves PostgreSQL is killed so often, and the database crashes so often.
    environment: { ENTITABLE_KILL_ROUNDS: '100' },
  },
  {
    project: 'real',
    tests: 'tests/real',
    // Each browser is killed so often while a page writes.
    environment: { ENTITABLE_KILL_ROUNDS: '100' },
  },
  {
    project: 'node',
    tests: 'tests/js/schema/keys-order.node.test.ts',
    // Random pairs of values, whose keys must sort like the values.
    environment: { ENTITABLE_KEY_PAIRS: '1000000' },
  },
  { project: 'node', ...SOAK },
  { project: 'chromium', ...SOAK },
];

// Random schedules of several engines on one store that fails at every place, and of replicas that
// sync with one remote, by the model checks.
async function checkModel() {
  process.env.ENTITABLE_SCHEDULES ??= '100000';
  say(`native: ENTITABLE_SCHEDULES=${process.env.ENTITABLE_SCHEDULES}`);
  await buildNative('dev');
  const { failed } = sumOf(await runNative('dev', '*Check*.RandomSchedules*'));
  if (failed > 0) throw new Problem('a model check found what must not be', 'see above');
}

// All rules of .clang-tidy, the static analyzer among them.
async function analyze() {
  const { failed } = sumOf(await runTidy({ checks: '' }));
  if (failed > 0) throw new Problem('clang-tidy found faults', 'see above');
}

enterProject();
await main(async () => {
  await installSystemPackages([...NATIVE, ...TIDY, ...BROWSERS, 'postgresql']);
  await analyze();
  await checkModel();
  await build('package', 'peers');
  for (const { project, tests, environment } of RUNS) {
    const env = { ...environment, ...process.env, NO_COLOR: '1', ENTITABLE_TESTS: 'all' };
    for (const name of Object.keys(environment)) say(`${project}: ${name}=${env[name]}`);
    const projects = project === 'node' ? ['node', 'isolated'] : [project];
    const vitest = [
      ...['node_modules/vitest/vitest.mjs', 'run', tests],
      ...projects.flatMap((name) => ['--project', name]),
    ];
    process.stdout.write(await run(process.execPath, vitest, { env }));
  }
});
