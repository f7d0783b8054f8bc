import { describe, expect, it } from 'vitest';

import { fileStorage } from '../../../../js/src/storage/file.js';
import { freshFolder } from '../../support/file-storages.js';
import { lastSizedCommit } from '../../support/file/sized-commits.js';
import { startWriter } from '../../support/file/writer-process.js';
import { RUNTIMES } from '../../support/runtimes.js';

describe.each(RUNTIMES)('in $name', ({ command }) => {
  it('a store is written, killed, opened again and read by others', async () => {
    const folder = freshFolder();
    for (const durability of ['relaxed', 'strict'] as const) {
      const writer = await startWriter(folder, durability, command);
      await writer.acknowledged(200);
      await writer.kill();
    }
    const storage = fileStorage(folder);

    expect(await lastSizedCommit(storage)).toBeGreaterThanOrEqual(400);
    await storage.destroy();
  }, 60_000);
});
