// The template of a Worker, as the tool of the platform bundles it, from the packed package.

import { spawnSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { expect, it } from 'vitest';

import { installInto } from './support/packed.js';
import { newFolder } from './support/serve.js';

const WRANGLER = resolve('node_modules/wrangler/bin/wrangler.js');

it('the template of a Worker is ready to be deployed, and minified', () => {
  const app = newFolder();
  cpSync('templates/edge', app, { recursive: true });
  installInto(app);
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [WRANGLER, 'deploy', '--dry-run', '--outdir', 'out'],
    {
      cwd: app,
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], HOME: app, CI: '1', WRANGLER_SEND_METRICS: 'false' },
    },
  );
  expect({ status, stdout, stderr }).toMatchObject({ status: 0 });

  const files = readdirSync(join(app, 'out'));
  const script = readFileSync(
    join(
      app,
      'out',
      files.find((name) => name.endsWith('.js'))!,
    ),
  );
  expect(stdout).toMatch(/env\.TABLES \(TableObject\) +Durable Object/);
  expect(files.filter((name) => name.endsWith('.wasm'))).toHaveLength(1);
  expect(script.toString()).not.toMatch(/^ +(const|return) /m);
  // The guide says how much of the limit of 3 MB the Worker takes.
  const [, kib] = /gzip: ([\d.]+) KiB/.exec(stdout)!;
  expect(Number(kib)).toBeLessThan(335);
}, 60_000);
