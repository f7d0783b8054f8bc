// An option that is accepted but not read would be ignored in silence.
//
// isolated: it replaces the module that reads options.

import { readdirSync, readFileSync } from 'node:fs';

import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';

import { exportAll, importAll } from '../../../js/src/archive.js';
import { WITHOUT_EFFECT } from '../../../js/src/base/options.js';
import type { TableClient } from '../../../js/src/client/table-client.js';
import type { TableServiceClient } from '../../../js/src/client/table-service-client.js';
import { createShardCatalogue, createShardRouter, tableWorker } from '../../../js/src/edge.js';
import {
  createTableHandler,
  generateAccountSas,
  generateTableSas,
  type AccountSasOptions,
  type TableSasOptions,
} from '../../../js/src/http.js';
import { loadValidator, openAccount } from '../../../js/src/index.js';
import { repair, verify } from '../../../js/src/recovery.js';
import { remoteAccount } from '../../../js/src/remote.js';
import { defineTable, t } from '../../../js/src/schema.js';
import { startServer } from '../../../js/src/server.js';
import {
  durableObjectStorage,
  type DurableObjectStorageLike,
} from '../../../js/src/storage/durable-object.js';
import { encryptedStorage, keyFromPassphrase } from '../../../js/src/storage/encrypted.js';
import { fileStorage } from '../../../js/src/storage/file.js';
import { indexedDbStorage } from '../../../js/src/storage/indexeddb.js';
import { withMaxValueBytes } from '../../../js/src/storage/max-value-bytes.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { opfsStorage } from '../../../js/src/storage/opfs.js';
import { postgresStorage, type PostgresPool } from '../../../js/src/storage/postgres.js';
import { syncTables } from '../../../js/src/sync.js';
import { serveAccounts } from '../../../js/src/worker.js';
import { collect, openForTest } from '../support/accounts.js';
import { newKey } from '../support/encrypted.js';
import { errorCode, rejection } from '../support/rejection.js';

const key = await newKey();

// The options that each function takes, and those that it has read.
const { taken, read } = vi.hoisted(() => ({
  taken: new Map<string, string[]>(),
  read: new Map<string, Set<string>>(),
}));

vi.mock('../../../js/src/base/options.js', async (load) => {
  const real = await load<typeof import('../../../js/src/base/options.js')>();
  type Check = (owner: string, given: object, kinds: object, fail?: never) => object;
  const check: Check = (owner, given, kinds, fail) => {
    taken.set(owner, leavesOf(kinds, ''));
    read.set(owner, read.get(owner) ?? new Set());
    const options = (real.checkedOptions as Check)(owner, given, kinds, fail);
    // Their use is checked below.
    return owner.endsWith('Sas') ? options : watched(options, read.get(owner)!);
  };
  return { ...real, checkedOptions: check };
});

function leavesOf(kinds: object, path: string): string[] {
  return Object.entries(kinds).flatMap(([name, kind]: [string, unknown]) =>
    typeof kind === 'object' && !Array.isArray(kind)
      ? leavesOf(kind!, `${path}${name}.`)
      : `${path}${name}`,
  );
}

function watched(options: object, names: Set<string>): object {
  return new Proxy(options, {
    get(target, name) {
      names.add(String(name));
      return Reflect.get(target, name) as unknown;
    },
    // A copy would read all of them, so the test would find nothing.
    ownKeys() {
      throw new Error('read options by their names');
    },
  });
}

const KEY = btoa('key');
const EMPTY_MODULE = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0);
const pets = defineTable('Pets', { partitionKey: t.string(), rowKey: t.string() });
// Only the method is looked at.
const noObject = { transaction: () => {} } as unknown as DurableObjectStorageLike;
const noPool = { connect: () => {}, on: () => {} } as unknown as PostgresPool;
const baseUrl = 'https://shop.example';
const absent = () => Promise.resolve(new Response(null, { status: 404 }));
const rex = { partitionKey: 'dogs', rowKey: 'rex', Age: 7 };
const query = { queryOptions: {} };

let account: TableServiceClient;
let table: TableClient;

beforeEach(async () => {
  account = await openForTest({ storage: memoryStorage({}) });
  await account.createTable('Pets');
  table = account.tableClient('Pets');
  await table.createEntity(rex);
});

const textOf = (stream: ReadableStream<Uint8Array>) => new Response(stream).text();

const syncOf = (local: TableServiceClient) =>
  syncTables(local, {
    remote: { url: 'https://contoso.table.core.windows.net', key: KEY },
    tables: { Pets: {} },
  });

