// exclusive.ts - storages that break a rule about `exclusively`.

import type { ReadRequest } from '../../../../js/src/storage/page-storage.js';
import { PlainStorage, type Decide, broken, type BrokenStorage } from './plain-storage.js';

export const BROKEN_EXCLUSIVE: readonly BrokenStorage[] = [
  broken(
    'calls decide() without values',
    {
      async exclusively(this: PlainStorage, _: unknown, decide: Decide) {
        const batch = decide({ values: [], records: [] });
        if (batch) this.apply(batch);
        return batch && { outcome: 'ok' };
      },
    },
    'exclusively: gives decide() the stored values, and stores its batch',
  ),
  broken(
    'does not call decide()',
    { exclusively: async () => undefined },
    'exclusively: gives decide() the stored values, and stores its batch',
  ),
  broken(
    'answers ok without a batch',
    {
      async exclusively(this: PlainStorage, request: ReadRequest, decide: Decide) {
        const batch = decide(await this.read(request));
        if (batch) this.apply(batch);
        return { outcome: 'ok' };
      },
    },
    'exclusively: stores nothing if decide() returns undefined',
  ),
  broken(
    'lets others write before it stores the batch of decide()',
    {
      async exclusively(this: PlainStorage, request: ReadRequest, decide: Decide) {
        const batch = decide(await this.read(request));
        return batch && this.commit(batch);
      },
    },
    'exclusively: lets no other account write between the read and the commit',
  ),
  broken(
    'keeps the batch of decide() instead of a copy',
    {
      async exclusively(this: PlainStorage, request: ReadRequest, decide: Decide) {
        const batch = decide(await this.read(request));
        for (const [key, value] of batch?.puts ?? []) this.values.set(key, value);
        return batch && { outcome: 'ok' };
      },
    },
    'exclusively: copies the batch of decide()',
  ),
];
