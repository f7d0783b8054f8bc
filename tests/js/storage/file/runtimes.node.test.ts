import { existsSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { fileStorage } from '../../../../js/src/storage/file.js';
import { lastEpisode } from '../../support/file/episode.js';
import { startWriter } from '../../support/file/writer-process.js';
import { freshFolder } from '../../support/file-storages.js';

// The programs are packages of npm, so that nothing else has to be installed.
const RUNTIMES = [
  { name: 'deno', command: ['node_modules/.bin/deno', 'run', '--allow-all'] },
  { name: 'bun', command: ['node_modules/.bin/bun', 'run'] },
];

describe.each(RUNTIMES)('in $name', ({ command }) => {
  it.runIf(existsSync(command[0]!))(
    'a store is written, killed, opened again and read by others',
    async () => {
      const folder = freshFolder();
      for (const durability of ['relaxed', 'strict'] as const) {
        const writer = await startWriter(folder, durability, command);
        await writer.acknowledged(200);
        await writer.kill();
      }
      const storage = fileStorage(folder);

      expect(await lastEpisode(storage)).toBeGreaterThanOrEqual(400);
      await storage.destroy();
    },
    60_000,
  );
});
