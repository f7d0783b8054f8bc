import { execFile } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { ENTRIES, FOR_FRAMEWORKS, importedName } from '../../scripts/lib/package-entries.mjs';
import { isWhole } from '../../scripts/test/tier.mjs';
import { installInto } from './support/packed.js';

// A user's program is compiled against the packed package, outside of this work tree: with every
// declaration checked, by old and new compilers, and with no types but those of the language.

const PROGRAMS = ['entity-types.ts', 'declared-tables.ts'];
const COMPILERS = isWhole()
  ? ['typescript-5.4', 'typescript-5.9', 'typescript-newest']
  : ['typescript-newest'];
const RESOLUTIONS = [
  ['bundler', 'esnext'],
  ['node16', 'node16'],
  ['nodenext', 'nodenext'],
] as const;
const PLATFORMS = {
  'the DOM': ['DOM', 'DOM.Iterable'],
  'a Worker': ['WebWorker', 'WebWorker.Iterable'],
  'neither DOM nor Worker': [],
};

const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as {
  peerDependencies: Record<string, string>;
};
const FRAMEWORKS = Object.keys(manifest.peerDependencies);
// These have the types of the framework.
const entries = ENTRIES.filter((name) => !FOR_FRAMEWORKS.includes(name)).map(importedName);

// The part that is the same on every platform.
const program = `
${entries.map((name, i) => `import * as entry${i} from '${name}';`).join('\n')}
export const all = [${entries.map((_, i) => `entry${i}`).join()}];

import { openAccount, TableError, type PageStorage, type TableClient } from 'entitable';
import { exportAll, importAll } from 'entitable/archive';
import { createRawTableHandler, createTableHandler } from 'entitable/http';
import { startServer, type ServerOptions, type TableServer } from 'entitable/server';
import type {
  Batch, CommitOptions, CommitOutcome, CommitResult, Durability, PageStorage as Contract,
  ReadRequest, Snapshot, StatusListener, StorageKey, StorageRoom, StoreStatus,
} from 'entitable/storage/contract';
import { memoryStorage } from 'entitable/storage/memory';

export function wrapped(storage: PageStorage): Contract {
  return {
    ...storage,
    read: (request: ReadRequest): Promise<Snapshot> => storage.read(request),
    commit: (batch: Batch, options?: CommitOptions): Promise<CommitResult> =>
      storage.commit(batch, options),
    list: (): Promise<readonly StorageKey[]> => storage.list!(),
    onStatus: (listener: StatusListener) => storage.onStatus!(listener),
  };
}
export type OfStorages = [CommitOutcome, Durability, StorageRoom, StoreStatus];

interface Pet {
  name: string;
  chip: bigint;
}

export async function serve(options: ServerOptions): Promise<string[]> {
  const pem = { cert: 'c', key: 'k' };
  const accounts = [{ name: 'acct', keys: ['a2V5'] }];
  const server: TableServer = await startServer({ port: 0, accounts, certificate: pem });
  await startServer({ ...options, certificate: { pfx: new Uint8Array(8), passphrase: 'p' } });
  // @ts-expect-error: there is no such option.
  await startServer({ prot: 1 });
  // @ts-expect-error: a certificate in PEM has a key.
  await startServer({ certificate: { cert: 'c' } });
  await server.close();
  return [server.url, server.connectionString, ...server.accounts.map(({ name }) => name)];
}

export async function use(table: TableClient, storage: PageStorage): Promise<string | undefined> {
  const account = await openAccount({ storage, wasm: new Uint8Array(8) });
  await openAccount({ storage: memoryStorage(), wasm: 'https://example.com/entitable.wasm' });
  await table.createEntity<Pet>({ partitionKey: 'p', rowKey: '1', name: 'Ada', chip: 1n });
  for await (const pet of table.listEntities<Pet>()) {
    const chip: bigint = pet.chip;
    // @ts-expect-error: the entity has no such property.
    pet.owner;
    if (chip) await table.importEntities([pet]);
    await table.updateEntity({ ...pet, name: 'Grace' });
  }
  const ada = await table.getEntity<Pet>('p', '1');
  ada.name = 'Grace';
  await table.updateEntity(ada);
  await table.upsertEntity<Pet>(ada, 'Replace', {});
  // @ts-expect-error: a new entity has both keys.
  await table.upsertEntity({ rowKey: '1' });
  const { value } = await table.exportEntities().getReader().read();
  const bytes: Uint8Array | undefined = value;
  await table.importEntities(table.exportEntities());
  await importAll(account, exportAll(account));
  const handler = createTableHandler(account, { authentication: 'anonymous' });
  const rawHandler = createRawTableHandler(account, { authentication: 'anonymous' });
  table.subscribe({}, (changes) => changes.inserted.map((entity) => entity.rowKey));
  for await (const pets of table.liveEntities<Pet>()) return pets[0]?.name ?? bytes?.join();
  const caught: unknown = handler ?? rawHandler;
  return caught instanceof TableError ? caught.code : undefined;
}
`;

