// steps.mjs - the steps of a measurement: each measures some kinds of work of one engine.

import { setTimeout } from 'node:timers/promises';

import { partitionKeyOf, rowKeyOf } from './page/dataset.js';
import { median } from './report/figures.mjs';
import { FIGURES_OF } from './step-figures.mjs';

const NEW_PAGES = 5;
const SMALL_CACHE_BYTES = 32 * 2 ** 20;

// The last one stores everything again.
const PROFILED = ['points', 'ranges', 'scans', 'merges', 'batches', 'inserts', 'load'];
const MOST_PROFILED = 100_000;

// In this order. Each returns figures by their names. Loading comes before them, and always runs.
const STEP_WORK = {
  afterLoad,
  // Not before: the check reads everything, and gives the engine time to sort what was loaded.
  checkReads: inPage('checkReads'),
  firstRead,
  newPage,
  smallCache,
  points: inPage('points'),
  ranges: inPage('ranges'),
  scans: inPage('scans'),
  aggregates: inPage('aggregates'),
  readGaps,
  index: inPage('index'),
  lookups: inPage('lookups'),
  words: inPage('words'),
  searches: inPage('searches'),
  trips: inPage('trips'),
  memory,
  merges: inPage('merges'),
  batches: inPage('batches'),
  inserts: inPage('inserts'),
  loadGap,
  profile,
};

export const STEPS = Object.keys(STEP_WORK);

/** Those that were asked for, in their order, and the check, which always runs. */
export const stepsOf = (asked) =>
  STEPS.filter((step) => step === 'checkReads' || asked.includes(step));

// The failure of one of these leaves the other figures of the engine.
const MAY_FAIL = ['readGaps', 'loadGap'];

/** Returns the figures of a step, and `{ failure }` for each if the step may fail and did. */
export async function carryOutStep(step, tools) {
  try {
    return await STEP_WORK[step](tools);
  } catch (error) {
    if (!MAY_FAIL.includes(step)) throw error;
    const { engine, browser, carryOut } = tools;
    if (engine.isPersistent !== false) {
      await openInNewPage(browser, carryOut);
    }
    const failure = messageOf(error);
    return Object.fromEntries(FIGURES_OF[step].map((name) => [name, { failure }]));
  }
}

/** The first line. */
export const messageOf = (error) => String(error.message).split('\n')[0];

// These steps leave work for the background, which must not slow down the next step.
const RESTS_AFTER = ['merges', 'batches', 'inserts'];
const REST_MS = 5000;

// What these leave grows with the entities.
const RESTS_AFTER_ALL = ['afterLoad', 'index', 'lookups', 'words', 'searches', 'trips', 'loadGap'];
const ENTITIES_OF_A_REST = 100_000;

/** Waits, if the engine works in the background after the step that has measured `figures`. */
export async function restAfter(step, { isPersistent = true }, figures, count) {
  // An engine that skipped the step has no figures, so it has nothing to wait for.
  if (!isPersistent || Object.keys(figures).length === 0) return;
  if (RESTS_AFTER.includes(step)) await setTimeout(REST_MS);
  if (RESTS_AFTER_ALL.includes(step)) {
    await setTimeout(REST_MS * Math.max(1, count / ENTITIES_OF_A_REST));
  }
}

async function openInNewPage(browser, carryOut) {
  await browser.newPage();
  await carryOut('open');
}

function inPage(name) {
  return ({ carryOut }) => carryOut(name);
}

// Reads while engines still sort what was loaded.
async function afterLoad({ carryOut }) {
  const { pointUs } = await carryOut('coldPoints');
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
  await openInNewPage(browser, carryOut);
  return { firstReadMs: median(times) };
}

async function newPage({ engine, browser, carryOut }) {
  if (engine.isPersistent === false) return {};
  await carryOut('close');
  await openInNewPage(browser, carryOut);
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
  const { pointUs } = await carryOut('coldPoints', limit);
  const { renderer } = await browser.memory();
  await carryOut('close');
  await openInNewPage(browser, carryOut);
  return {
    smallFirstReadMs: first.wholeMs,
    smallPartitionMs: partitionMs,
    smallPointUs: pointUs,
    smallMemoryMB: (renderer - blank.renderer) / 1e6,
  };
}

// Not of engines whose app is in a worker: their page does nothing.
async function readGaps({ engine, carryOut }) {
  if (engine.worker) return {};
  const readAll = await carryOut('readAll', { isGapMeasured: true });
  const countAgain = await carryOut('countAgain', { isGapMeasured: true });
  return { readAllGapMs: readAll.longestGapMs, countGapMs: countAgain.longestGapMs };
}

// Into a store of its own, because asking for frames would slow down the load that is timed.
async function loadGap({ engine, browser, carryOut }) {
  if (engine.worker) return {};
  const isKept = engine.isPersistent !== false;
  if (isKept) {
    await carryOut('close');
    await browser.newPage();
  }
  await carryOut('prepareLoad', { store: '-of-gaps' });
  const { longestGapMs } = await carryOut('loadPrepared', { isGapMeasured: true });
  if (isKept) {
    await carryOut('close');
    await openInNewPage(browser, carryOut);
  }
  return { loadGapMs: longestGapMs };
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
  await carryOut('scanOnce');
  const full = await browser.memory();
  return {
    pageMB: (full.page - blank.page) / 1e6,
    rendererMB: (full.renderer - blank.renderer) / 1e6,
    browserMB: (full.browser - blank.browser) / 1e6,
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
