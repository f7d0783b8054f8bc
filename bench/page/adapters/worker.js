// worker.js - the account on IndexedDB, in a worker.

import { indexedDbStorage } from '../../../dist/storage/indexeddb.js';

import { createAccount } from './account.js';

export default function createEntitableInWorker(options) {
  return createAccount(options, (name) => indexedDbStorage(name), true);
}
