import { describe, it } from 'vitest';

import { storageContract } from '../../../js/src/storage/contract.js';
import { STORAGES } from '../support/storages.js';

describe.each(STORAGES)('$adapter storage', ({ open }) => {
  it.each(storageContract)('$name', ({ run }) => run(open));
});
