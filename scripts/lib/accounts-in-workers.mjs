// accounts-in-workers.mjs - a Vite plugin that lets the tests of js/ open their accounts in a
// worker.

import { resolve } from 'node:path';

const ENTRY = resolve('tests/js/support/worker/index.ts');

export const accountsInWorkers = {
  name: 'accounts-in-workers',
  /** @type {const} */ enforce: 'pre',
  resolveId(source, importer) {
    const isOfTest = importer?.includes('/tests/js/') && !importer.includes('/support/worker/');
    return isOfTest && source.endsWith('/js/src/index.js') ? ENTRY : undefined;
  },
};
