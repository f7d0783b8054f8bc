// measure.mjs - measures the engines side by side.
//
// Each round measures one engine after another, so that other work of the machine disturbs all of
// them alike. Each engine has a new browser in each round.

import { readFileSync } from 'node:fs';

import { serve } from '../scripts/lib/server.mjs';
import { say } from '../scripts/lib/terminal.mjs';
import { Browser } from './browser.mjs';
import { SITE, bundle, downloadSize, startFilesOf } from './bundle.mjs';
import { ENGINES } from './engines.mjs';
import { keep, load } from './results.mjs';
import { FIGURES_OF } from './step-figures.mjs';
import { carryOutStep, messageOf, restAfter } from './steps.mjs';

// Timers of 5 µs and measurements of memory need an isolated page. The script and the module may be
// cached, as on a second visit.
const HEADERS = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
  'cache-control': 'max-age=3600',
};

/** Bundles `names`, and saves their sizes. */
export async function measureDownloads(names, results) {
  await bundle(Object.fromEntries(names.map((name) => [name, ENGINES[name]])));
  for (const name of names) describe(name, results);
  results.save();
}

/** Measures `names` over `count` entities, and saves after each engine. */
export async function measureEngines({ names, steps, values, count, rounds }, results) {
  await measureDownloads(names, results);
  const { url, close } = await serve(SITE, { port: 0, headers: HEADERS });
  const run = results.beginRun(values, count, names);
  try {
    for (let round = 0; round < rounds; round++) {
      for (const name of names) {
        const figures = await measureEngine({ name, steps, values, count, round, url }, results);
        keep(run.engines[name], figures, round, figuresOf(name, steps));
        run.load.push(load());
        results.save();
      }
    }
  } finally {
    await close();
  }
}

function describe(name, results) {
  const { package: packageName, isLimit } = ENGINES[name];
  if (isLimit) return;
  const manifest = packageName ? `bench/node_modules/${packageName}/package.json` : 'package.json';
  const { version } = JSON.parse(readFileSync(manifest, 'utf8'));
  results.data.downloads[name] = {
    ...downloadSize(name),
    ...((packageName || name === 'entitable') && { version }),
  };
}

// What these steps measure, beside the load.
function figuresOf(name, steps) {
  if (ENGINES[name].isLimit) return Object.values(FIGURES_OF).flat();
  return ['load', ...steps].flatMap((step) => FIGURES_OF[step]);
}

async function measureEngine({ name, steps, values, count, round, url }, results) {
  const engine = ENGINES[name];
  const browser = new Browser(url);
  const figures = {};
  const lap = stopwatch();
  const carryOut = async (command, more) => {
    // The page has no use for what a worker fetches.
    const ahead = engine.worker ? [] : startFilesOf(name);
    const of = { engine: name, worker: engine.worker, name: command, values, count, round, ahead };
    return browser.carryOut({ ...of, ...more });
  };
  try {
    await browser.start();
    results.data.machine.chromium = browser.version();
    if (ENGINES[name].isLimit) return await carryOut('limits');
    const { perSecond } = await carryOut('load');
    Object.assign(figures, { perSecond });
    lap('load');
    for (const step of steps) {
      const measured = await carryOutStep(step, { engine, browser, carryOut, count, round });
      delete measured.wholeMs;
      Object.assign(figures, measured);
      await restAfter(step, engine, measured, count);
      lap(step);
    }
    await carryOut('checkWrites');
  } catch (error) {
    figures.failure = messageOf(error);
  } finally {
    await browser.end();
  }
  say(`${name} ${values}/${count} #${round}, load ${load()}: ${textOf(figures)}`);
  say(`  ${lap('end')}`);
  return figures;
}

// Returns a function that ends a part of the work, and returns the seconds of each part.
function stopwatch() {
  const parts = [];
  let start = performance.now();
  return (part) => {
    const now = performance.now();
    parts.push(`${part} ${((now - start) / 1000).toFixed(1)} s`);
    start = now;
    return parts.join(', ');
  };
}

const textOf = (figures) =>
  Object.entries(figures)
    .map(([name, value]) => [name, value.failure ?? value])
    .filter(([, value]) => typeof value !== 'object')
    .map(([name, value]) => `${name} ${typeof value === 'number' ? value.toPrecision(3) : value}`)
    .join(', ');