const CALLS: Record<string, () => unknown> = {
  createTable: async () => {
    await account.createTable('More', {});
    await table.createTable({});
  },
  deleteTable: async () => {
    await account.deleteTable('More', {});
    await table.deleteTable({});
  },
  createEntity: () => table.createEntity({ ...rex, rowKey: 'ada' }, {}),
  getEntity: () => table.getEntity('dogs', 'rex', query),
  listEntities: () => collect(table.listEntities(query)),
  byPage: () => collect(table.listEntities().byPage({})),
  countEntities: () => table.countEntities(query),
  aggregate: () => table.aggregate({}),
  search: () => table.search('name', 'rex', {}),
  liveAggregate: async () => {
    for await (const groups of table.liveAggregate({})) if (groups) break;
  },
  explain: () => table.explain(query),
  updateEntity: () => table.updateEntity(rex, 'Merge', {}),
  upsertEntity: () => table.upsertEntity(rex, 'Merge', {}),
  deleteEntity: () => table.deleteEntity('dogs', 'rex', {}),
  deleteEntities: () => table.deleteEntities({ filter: 'true' }),
  updateEntities: () => table.updateEntities({ filter: 'true', set: {} }),
  getAccessPolicy: () => table.getAccessPolicy({}),
  setAccessPolicy: () => table.setAccessPolicy([], {}),
  submitTransaction: () => table.submitTransaction([['upsert', rex]], {}),
  'The action update': () => table.submitTransaction([['update', rex, 'Merge', {}]]),
  'The action upsert': () => table.submitTransaction([['upsert', rex, 'Merge', {}]]),
  importEntities: () => table.importEntities([{ ...rex, rowKey: 'ada' }], {}),
  exportEntities: () => textOf(table.exportEntities(query)),
  subscribe: () => table.subscribe({}, () => {})(),
  liveEntities: async () => {
    for await (const entities of table.liveEntities({})) if (entities) break;
  },
  update: () => table.liveEntities().update({}),
  liveCount: async () => {
    for await (const count of table.liveCount({})) if (count) break;
  },
  listTables: () => collect(account.listTables(query)),
  getProperties: () => account.getProperties({}),
  setProperties: () => account.setProperties({}, {}),
  getStatistics: () => account.getStatistics({}),
  enforce: () => account.enforce(pets, {}),
  stopEnforcing: () => account.stopEnforcing('Pets', {}),
  enforcedSchema: () => account.enforcedSchema('Pets', {}),
  listIssues: () => collect(account.listIssues(pets, query)),
  updateIndexes: () => account.updateIndexes(pets, {}),
  openAccount: () => openForTest({ storage: memoryStorage() }),
  loadValidator: () => loadValidator({}),
  exportAll: () => textOf(exportAll(account, {})),
  importAll: async () => {
    const archive = await new Response(exportAll(account)).bytes();
    await table.deleteTable();
    await importAll(account, archive, {});
  },
  verify: () => verify(memoryStorage(), {}),
  repair: () => repair(memoryStorage(), {}),
  memoryStorage: () => memoryStorage({}),
  indexedDbStorage: () => indexedDbStorage('a', {}),
  fileStorage: () => fileStorage('a', {}),
  durableObjectStorage: () => durableObjectStorage(noObject, {}),
  postgresStorage: () => postgresStorage(noPool, 'a', {}),
  encryptedStorage: () => encryptedStorage(memoryStorage(), { key, previous: [] }),
  keyFromPassphrase: () => keyFromPassphrase('secret', { salt: new Uint8Array(16) }),
  withMaxValueBytes: () => withMaxValueBytes(memoryStorage(), 1024, {}),
  opfsStorage: () => opfsStorage('a', {}),
  'a handler': () => createTableHandler(account, { authentication: 'anonymous' }),
  createShardRouter: () =>
    rejection(
      createShardRouter({ wasm: EMPTY_MODULE, baseUrl, shards: [absent], catalogue: absent }),
    ),
  createShardCatalogue: () =>
    createShardCatalogue(account, {
      ...{ authentication: 'anonymous', shards: [absent], baseUrl },
      records: { read: () => Promise.resolve(undefined), write: () => Promise.resolve() },
    }),
  tableWorker: () => tableWorker({ wasm: new WebAssembly.Module(EMPTY_MODULE) }),
  remoteAccount: () => remoteAccount({ url: 'https://contoso.table.core.windows.net', key: KEY }),
  syncTables: () => syncOf(account),
  'tables of syncTables': () => syncOf(account),
  'remote of syncTables': () => syncOf(account),
  forget: () => errorCode(syncOf(account).forget()),
  startServer: async () => (await startServer()).close(),
  serveAccounts: () => errorCode(Promise.resolve().then(() => serveAccounts({}))),
  authentication: () =>
    createTableHandler(account, { authentication: { account: 'a', keys: [KEY] } }),
};

