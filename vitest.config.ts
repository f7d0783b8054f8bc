import { availableParallelism } from 'node:os';

import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';

import { accountsInWorkers } from './scripts/lib/accounts-in-workers.mjs';
import { svelteComponents } from './scripts/lib/svelte-components.mjs';
import { wasmFromTheBuild } from './scripts/lib/wasm-from-the-build.mjs';
import { inChromium, inWorkers, isolated } from './scripts/test/environments.mjs';
import { shellLaunchOptions } from './scripts/test/shell.mjs';
import { isWhole, roundsOf } from './scripts/test/tier.mjs';
import { WASM_FLAGS } from './scripts/test/wasm-flags.mjs';

declare module 'vitest' {
  interface ProvidedContext {
    /** The address of the Chromium of the suite (scripts/test/browser-server.mjs). */
    browser: string;
    /** Where the page suite finds the demo page, with a slash at the end. */
    pageUrl: string;
    /** The database server of tests/server/support/remote-servers.ts. */
    postgres: string;
    /** The other servers there, and the folder of accounts in use. */
    remotes: { ours: string; emulator: string; names: string[]; taken: string };
    /** How long the soak goes on, of one project. */
    soakSeconds: number;
    /** How often the workers of a store on OPFS end, and a fifth of how often they write. */
    tabRounds: number;
    /** How many stores live through random work (tests/js/support/model). */
    modelRounds: number;
    /** In how many worlds a request of sync fails (tests/js/support/sync-worlds). */
    syncWorlds: number;
  }
}

const provide = {
  // The long tests give it an hour.
  soakSeconds: roundsOf('ENTITABLE_SOAK_SECONDS', { usual: 2, whole: 10 }),
  tabRounds: roundsOf('ENTITABLE_TAB_ROUNDS', { usual: 2, whole: 8 }),
  modelRounds: roundsOf('ENTITABLE_MODEL_ROUNDS', { usual: 1, whole: 20 }),
  syncWorlds: roundsOf('ENTITABLE_SYNC_WORLDS', { usual: 20, whole: 400 }),
};

// Bundlers whose apps only the whole matrix builds, and what only WebKit does.
const OTHER_BUNDLERS = ['jest', 'next', 'parcel', 'rollup', 'vitest'].map(
  (name) => `**/${name}.test.ts`,
);
const OF_WEBKIT = ['**/lost-connection.test.ts'];
// The cases of the service in the servers of Deno and Bun, which other tests start, too.
const OTHER_RUNTIMES = ['**/runtimes/wire.node.test.ts'];

// The soak collects garbage before it reads how much memory is held.
function soakable() {
  const { args, ...options } = shellLaunchOptions('--expose-gc');
  return { ...options, args: [...args, '--enable-precise-memory-info'] };
}

const FRAMEWORKS = [
  ...['react', 'react-dom/client', 'react-dom/server.browser', 'vue', 'vue/server-renderer'],
  ...['svelte', 'svelte/internal/client', 'svelte/internal/disclose-version'],
  ...['svelte/reactivity', 'svelte/store', 'solid-js', 'solid-js/web'],
  ...['@angular/compiler', '@angular/core', '@angular/platform-browser'],
  ...['@tanstack/db', 'react-hook-form', 'dexie'],
];

const BROWSER = 'scripts/test/browser-server.mjs';

// As many files at once as there are processors. By default, one of them would be idle.
const maxWorkers = availableParallelism();

const ALONE = isolated();
const CHROMIUM = inChromium();

// In milliseconds. Only what hangs takes so long, beside other work too.
const PATIENCE = { testTimeout: 30_000, hookTimeout: 30_000 };

function inPages(
  name: string,
  which: { include: string[]; exclude?: string[]; isolate?: boolean },
) {
  return {
    plugins: [wasmFromTheBuild, svelteComponents],
    resolve: { tsconfigPaths: true },
    // Found later, they would load the page again in the middle of a test.
    optimizeDeps: { include: [...FRAMEWORKS, 'axe-core'] },
    test: {
      ...{ name, provide, maxWorkers, ...which, ...PATIENCE },
      // Components show a change some frames after it.
      expect: { poll: { timeout: 4500 } },
      browser: {
        enabled: true,
        headless: true,
        screenshotFailures: false,
        provider: playwright({ launchOptions: soakable() }),
        instances: [{ browser: 'chromium' as const }],
      },
    },
  };
}

export default defineConfig({
  test: {
    maxWorkers,
    projects: [
      {
        plugins: [wasmFromTheBuild],
        resolve: { tsconfigPaths: true },
        test: {
          name: 'node',
          provide,
          ...PATIENCE,
          execArgv: WASM_FLAGS,
          include: ['tests/{js,layers,scripts}/**/*.test.ts'],
          exclude: ['**/*.browser.test.ts', ...ALONE, ...(isWhole() ? [] : OTHER_RUNTIMES)],
          isolate: false,
        },
      },
      {
        // Those that would disturb others in a context that they share.
        plugins: [wasmFromTheBuild],
        resolve: { tsconfigPaths: true },
        test: {
          name: 'isolated',
          provide,
          ...PATIENCE,
          execArgv: WASM_FLAGS,
          include: ALONE,
          exclude: ['**/*.browser.test.ts'],
        },
      },
      inPages('chromium', { include: CHROMIUM, exclude: ALONE, isolate: false }),
      inPages('chromium-isolated', { include: CHROMIUM.filter((file) => ALONE.includes(file)) }),
      {
        // The same tests again, with their accounts in a worker.
        plugins: [wasmFromTheBuild, accountsInWorkers],
        resolve: { tsconfigPaths: true },
        test: {
          name: 'worker',
          provide,
          maxWorkers,
          ...PATIENCE,
          include: inWorkers(),
          isolate: isWhole(),
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: playwright({ launchOptions: shellLaunchOptions() }),
            instances: [{ browser: 'chromium' }],
          },
        },
      },
      {
        test: {
          name: 'page',
          isolate: isWhole(),
          ...PATIENCE,
          include: ['tests/browser/**/*.test.ts'],
          globalSetup: ['scripts/test/page-server.mjs', BROWSER],
        },
      },
      {
        resolve: { tsconfigPaths: true },
        test: {
          name: 'real',
          isolate: isWhole(),
          include: ['tests/real/**/*.test.ts'],
          exclude: isWhole() ? [] : OF_WEBKIT,
          // One browser at a time: what is measured is how tabs share it.
          fileParallelism: false,
          // Most of it takes seconds; but other things may run on the machine.
          testTimeout: 120_000,
          hookTimeout: 60_000,
        },
      },
      {
        plugins: [wasmFromTheBuild],
        resolve: { tsconfigPaths: true },
        test: {
          name: 'server',
          isolate: isWhole(),
          include: ['tests/server/**/*.test.ts'],
          execArgv: WASM_FLAGS,
          globalSetup: [BROWSER, 'tests/server/support/remote-servers.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'package',
          isolate: isWhole(),
          execArgv: WASM_FLAGS,
          include: ['tests/package/**/*.test.ts'],
          globalSetup: [BROWSER],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'bundlers',
          isolate: isWhole(),
          include: ['tests/bundlers/*.test.ts'],
          exclude: isWhole() ? [] : OTHER_BUNDLERS,
          globalSetup: [BROWSER],
          // Bundlers use every processor.
          fileParallelism: false,
          testTimeout: 180_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
