// contract-program.ts - runs the storage contract in any runtime. The arguments are a storage and a
// folder, or the path of a database. It prints what each check says: null, if it holds.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

import { storageContract } from '../../../js/src/storage/contract.js';
import { denoKvStorage } from '../../../js/src/storage/deno-kv.js';
import { fileStorage } from '../../../js/src/storage/file.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import type { PageStorage } from '../../../js/src/storage/page-storage.js';
import { openKv } from './deno-kv/open.js';

const [kind = '', path = ''] = process.argv.slice(-2);

const OPENERS: Record<string, () => Promise<(name: string) => PageStorage>> = {
  memory: async () => () => memoryStorage(),
  file: async () => (name) => fileStorage(join(path, name), { durability: 'relaxed' }),
  'deno-kv': async () => {
    if (path !== ':memory:') mkdirSync(path, { recursive: true });
    const kv = await openKv(path === ':memory:' ? path : join(path, 'kv'));
    return (name) => denoKvStorage(kv, name);
  },
};

const open = await OPENERS[kind]!();
const said: Record<string, string | null> = {};
for (const [at, { name, run }] of storageContract.entries()) {
  said[name] = await run(() => open(`store-${at}`), { maxValueBytes: 65_536 }).then(
    () => null,
    (error: unknown) => String(error),
  );
}
process.stdout.write(JSON.stringify(said), () => process.exit());
