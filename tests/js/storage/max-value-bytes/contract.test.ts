// The contract, over a database with limits.

import { describe, it } from 'vitest';

import { storageContract } from '../../../../js/src/storage/contract.js';
import { withMaxValueBytes } from '../../../../js/src/storage/max-value-bytes.js';
import { LimitedStorage } from '../../support/limited-storage.js';

describe.each([
  { valueBytes: 1024 },
  { valueBytes: 65_536, batchBytes: 800_000 },
  { valueBytes: 1024, batchBytes: 4096 },
])('withMaxValueBytes over %j', ({ valueBytes, batchBytes }) => {
  const open = () =>
    withMaxValueBytes(
      new LimitedStorage({ valueBytes, ...(batchBytes && { batchBytes }) }),
      valueBytes,
      { maxBatchBytes: batchBytes },
    );

  it.each(storageContract)('$name', ({ run }) => run(open, { maxValueBytes: valueBytes }));
});
