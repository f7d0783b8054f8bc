// opfs.js - Entitable on OPFS, in a worker.

import { opfsStorage } from '../../../dist/storage/opfs.js';

import { createAccount } from './account.js';

export default function createEntitableOnOpfs(options) {
  return createAccount(options, (name) => opfsStorage(name));
}