const withPlatform = `
import { openAccount, type TableClient } from 'entitable';
import { createTableHandler } from 'entitable/http';
import { defineTable, t } from 'entitable/schema';
import { memoryStorage } from 'entitable/storage/memory';

export async function use(table: TableClient, wasm: WebAssembly.Module): Promise<Response> {
  const storage = memoryStorage();
  await openAccount({ storage, wasm });
  await openAccount({ storage, wasm: fetch('/entitable.wasm') });
  const account = await openAccount({ storage, wasm: new URL('https://example.com/e.wasm') });
  const { signal } = new AbortController();
  await table.createEntity({ partitionKey: 'p', rowKey: '1' }, { abortSignal: signal });
  const stream: ReadableStream<Uint8Array> = table.exportEntities();
  await table.importEntities(stream);
  const declared = defineTable('Pets', { partitionKey: t.string(), rowKey: t.string() });
  const { pets } = await account.openTables({ pets: declared });
  await pets.import(stream);
  await pets.import(new Blob([]).stream());
  await pets.import({} as ReadableStream<{ partitionKey: string; rowKey: string }>);
  // @ts-expect-error: a row has other properties.
  await pets.import({} as ReadableStream<{ owner: string }>);
  await new Response(table.exportEntities()).blob();
  const response: Response = await createTableHandler(account, { authentication: 'anonymous' })(
    new Request('https://example.com/Pets'),
  );
  return response;
}
`;

const withDisposal = `
import { openAccount } from 'entitable';
import { memoryStorage } from 'entitable/storage/memory';

export async function use(): Promise<void> {
  await using account = await openAccount({ storage: memoryStorage() });
  await account.createTable('Pets');
}
`;

interface Compilation {
  readonly compiler: string;
  readonly resolution: string;
  readonly module: string;
  /** Of the language. */
  readonly edition?: string;
  readonly lib: readonly string[];
  readonly files: readonly string[];
  readonly skipsOthers?: boolean;
}

const folder = mkdtempSync(join(tmpdir(), 'entitable-types-'));
const compilers = resolve('tests/package/compilers/node_modules');

beforeAll(() => {
  installInto(folder);
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(folder, 'program.ts'), program);
  cpSync('tests/package/programs', folder, { recursive: true });
  writeFileSync(join(folder, 'with-platform.ts'), withPlatform);
  writeFileSync(join(folder, 'with-disposal.ts'), withDisposal);
  for (const name of [...FRAMEWORKS, '@types/react']) {
    const place = join(folder, 'node_modules', name);
    mkdirSync(dirname(place), { recursive: true });
    symlinkSync(resolve('node_modules', name), place);
  }
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

let projects = 0;

/** The errors of the compiler, one a line. */
async function errorsOf({
  compiler,
  resolution,
  module,
  edition = 'ES2022',
  lib,
  files,
  skipsOthers = false,
}: Compilation) {
  const project = join(folder, `tsconfig.${projects++}.json`);
  const compilerOptions = {
    target: 'ES2022',
    lib: [edition, ...lib],
    module,
    moduleResolution: resolution,
    types: [],
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    // Checks all declarations of the package, but not those of the compiler.
    skipLibCheck: skipsOthers,
    skipDefaultLibCheck: true,
  };
  writeFileSync(project, JSON.stringify({ compilerOptions, files }));
  const tsc = join(compilers, compiler, 'bin/tsc');
  const { stdout } = await promisify(execFile)(process.execPath, [tsc, '-p', project]).catch(
    (error: { stdout: string }) => error,
  );
  return stdout.split('\n').filter(Boolean);
}

describe.each(COMPILERS)('by %s', (compiler) => {
  const cases = RESOLUTIONS.flatMap(([resolution, module]) =>
    Object.entries(PLATFORMS).map(([platform, lib]) => ({ resolution, module, platform, lib })),
  );

  it.each(cases)('every entry compiles under $resolution with $platform', async (options) => {
    const files = ['program.ts', ...PROGRAMS];
    if (options.lib.length) files.push('with-platform.ts');

    expect(await errorsOf({ compiler, ...options, files })).toEqual([]);
  });

  it('every entry compiles with the declarations of ES2020', async () => {
    const bundler = { resolution: 'bundler', module: 'esnext' };
    const options = { compiler, ...bundler, edition: 'ES2020', lib: ['DOM', 'DOM.Iterable'] };

    expect(await errorsOf({ ...options, files: ['program.ts', ...PROGRAMS] })).toEqual([]);
  });

  it('an account can be disposed of if the language can', async () => {
    const files = ['program.ts', 'with-disposal.ts'];
    const lib = ['ESNext.Disposable'];
    const bundler = { resolution: 'bundler', module: 'esnext' };

    expect(await errorsOf({ compiler, ...bundler, lib, files })).toEqual([]);
  });

  // Their own declarations need newer compilers than the package does.
  it.skipIf(compiler === 'typescript-5.4')('the entries for frameworks infer types', async () => {
    const lib = ['DOM', 'DOM.Iterable'];
    const bundler = { resolution: 'bundler', module: 'esnext' };
    const files = ['rows-in-views.ts', 'sync-in-views.ts', 'collections.ts'];

    expect(await errorsOf({ compiler, ...bundler, lib, files, skipsOthers: true })).toEqual([]);
  });
});
