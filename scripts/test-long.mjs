// test-long.mjs - the tests that get better with time, for as long as it takes: more rounds and
// more seeds than in `npm test`.  What is set in the environment stays as it is.

import { build } from './build.mjs';
import { enterProject } from './lib/project.mjs';
import { run } from './lib/run.mjs';
import { main, say } from './lib/terminal.mjs';

const ENVIRONMENT = {
  // A process that writes into a folder is killed so often, for each durability.
  ENTITABLE_KILL_ROUNDS: '200',
  // Accounts in a folder whose process dies now and then.
  ENTITABLE_RANDOM_STORES: '200',
};

const TESTS = ['tests/js/storage/file'];

enterProject();
await main(async () => {
  await build('packages', 'wasm');
  const env = { ...ENVIRONMENT, ...process.env, NO_COLOR: '1' };
  for (const name of Object.keys(ENVIRONMENT)) say(`${name}=${env[name]}`);
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'node', ...TESTS];
  process.stdout.write(await run(process.execPath, vitest, { env }));
});
