import { expect, it } from 'vitest';

import { fileStorage } from '../../../../js/src/storage/file.js';
import { roundsOf } from '../../../../scripts/test/tier.mjs';
import { freshFolder } from '../../support/file-storages.js';
import { lastSizedCommit } from '../../support/file/sized-commits.js';
import { startWriter } from '../../support/file/writer-process.js';

const ROUNDS = roundsOf('ENTITABLE_KILL_ROUNDS', { usual: 1, whole: 5 });

// The moments are random by themselves: what is random here is how much was written before.
it.each(['relaxed', 'strict'] as const)(
  `keeps what it acknowledged with %s durability when its process is killed, ${ROUNDS} times`,
  async (durability) => {
    const folder = freshFolder();
    let before = 0;
    for (let round = 1; round <= ROUNDS; round++) {
      const writer = await startWriter(folder, durability);
      await writer.acknowledged(1 + Math.floor(Math.random() * 400));
      await writer.kill();
      const count = writer.count();

      const storage = fileStorage(folder);
      const last = await lastSizedCommit(storage);
      await storage.close();
      // Three are under way at any time.
      expect(last - before, `round ${round}`).toBeGreaterThanOrEqual(count);
      expect(last - before, `round ${round}`).toBeLessThanOrEqual(count + 3);
      before = last;
    }
    await fileStorage(folder).destroy();
  },
  30_000 + ROUNDS * 10_000,
);
