// entitable.js - on IndexedDB.

import { indexedDbStorage } from '../../../dist/storage/indexeddb.js';

import { createAccount } from './account.js';

export default function createEntitable(options) {
  return createAccount(options, (name) => indexedDbStorage(name));
}
