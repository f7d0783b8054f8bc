// run.mjs - `npm run bench:storages`: one awaited insert in each storage outside of browsers. Each
// round takes all storages in turn. It prints figures for docs/guides/storage.md.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Pool } from 'pg';

import { build } from '../../scripts/build.mjs';
import { startPostgres } from '../../scripts/lib/postgres.mjs';
import { enterProject } from '../../scripts/lib/project.mjs';
import { main, say } from '../../scripts/lib/terminal.mjs';
import { installSystemPackages } from '../../scripts/test/system.mjs';

const ROUNDS = 3;

/** Measures all subjects in turn, again in each round, and prints the fastest median of each. */
async function compare(subjects) {
  const found = Object.fromEntries(Object.keys(subjects).map((name) => [name, []]));
  for (let round = 1; round <= ROUNDS; round++) {
    for (const [name, measure] of Object.entries(subjects)) found[name].push(await measure(round));
  }
  for (const [name, medians] of Object.entries(found)) {
    const [fastest, ...others] = medians
      .sort((one, other) => one - other)
      .map((ms) => ms.toPrecision(2));
    say(`${name}: ${fastest} ms (in other rounds ${others.join(', ')})`);
  }
}

enterProject();
await main(async () => {
  await installSystemPackages(['postgresql']);
  await build('package');
  const { medianInsert } = await import('./insert.mjs');
  const { encryptedStorage } = await import('../../dist/storage/encrypted.js');
  const { fileStorage } = await import('../../dist/storage/file.js');
  const { memoryStorage } = await import('../../dist/storage/memory.js');
  const { postgresStorage } = await import('../../dist/storage/postgres.js');

  const deno = createRequire(import.meta.url)('deno/install_api.cjs').runInstall();
  const folder = mkdtempSync(join(tmpdir(), 'entitable-bench-'));
  // As it comes, so it syncs its log for each commit.
  const server = await startPostgres({ settings: [] });
  const usages = ['encrypt', 'decrypt'];
  const key = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, usages);
  const pool = new Pool({ connectionString: server.url });

  const subjects = {
    memory: () => medianInsert(memoryStorage()),
    'a folder': (round) => medianInsert(fileStorage(join(folder, `strict-${round}`))),
    'a folder, relaxed': (round) =>
      medianInsert(fileStorage(join(folder, `relaxed-${round}`), { durability: 'relaxed' })),
    'memory, encrypted': () => medianInsert(encryptedStorage(memoryStorage(), key)),
    'a folder, encrypted': (round) =>
      medianInsert(encryptedStorage(fileStorage(join(folder, `sealed-${round}`)), key)),
    PostgreSQL: (round) => medianInsert(postgresStorage(pool, `bench-${round}`)),
    'Deno KV in a file': (round) => {
      const args = ['run', '--allow-all', '--unstable-kv', 'bench/storages/deno-kv.mjs'];
      return Number(execFileSync(deno, [...args, join(folder, `kv-${round}`)]));
    },
  };
  try {
    await compare(subjects);
  } finally {
    await pool.end();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});
