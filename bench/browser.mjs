// browser.mjs - starts a browser with a new profile on disk, and opens pages.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { chromium } from 'playwright-core';

import { chromiumLaunchOptions } from '../scripts/lib/chromium.mjs';
import { sharesOf } from './profile.mjs';

const TIMEOUT_MS = 600_000;

// For measurements of memory at any time, and after garbage collection.
const MEASURING = ['--js-flags=--expose-gc', '--enable-blink-features=ForceEagerMeasureMemory'];

export class Browser {
  #profile = mkdtempSync(join(tmpdir(), 'entitable-bench-'));
  #url;
  #context;
  #page;

  constructor(url) {
    this.#url = url;
  }

  async start() {
    const { executablePath, args } = chromiumLaunchOptions();
    this.#context = await chromium.launchPersistentContext(this.#profile, {
      executablePath,
      args: [...args, ...MEASURING],
    });
    await this.newPage();
  }

  version() {
    return this.#context.browser().version();
  }

  /** Replaces the page before. */
  async newPage() {
    const last = this.#page;
    this.#page = await this.#context.newPage();
    await last?.close();
    await this.#page.goto(this.#url);
  }

  /**
   * Sends a command to the page. Rejects after ten minutes without an answer. With `isGapMeasured`,
   * also returns the longest time between two frames of the page.
   */
  async carryOut(command) {
    let timer;
    const silence = new Promise((_, reject) => {
      const fail = () => reject(new Error(`${command.name} took more than ${TIMEOUT_MS} ms`));
      timer = setTimeout(fail, TIMEOUT_MS);
    });
    const answer = this.#page.evaluate(
      (given) => globalThis.bench[given.isGapMeasured ? 'measureGap' : 'carryOut'](given),
      command,
    );
    return Promise.race([answer, silence]).finally(() => clearTimeout(timer));
  }

  /** Profiles some work in the page: see profile.mjs. */
  async sharesOf(work, isOurs) {
    const session = await this.#context.newCDPSession(this.#page);
    const shares = await sharesOf(session, work, isOurs);
    await session.detach();
    return shares;
  }

  /** In bytes: the memory of the page, of its process and of the browser's process. */
  async memory() {
    const page = await this.#page.evaluate(() => globalThis.bench.memoryBytes());
    const session = await this.#context.browser().newBrowserCDPSession();
    const { processInfo } = await session.send('SystemInfo.getProcessInfo');
    await session.detach();
    const sizes = (type) =>
      processInfo.filter((one) => one.type === type).map(({ id }) => residentBytes(id));
    return {
      page,
      renderer: Math.max(...sizes('renderer')),
      browser: Math.max(...sizes('browser')),
    };
  }

  async stop() {
    this.#page = undefined;
    const context = this.#context;
    this.#context = undefined;
    await context?.close();
  }

  /** Ends the browser, and removes its profile. */
  async end() {
    try {
      await this.stop();
    } finally {
      rmSync(this.#profile, { recursive: true, force: true });
    }
  }
}

// Undefined except on Linux.
function residentBytes(id) {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1]) * 1024;
  } catch {
    return NaN;
  }
}