const notes = defineTable('Notes', { id: t.string(), text: t.string() }, { key: 'id' });
const note = { id: 'a', text: 'b' };
let own: Awaited<ReturnType<typeof openNotes>>['tables']['notes'];

async function openNotes() {
  const opened = await openAccount({ storage: memoryStorage(), tables: { notes } });
  onTestFinished(() => opened.close());
  return opened;
}

// Of the tables of an app.
const CALLS_OF_TABLES: Record<string, () => unknown> = {
  get: () => own.get('a', {}),
  first: () => own.first({}),
  list: () => own.list({}),
  count: () => own.count({}),
  explain: () => own.explain({}),
  insert: () => own.insert({ ...note, id: 'b' }, {}),
  insertMany: () => own.insertMany([], {}),
  put: () => own.put(note, {}),
  upsert: () => own.upsert(note, {}),
  update: () => own.update('a', { text: 'c' }, {}),
  delete: () => own.delete('a', {}),
  deleteMany: () => own.deleteMany({ where: 'true' }),
  updateMany: () => own.updateMany({ where: 'true', set: {} }),
  aggregate: () => own.aggregate({}),
  search: () => own.search('text', 'b', {}),
  live: () => own.live({}),
  liveCount: () => own.liveCount({}),
  liveAggregate: () => own.liveAggregate({}),
  subscribe: () => own.subscribe({}, () => {})(),
  import: () => own.import([], {}),
  export: () => textOf(own.export({})),
};

describe('options', () => {
  it('are read by every function that takes some', () => {
    const sources = readdirSync('js/src', { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts'))
      .map((path) => readFileSync(`js/src/${path}`, 'utf8'));
    const owners = sources.flatMap((source) =>
      Array.from(
        source.matchAll(/\b(?:checkedOptions|openRemote)\(\s*'([^']+)'/g),
        ([, owner]) => owner,
      ),
    );

    // A form needs a page.
    const others = ['generateTableSas', 'generateAccountSas', 'bindForm'];
    expect([...new Set(owners)].sort()).toEqual([...Object.keys(CALLS), ...others].sort());
  });

  it.each(Object.entries(CALLS))('are all read by %s', async (owner, call) => {
    read.delete(owner);
    await call();

    // The members of `queryOptions` are read as options.
    const nameOf = (path: string) => path.replace('queryOptions.', '');
    const unread = taken.get(owner)!.filter((path) => !read.get(owner)!.has(nameOf(path)));
    expect(unread.filter((name) => !(name in WITHOUT_EFFECT))).toEqual([]);
  });

  it.each(Object.entries(CALLS_OF_TABLES))('are all read by %s of a table', async (owner, call) => {
    ({ notes: own } = (await openNotes()).tables);
    await own.insert(note);
    read.delete(owner);
    await call();

    expect(taken.get(owner)!.filter((name) => !read.get(owner)!.has(name))).toEqual([]);
  });

  const common = {
    account: 'a',
    key: KEY,
    permissions: 'r',
    startsOn: '2020-01-01',
    expiresOn: '2099-01-01',
    ipRange: '10.0.0.1',
    protocol: 'https',
    version: '2019-02-02',
  } as const;
  const ofAccount: Required<AccountSasOptions> = { ...common, resourceTypes: 's' };
  const ofTable: Required<TableSasOptions> = {
    ...common,
    table: 'Pets',
    identifier: 'id',
    startPartitionKey: 'a',
    startRowKey: 'b',
    endPartitionKey: 'c',
    endRowKey: 'd',
  };
  const others: Record<string, string> = {
    key: btoa('other'),
    startsOn: '2021-01-01',
    expiresOn: '2098-01-01',
    protocol: 'https,http',
    version: '2020-02-10',
    permissions: 'u',
    resourceTypes: 'o',
  };

  it.each([
    ...Object.keys(ofAccount).map((name) => ['generateAccountSas', name]),
    ...Object.keys(ofTable).map((name) => ['generateTableSas', name]),
  ])('of %s make another signature: %s', async (owner, name) => {
    const sign = (changed: object) =>
      owner === 'generateTableSas'
        ? generateTableSas({ ...ofTable, ...changed })
        : generateAccountSas({ ...ofAccount, ...changed });

    expect(await sign({ [name!]: others[name!] ?? 'other' })).not.toBe(await sign({}));
  });
});
