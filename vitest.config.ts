import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';

import { chromiumLaunchOptions } from './scripts/lib/chromium.mjs';
import { accountsInWorkers } from './scripts/lib/accounts-in-workers.mjs';
import { svelteComponents } from './scripts/lib/svelte-components.mjs';
import { wasmFromTheBuild } from './scripts/lib/wasm-from-the-build.mjs';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the page suite finds the demo page, with a slash at the end. */
    pageUrl: string;
    /** How long the soak goes on, of one project. */
    soakSeconds: number;
  }
}

// The long tests give it an hour.
const provide = { soakSeconds: Number(process.env['ENTITABLE_SOAK_SECONDS'] ?? '10') };

// The soak collects garbage before it reads how much memory is held.
function soakable({ args = [], ...options }: ReturnType<typeof chromiumLaunchOptions>) {
  return {
    ...options,
    args: [...args, '--js-flags=--expose-gc', '--enable-precise-memory-info'],
  };
}

const FRAMEWORKS = [
  ...['react', 'react-dom/client', 'react-dom/server.browser', 'vue', 'vue/server-renderer'],
  ...['svelte', 'svelte/internal/client', 'svelte/internal/disclose-version'],
  ...['svelte/reactivity', 'svelte/store', 'solid-js', 'solid-js/web'],
  ...['@angular/compiler', '@angular/core', '@angular/platform-browser', '@tanstack/db'],
];

export default defineConfig({
  test: {
    projects: [
      {
        plugins: [wasmFromTheBuild],
        resolve: { tsconfigPaths: true },
        test: {
          name: 'node',
          provide,
          include: ['tests/{js,layers,scripts}/**/*.test.ts'],
          exclude: ['**/*.browser.test.ts'],
        },
      },
      {
        plugins: [wasmFromTheBuild, svelteComponents],
        resolve: { tsconfigPaths: true },
        // Found later, they would load the page again in the middle of a test.
        optimizeDeps: { include: [...FRAMEWORKS, 'axe-core'] },
        test: {
          name: 'chromium',
          provide,
          // Components show a change some frames after it.
          expect: { poll: { timeout: 4500 } },
          include: ['tests/js/**/*.test.ts'],
          exclude: ['**/*.node.test.ts'],
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: playwright({ launchOptions: soakable(chromiumLaunchOptions()) }),
            instances: [{ browser: 'chromium' }],
          },
        },
      },
      {
        // The same tests again, with their accounts in a worker.
        plugins: [wasmFromTheBuild, accountsInWorkers],
        resolve: { tsconfigPaths: true },
        test: {
          name: 'worker',
          include: ['tests/js/{client,http,live,transfer}/**/*.test.ts'],
          exclude: ['**/*.node.test.ts'],
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: playwright({ launchOptions: chromiumLaunchOptions() }),
            instances: [{ browser: 'chromium' }],
          },
        },
      },
      {
        test: {
          name: 'page',
          include: ['tests/browser/**/*.test.ts'],
          fileParallelism: false,
          testTimeout: 30_000,
          hookTimeout: 30_000,
          globalSetup: ['scripts/test/page-server.mjs'],
        },
      },
      {
        resolve: { tsconfigPaths: true },
        test: {
          name: 'real',
          include: ['tests/real/**/*.test.ts'],
          // One browser at a time: what is measured is how tabs share it.
          fileParallelism: false,
          // Most of it takes seconds; but other things may run on the machine.
          testTimeout: 120_000,
          hookTimeout: 60_000,
        },
      },
      {
        resolve: { tsconfigPaths: true },
        test: {
          name: 'server',
          include: ['tests/server/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'package',
          include: ['tests/package/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'bundlers',
          include: ['tests/bundlers/*.test.ts'],
          // Bundlers use every processor.
          fileParallelism: false,
          testTimeout: 180_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
