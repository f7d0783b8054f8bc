// worker-opfs.js - the account on OPFS, in a worker.

import { opfsStorage } from '../../../dist/storage/opfs.js';

import { createAccount } from './account.js';

export default function createEntitableInWorkerOnOpfs(options) {
  return createAccount(options, (name) => opfsStorage(name), true);
}
