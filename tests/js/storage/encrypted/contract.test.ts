// The contract of storages, and random work of several accounts, over encrypted stores.

import { beforeAll, describe, it } from 'vitest';

import { storageContract } from '../../../../js/src/storage/contract.js';
import { encryptedStorage } from '../../../../js/src/storage/encrypted.js';
import { newKey } from '../../support/encrypted.js';
import { STORAGES } from '../../support/storages.js';

let key: CryptoKey;
beforeAll(async () => {
  key = await newKey();
});

describe.each(STORAGES)('encryptedStorage over $adapter', ({ open }) => {
  it.each(storageContract)('$name', ({ run }) => run(() => encryptedStorage(open(), key)));
});
