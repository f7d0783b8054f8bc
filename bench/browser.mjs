// browser.mjs - a browser with a profile of its own on disk, and pages in it.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { chromium } from 'playwright-core';

import { chromiumLaunchOptions } from '../scripts/lib/chromium.mjs';
import { sharesOf } from './profile.mjs';

const TIMEOUT_MS = 600_000;

// To measure by: memory when it is asked for, and after the garbage has gone.
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

  /** In the place of the one before. */
  async newPage() {
    const last = this.#page;
    this.#page = await this.#context.newPage();
    await last?.close();
    await this.#page.goto(this.#url);
  }

  /** Has the page carry out a command; rejects if it does not within ten minutes. */
  async carryOut(command) {
    let timer;
    const silence = new Promise((_, reject) => {
      const fail = () => reject(new Error(`${command.name} took more than ${TIMEOUT_MS} ms`));
      timer = setTimeout(fail, TIMEOUT_MS);
    });
    const answer = this.#page.evaluate((given) => globalThis.bench.carryOut(given), command);
    return Promise.race([answer, silence]).finally(() => clearTimeout(timer));
  }

  /** Where the time of some work in the page goes: see profile.mjs. */
  async sharesOf(work, isOurs) {
    const session = await this.#context.newCDPSession(this.#page);
    const shares = await sharesOf(session, work, isOurs);
    await session.detach();
    return shares;
  }

  /** In bytes: what the page holds, and how large its process and the browser's are. */
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
    await this.#context?.close();
    this.#context = undefined;
  }

  /** Ends it, and removes all that it stored. */
  async end() {
    await this.stop();
    rmSync(this.#profile, { recursive: true, force: true });
  }
}

// Linux tells; elsewhere nothing is known.
function residentBytes(id) {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1]) * 1024;
  } catch {
    return NaN;
  }
}
