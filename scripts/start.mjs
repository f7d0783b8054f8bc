// start.mjs - builds what changed of the demo page, and serves it.

import { build } from './build.mjs';
import { enterProject } from './lib/project.mjs';
import { serveDemo } from './lib/server.mjs';
import { main } from './lib/terminal.mjs';

enterProject();
await main(async () => {
  await build('page');
  const { url } = await serveDemo({
    port: Number(process.env.PORT || 8080),
    host: process.env.HOST,
  });
  process.stdout.write(`Entitable is at ${url}\n`);
});
