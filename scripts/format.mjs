// format.mjs - formats all sources as the style suite expects.

import { enterProject } from './lib/project.mjs';
import { run } from './lib/run.mjs';
import { main } from './lib/terminal.mjs';
import { clangFormatCommand } from './test/style.mjs';

enterProject();
await main(async () => {
  await run('node_modules/.bin/prettier', ['--write', '--log-level=warn', '.']);
  const command = await clangFormatCommand('-i');
  if (command) await run(command[0], command.slice(1));
});
