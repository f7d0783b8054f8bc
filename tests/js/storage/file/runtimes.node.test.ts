import { resolve } from 'node:path';

import { describe, expect, it } from 'vitest';

import { fileStorage } from '../../../../js/src/storage/file.js';
import { which } from '../../../../scripts/lib/run.mjs';
import { freshFolder } from '../../support/file-storages.js';
import { lastSizedCommit } from '../../support/file/sized-commits.js';
import { startWriter } from '../../support/file/writer-process.js';

// Bun is a package of npm; so is Deno, but not one that can be locked for all systems, so it is
// taken where it is installed.
const RUNTIMES = [
  { name: 'deno', program: which('deno'), options: ['run', '--allow-all'] },
  { name: 'bun', program: resolve('node_modules/.bin/bun'), options: ['run'] },
];

describe.each(RUNTIMES)('in $name', ({ program, options }) => {
  it.runIf(program)(
    'a store is written, killed, opened again and read by others',
    async () => {
      const folder = freshFolder();
      for (const durability of ['relaxed', 'strict'] as const) {
        const writer = await startWriter(folder, durability, [program!, ...options]);
        await writer.acknowledged(200);
        await writer.kill();
      }
      const storage = fileStorage(folder);

      expect(await lastSizedCommit(storage)).toBeGreaterThanOrEqual(400);
      await storage.destroy();
    },
    60_000,
  );
});
