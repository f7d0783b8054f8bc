// serve.mjs - builds the changed parts and starts the server: `npm run serve -- --in-memory`.

import { build } from './build.mjs';
import { enterProject } from './lib/project.mjs';
import { main } from './lib/terminal.mjs';

enterProject();
await main(async () => {
  await build('package');
  process.argv.splice(2, 0, 'serve');
  await import('../dist/cli.js');
});
