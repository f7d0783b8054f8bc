// run.mjs - `npm run bench:worker`: the longest frame of a page while an account works, in the page
// and in a worker. It needs the package in dist/.

import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';

import { chromium } from 'playwright-core';

import { build } from '../../scripts/build.mjs';
import { chromiumLaunchOptions } from '../../scripts/lib/chromium.mjs';
import { enterProject } from '../../scripts/lib/project.mjs';
import { serve } from '../../scripts/lib/server.mjs';
import { main, say } from '../../scripts/lib/terminal.mjs';

const SITE = 'build/bench-worker';
const COUNT = 200_000;

function makeSite() {
  rmSync(SITE, { recursive: true, force: true });
  mkdirSync(SITE, { recursive: true });
  cpSync('dist', `${SITE}/dist`, { recursive: true });
  cpSync('bench/worker/page.js', `${SITE}/page.js`);
  cpSync('bench/page/frames.js', `${SITE}/frames.js`);
  const page = '<!doctype html><title>bench</title><script type="module" src="page.js"></script>';
  writeFileSync(`${SITE}/index.html`, page);
}

async function measure(url) {
  const browser = await chromium.launch(chromiumLaunchOptions());
  try {
    const results = {};
    for (const worker of [false, true]) {
      const page = await browser.newPage();
      await page.goto(url);
      await page.waitForFunction(() => 'measure' in globalThis);
      const options = { worker, count: COUNT };
      results[worker ? 'worker' : 'page'] = await page.evaluate(
        (given) => globalThis.measure(given),
        options,
      );
      await page.close();
    }
    return results;
  } finally {
    await browser.close();
  }
}

const upperCased = (script) => `\`toupper\` of 10,000 texts of 100 ${script} letters`;
const NAMES = {
  imported: 'import',
  scanned: '`for await`',
  counted: 'count with a filter',
  ...{ Latin: upperCased('Latin'), Cyrillic: upperCased('Cyrillic') },
  Chinese: upperCased('Chinese'),
};

function report({ page, worker }) {
  say('| work | ms, in the page | in a worker | longest frame in ms, page | worker |');
  say('| --- | --- | --- | --- | --- |');
  const number = (value) => value.toFixed(value < 10 ? 2 : 0);
  for (const [name, label] of Object.entries(NAMES)) {
    const times = [page[name].ms, worker[name].ms].map(number).join(' | ');
    const frames = [page[name].longestGapMs, worker[name].longestGapMs].map(number);
    say(`| ${label} | ${times} | ${frames.join(' | ')} |`);
  }
  say(`| a point read | ${number(page.readMs)} | ${number(worker.readMs)} | | |`);
}

enterProject();
await main(async () => {
  await build('package');
  makeSite();
  const server = await serve(SITE, { port: 0 });
  try {
    report(await measure(server.url));
  } finally {
    await server.close();
  }
});
