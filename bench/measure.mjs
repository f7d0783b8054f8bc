// measure.mjs - measures the engines side by side.
//
// Each round measures one engine after another, so that other work of the machine disturbs all of
// them alike. Each engine has a new browser in each round.

import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';

import { serve } from '../scripts/lib/server.mjs';
import { say } from '../scripts/lib/terminal.mjs';
import { Browser } from './browser.mjs';
import { SITE, bundle, downloadSize, startFilesOf } from './bundle.mjs';
import { ENGINES } from './engines.mjs';
import { partitionKeyOf, rowKeyOf } from './page/dataset.js';
import { load } from './results.mjs';

// Timers of 5 µs and measurements of memory need an isolated page. The script and the module may be
// cached, as on a second visit.
const HEADERS = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
  'cache-control': 'max-age=3600',
};

const NEW_PAGES = 5;
const SMALL_CACHE_BYTES = 32 * 2 ** 20;

// The last one stores everything again.
const PROFILED = ['points', 'ranges', 'scans', 'merges', 'batches', 'inserts', 'load'];
const MOST_PROFILED = 100_000;

// In this order. Each returns figures by their names. The first step, loading, always runs.
const STEP_WORK = {
  afterLoad,
  firstRead,
  newPage,
  smallCache,
  points: inPage('points'),
  ranges: inPage('ranges'),
  scans: inPage('scans'),
  aggregates: inPage('aggregates'),
  indexed: inPage('indexed'),
  searches: inPage('searches'),
  memory,
  merges: inPage('merges'),
  batches: inPage('batches'),
  inserts: inPage('inserts'),
  profile,
};

export const STEPS = Object.keys(STEP_WORK);

// These steps leave work for the background, which must not slow down the next step.
const RESTS_AFTER = ['indexed', 'searches', 'merges', 'batches'];
const REST_MS = 5000;
// What a load leaves grows with the entities.
const LOADED_FOR_A_REST = 100_000;

function inPage(name) {
  return ({ carryOut }) => carryOut(name);
}

// Reads while engines still sort what was loaded, and then rests.
async function afterLoad({ carryOut, count }) {
  const { pointUs } = await carryOut('points', { isCold: true });
  await setTimeout(REST_MS * Math.max(1, count / LOADED_FOR_A_REST));
  return { afterLoadUs: pointUs };
}

async function firstRead({ engine, browser, carryOut, count }) {
  if (engine.isPersistent === false) return {};
  const middle = rowKeyOf(Math.floor(count / 200));
  const times = [];
  await carryOut('close');
  for (let page = 0; page < NEW_PAGES; page++) {
    await browser.newPage();
    const key = { partitionKey: partitionKeyOf(page), rowKey: middle };
    times.push((await carryOut('firstRead', key)).wholeMs);
    await carryOut('close');
  }
  await browser.newPage();
  await carryOut('open');
  return { firstReadMs: median(times) };
}

async function newPage({ engine, browser, carryOut }) {
  if (engine.isPersistent === false) return {};
  await carryOut('close');
  await browser.newPage();
  await carryOut('open');
  return await carryOut('newPage');
}

// A store that may be larger than the memory for it.
async function smallCache({ engine, browser, carryOut, count }) {
  if (!engine.hasLimit) return {};
  const rowKey = rowKeyOf(Math.floor(count / 200));
  const limit = { cacheBytes: SMALL_CACHE_BYTES };
  // A new browser has no processes of earlier pages.
  await carryOut('close');
  await browser.stop();
  await browser.start();
  const blank = await browser.memory();
  await carryOut('open', limit);
  await carryOut('close');
  await browser.newPage();
  const first = await carryOut('firstRead', { partitionKey: 'p042', rowKey, ...limit });
  const { partitionMs } = await carryOut('partition');
  const { pointUs } = await carryOut('points', { ...limit, isCold: true });
  const { renderer } = await browser.memory();
  await carryOut('close');
  await browser.newPage();
  await carryOut('open');
  return {
    smallFirstReadMs: first.wholeMs,
    smallPartitionMs: partitionMs,
    smallPointUs: pointUs,
    smallMemoryMB: (renderer - blank.renderer) / 1e6,
  };
}

// The memory after a new start of the browser and a full scan, minus that of an empty page.
async function memory({ engine, browser, carryOut }) {
  if (engine.isPersistent === false) {
    return { pageMB: (await browser.memory()).page / 1e6 };
  }
  await carryOut('close');
  await browser.stop();
  await browser.start();
  const blank = await browser.memory();
  await carryOut('open');
  await carryOut('scans');
  const { wasmBytes } = await carryOut('wasmBytes');
  const full = await browser.memory();
  return {
    pageMB: (full.page - blank.page) / 1e6,
    rendererMB: (full.renderer - blank.renderer) / 1e6,
    browserMB: (full.browser - blank.browser) / 1e6,
    ...(wasmBytes && { wasmMB: wasmBytes / 1e6 }),
  };
}

// After all measurements of time, because the profiler slows the page down.
async function profile({ engine, browser, carryOut, round, count }) {
  if (!engine.isProfiled || count > MOST_PROFILED) return {};
  const isOurs = (url, name) => url.includes('/entitable/') && name !== 'toOwn';
  const shares = {};
  for (const work of PROFILED) {
    // Keys that are not stored yet.
    const again = () => carryOut(work, { round: round + 100, isCold: true });
    shares[work] = await browser.sharesOf(again, isOurs);
  }
  return { shares };
}

function median(list) {
  return [...list].sort((a, b) => a - b)[list.length >> 1];
}

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
        keep(run.engines[name], figures, round);
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

// The first round of a run replaces the figures of earlier runs.
function keep(kept, figures, round) {
  if (figures.failure || round === 0) delete kept.failure;
  for (const [name, value] of Object.entries(figures)) {
    if (name === 'failure') kept.failure = value;
    else (kept[name] = round === 0 ? [] : (kept[name] ?? [])).push(value);
  }
}

async function measureEngine({ name, steps, values, count, round, url }, results) {
  const engine = ENGINES[name];
  const browser = new Browser(url);
  const figures = {};
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
    await carryOut('checkReads');
    for (const step of steps) {
      const measured = await STEP_WORK[step]({ engine, browser, carryOut, count, round });
      delete measured.wholeMs;
      Object.assign(figures, measured);
      if (RESTS_AFTER.includes(step)) await setTimeout(REST_MS);
    }
    await carryOut('checkWrites');
  } catch (error) {
    figures.failure = String(error.message).split('\n')[0];
  } finally {
    await browser.end();
  }
  say(`${name} ${values}/${count} #${round}, load ${load()}: ${textOf(figures)}`);
  return figures;
}

const textOf = (figures) =>
  Object.entries(figures)
    .filter(([, value]) => typeof value !== 'object')
    .map(([name, value]) => `${name} ${typeof value === 'number' ? value.toPrecision(3) : value}`)
    .join(', ');
