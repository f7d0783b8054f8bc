import { describe, expect, it, onTestFinished } from 'vitest';

import { freshStore, startWorker } from '../../support/opfs/workers.js';

const QUOTA = 12 << 20;

// The browser's own quota, in a storage bucket.
describe.runIf('storageBuckets' in navigator)('opfsStorage at the quota of the browser', () => {
  it(
    'reports it, stores nothing, lets deletions through, and goes on',
    { timeout: 60_000 },
    async () => {
      const name = freshStore();
      const worker = startWorker();
      await worker.call('useBucket', name, QUOTA);
      onTestFinished(() => worker.call('deleteBucket', name));
      await worker.call('open', name);

      let last = 0;
      for (const length of [1 << 19, 1 << 16, 1 << 12, 100]) {
        while ((await worker.call('record', last + 1, length)).outcome === 'ok') last++;
      }
      expect(await worker.call('record', last + 1, 100)).toEqual({
        outcome: 'quota',
        cause: 'QuotaExceededError',
        quota: QUOTA,
      });
      expect(await worker.call('records')).toHaveLength(last);

      // Deletions only append. When much is dead, the values move to a smaller file.
      for (let number = 1; number <= last; number++) {
        expect(await worker.call('deleteRecord', number)).toMatchObject({ outcome: 'ok' });
      }
      expect(await worker.call('record', last + 1, 1 << 20)).toMatchObject({ outcome: 'ok' });
      expect(await worker.call('records')).toEqual([last + 1]);
    },
  );
});
