// measure.mjs - measures what apps do with declared tables, beside Dexie and beside the same
// without encryption or declarations. All run in one page, in turns, so that other work of the
// machine disturbs them alike.

import { copyFileSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { build } from 'esbuild';

import { serve } from '../../scripts/lib/server.mjs';
import { say, step } from '../../scripts/lib/terminal.mjs';
import { Browser } from '../browser.mjs';
import { median, numberText } from '../report/figures.mjs';
import { load } from '../results.mjs';

const SITE = 'build/bench-app';
const ROUNDS = 7;
const WORKS = [
  ...['dexieTransactions', 'transactions', 'dexieArrays', 'texts', 'arrays'],
  ...['plain', 'encrypted', 'openings'],
];

export async function measureApp(results) {
  await bundle();
  const { url, close } = await serve(SITE, { port: 0 });
  const browser = new Browser(url);
  const rounds = Object.fromEntries(WORKS.map((name) => [name, []]));
  try {
    await browser.start();
    await step(`measured an app in ${ROUNDS} rounds`, async () => {
      for (let round = 0; round < ROUNDS; round++) {
        for (const name of WORKS) rounds[name].push(await browser.carryOut({ name }));
      }
    });
  } finally {
    await browser.end();
    await close();
  }
  const { version } = JSON.parse(readFileSync('bench/node_modules/dexie/package.json', 'utf8'));
  results.data.app = {
    rounds: ROUNDS,
    load: load(),
    dexie: version,
    figures: Object.fromEntries(WORKS.map((name) => [name, medians(rounds[name])])),
  };
  results.save();
  for (const [name, figures] of Object.entries(results.data.app.figures)) {
    say(
      `${name}: ${Object.entries(figures)
        .map((one) => one.map(textOf).join(' '))
        .join(', ')}`,
    );
  }
}

const textOf = (value) => (typeof value === 'number' ? `${numberText(value)} µs` : value);

const medians = (list) =>
  Object.fromEntries(
    Object.keys(list[0]).map((name) => [name, median(list.map((one) => one[name]))]),
  );

async function bundle() {
  rmSync(SITE, { recursive: true, force: true });
  await build({
    entryPoints: ['bench/app/page.js'],
    outdir: SITE,
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    alias: { entitable: './dist/index.js' },
    nodePaths: ['bench/node_modules'],
    tsconfigRaw: {},
    define: { 'process.env.NODE_ENV': '"production"' },
    external: ['node:*'],
    logLevel: 'error',
  });
  copyFileSync('bench/app/index.html', join(SITE, 'index.html'));
  copyFileSync('dist/entitable.wasm', join(SITE, 'entitable.wasm'));
}
