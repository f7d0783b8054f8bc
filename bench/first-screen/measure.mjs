// measure.mjs - measures how long an app takes until its first screen is there, in Chromium: the
// same React list over each store, from a cache and without one, over a fast and a slow network.
// Each sample is a new page, and the stores take turns, so other work of the machine disturbs all
// of them alike.

import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { chromium } from 'playwright-core';
import { build } from 'vite';

import { chromiumLaunchOptions } from '../../scripts/lib/chromium.mjs';
import { say, step } from '../../scripts/lib/terminal.mjs';
import { median, numberText } from '../report/figures.mjs';
import { load } from '../results.mjs';
import { idOf, rowsFrom } from './rows.js';
import { Network, serveSite } from './server.mjs';

const SITE = 'build/bench-first-screen';
const PACKAGES = { dexie: 'dexie', rxdb: 'rxdb', sqlite: '@sqlite.org/sqlite-wasm' };
const STORES = ['idb', ...Object.keys(PACKAGES), 'entitable'];
const SIZES = [2000, 50_000, 1_000_000];
const SAMPLES = 9;
const TIMEOUT_MS = 600_000;
const VISITS_BEFORE = 3;

const KINDS = [
  { name: 'cachedList', read: 'list', isCached: true },
  { name: 'cachedGet', read: 'get', isCached: true },
  { name: 'newList', read: 'list' },
  { name: 'slowList', read: 'list', isSlow: true },
];

/** Measures stores of these sizes; by default all of both. */
export async function measureFirstScreen({ stores = STORES, sizes = SIZES }, results) {
  await step('built the pages', async () => {
    rmSync(SITE, { recursive: true, force: true });
    cpSync('dist', join(SITE, 'entitable/dist'), { recursive: true });
    for (const store of stores) await buildPages(store);
  });
  const network = new Network();
  const { url, close } = await serveSite(SITE, network);
  const profile = mkdtempSync(join(tmpdir(), 'entitable-bench-'));
  const context = await chromium.launchPersistentContext(profile, chromiumLaunchOptions());
  try {
    const visitor = new Visitor(context, url, network);
    const kept = (results.data.firstScreen ??= { sizes: {} });
    for (const rows of sizes) {
      for (const store of stores) {
        await step(`filled ${store} with ${rows} rows`, () => visitor.fill(store, rows));
      }
      const figures = await takeSamples(visitor, stores, rows);
      Object.assign(kept, { samples: SAMPLES, versions: versions() });
      kept.sizes[rows] = { ...kept.sizes[rows], ...figures, load: load() };
      results.save();
    }
  } finally {
    await context.close();
    rmSync(profile, { recursive: true, force: true });
    close();
  }
}

const versions = () =>
  Object.fromEntries(
    Object.entries(PACKAGES).map(([store, name]) => {
      const manifest = readFileSync(`bench/node_modules/${name}/package.json`, 'utf8');
      return [store, JSON.parse(manifest).version];
    }),
  );

async function takeSamples(visitor, stores, rows) {
  const taken = Object.fromEntries(stores.map((store) => [store, {}]));
  for (const store of stores) {
    for (let visit = 0; visit < VISITS_BEFORE; visit++) {
      await visitor.visit(store, { rows, read: 'list', isCached: true });
    }
  }
  for (const { name, ...kind } of KINDS) {
    for (let sample = 0; sample < SAMPLES; sample++) {
      for (const store of stores) {
        (taken[store][name] ??= []).push(await visitor.visit(store, { rows, ...kind }));
      }
    }
    for (const store of stores) {
      taken[store][name] = medians(taken[store][name]);
      say(
        `${rows} ${name} ${store}: ${Object.values(taken[store][name]).map(numberText).join(' ')}`,
      );
    }
  }
  return taken;
}

const medians = (list) =>
  Object.fromEntries(
    ['fromStart', 'whole', 'bytes'].map((name) => [name, median(list.map((one) => one[name]))]),
  );

/** Opens pages of a browser. */
class Visitor {
  #context;
  #url;
  #network;
  #visits = 0;
  #right = {};

  constructor(context, url, network) {
    this.#context = context;
    this.#url = url;
    this.#network = network;
  }

  async fill(store, rows) {
    const page = await this.#open(`0/${store}/fill.html`, 'fill');
    await page.evaluate((count) => globalThis.fill(count), rows);
    await page.close();
    const byPriority = rowsFrom(0, rows).sort((a, b) => a.priority - b.priority);
    const list = byPriority.slice(0, 50).map(({ id }) => id);
    this.#right[rows] = { list: list.join(), get: idOf(rows >> 1) };
  }

  async visit(store, { rows, read, isCached = false, isSlow = false }) {
    const number = isCached ? 0 : ++this.#visits;
    this.#network.isSlow = isSlow;
    const from = Date.now();
    const address = `${number}/${store}/index.html?rows=${rows}&read=${read}`;
    const page = await this.#open(address, 'firstScreen');
    const { at, ids, ...figures } = await page.evaluate(() => globalThis.firstScreen);
    await page.close();
    if (ids !== this.#right[rows][read]) throw new Error(`${address} shows other rows: ${ids}`);
    // What a page fetches later is not for its first screen.
    return { ...figures, bytes: this.#network.bytesBetween(from, at) };
  }

  async #open(address, sign) {
    const page = await this.#context.newPage();
    page.setDefaultTimeout(TIMEOUT_MS);
    page.on('pageerror', (error) => say(`${address}: ${error}`));
    await page.goto(`${this.#url}/${address}`);
    await page.waitForFunction((name) => globalThis[name] ?? globalThis.failure, sign);
    const failure = await page.evaluate(() => globalThis.failure);
    if (failure) throw new Error(`${address}: ${failure}`);
    return page;
  }
}

async function buildPages(store) {
  const dist = resolve(SITE, 'entitable/dist');
  const { entitable } = await import(join(dist, 'vite.js'));
  for (const page of ['index', 'fill']) {
    await build({
      configFile: false,
      root: 'bench/first-screen',
      base: './',
      logLevel: 'warn',
      plugins: store === 'entitable' ? [entitable({ worker: false })] : [],
      resolve: {
        alias: [
          { find: '#store', replacement: resolve(`bench/first-screen/stores/${store}.js`) },
          { find: /^entitable$/, replacement: join(dist, 'index.js') },
          { find: /^entitable\/(.*)$/, replacement: join(dist, '$1.js') },
        ],
      },
      build: {
        outDir: resolve(SITE, store),
        emptyOutDir: false,
        target: 'es2022',
        rollupOptions: { input: `bench/first-screen/${page}.html` },
      },
    });
  }
}
