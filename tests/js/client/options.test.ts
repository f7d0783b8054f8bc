// Unknown options are never ignored.
import { beforeEach, describe, expect, it } from 'vitest';

import { exportAll, importAll } from '../../../js/src/archive.js';
import { TableClient } from '../../../js/src/client/table-client.js';
import { TableReader } from '../../../js/src/client/table-reader.js';
import { TableServiceClient } from '../../../js/src/client/table-service-client.js';
import { loadValidator, openAccount } from '../../../js/src/index.js';
import { repair, verify } from '../../../js/src/recovery.js';
import { defineTable, t } from '../../../js/src/schema.js';
import { indexedDbStorage } from '../../../js/src/storage/indexeddb.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import type { PageStorage } from '../../../js/src/storage/page-storage.js';
import { collect, openForTest } from '../support/accounts.js';
import { tableError } from '../support/rejection.js';

const pets = defineTable('Pets', { partitionKey: t.string(), rowKey: t.string() });
const rex = { partitionKey: 'dogs', rowKey: 'rex', Age: 7 };

/** The result of a call with options. A call that throws at once returns a rejected promise. */
type Call = (options: never) => unknown;
const outcome = async (call: Call, options: unknown) => tableError(run(call, options));
const run = async (call: Call, options: unknown) => call(options as never);

let account: TableServiceClient;
let table: TableClient;
let storage: PageStorage;

beforeEach(async () => {
  storage = memoryStorage();
  account = await openForTest({ storage });
  await account.createTable('Pets');
  table = account.tableClient('Pets');
});

const OF_TABLE: Record<string, Call> = {
  createTable: (options) => table.createTable(options),
  deleteTable: (options) => table.deleteTable(options),
  createEntity: (options) => table.createEntity(rex, options),
  getEntity: (options) => table.getEntity('dogs', 'rex', options),
  listEntities: (options) => table.listEntities(options),
  countEntities: (options) => table.countEntities(options),
  aggregate: (options) => table.aggregate(options),
  liveAggregate: (options) => table.liveAggregate(options),
  search: (options) => table.search('name', 'rex', options),
  explain: (options) => table.explain(options),
  updateEntity: (options) => table.updateEntity(rex, 'Merge', options),
  upsertEntity: (options) => table.upsertEntity(rex, 'Merge', options),
  deleteEntities: (options) => table.deleteEntities(options),
  updateEntities: (options) => table.updateEntities(options),
  deleteEntity: (options) => table.deleteEntity('dogs', 'rex', options),
  getAccessPolicy: (options) => table.getAccessPolicy(options),
  setAccessPolicy: (options) => table.setAccessPolicy([], options),
  submitTransaction: (options) => table.submitTransaction([['create', rex]], options),
  importEntities: (options) => table.importEntities([], options),
  exportEntities: (options) => table.exportEntities(options),
  subscribe: (options) => table.subscribe(options, () => {}),
  liveEntities: (options) => table.liveEntities(options),
  liveCount: (options) => table.liveCount(options),
};

const OF_ACCOUNT: Record<string, Call> = {
  createTable: (options) => account.createTable('More', options),
  deleteTable: (options) => account.deleteTable('Pets', options),
  listTables: (options) => account.listTables(options),
  getProperties: (options) => account.getProperties(options),
  setProperties: (options) => account.setProperties({}, options),
  getStatistics: (options) => account.getStatistics(options),
  enforce: (options) => account.enforce(pets, options),
  stopEnforcing: (options) => account.stopEnforcing('Pets', options),
  enforcedSchema: (options) => account.enforcedSchema('Pets', options),
  listIssues: (options) => account.listIssues(pets, options),
  updateIndexes: (options) => account.updateIndexes(pets, options),
};
const NAMES = '__v_skip constructor tableClient table onStatus close isInWorker';
const WITHOUT_OPTIONS = NAMES.split(' ');

const OTHERS: Record<string, Call> = {
  openAccount: (options) => openAccount({ storage: memoryStorage(), ...(options as object) }),
  loadValidator: (options) => loadValidator(options),
  byPage: (options) => table.listEntities().byPage(options),
  update: (options) => table.liveEntities().update(options),
  exportAll: (options) => exportAll(account, options),
  importAll: (options) => importAll(account, new Uint8Array(), options),
  verify: (options) => verify(storage, options),
  repair: (options) => repair(storage, options),
  indexedDbStorage: (options) => indexedDbStorage('a', options),
  memoryStorage: (options) => memoryStorage(options),
};
const ALL = [OF_TABLE, OF_ACCOUNT, OTHERS].flatMap((calls) => Object.entries(calls));

describe('options', () => {
  it('are tested here for every method of the clients', () => {
    const methodsOf = (client: { prototype: object }) =>
      Object.getOwnPropertyNames(client.prototype).filter(
        (name) => !WITHOUT_OPTIONS.includes(name),
      );

    const ofTable = [...methodsOf(TableReader), ...methodsOf(TableClient)];
    expect(ofTable.sort()).toEqual(Object.keys(OF_TABLE).sort());
    expect(methodsOf(TableServiceClient).sort()).toEqual(Object.keys(OF_ACCOUNT).sort());
  });

  it.each(ALL)('of %s have known names only', async (name, call) => {
    const error = await outcome(call, { abortSignl: 1 });

    expect(error.code).toBe('InvalidInput');
    expect(error.message).toContain('abortSignl');
    expect(error.message).toContain(name);
  });

  it.each(ALL.filter(([name]) => name !== 'openAccount'))(
    'of %s are an object',
    async (_, call) => {
      for (const options of [null, 'Merge', 5, []]) {
        expect((await outcome(call, options)).code).toBe('InvalidInput');
      }
      await run(call, undefined).catch(() => undefined);
    },
  );

  it.each(Object.entries({ ...OF_TABLE, ...OF_ACCOUNT }))(
    'of %s have a signal that is one',
    async (_, call) => {
      const error = await outcome(call, { abortSignal: 'now' });

      expect(error.code).toBe('InvalidInput');
      expect(error.message).toContain('abortSignal');
      expect(error.message).toContain('"now"');
    },
  );

  it('on the wrong level are not passed over', async () => {
    await table.createEntity(rex);

    const error = await outcome(OF_TABLE['listEntities']!, { queryOptions: { fresh: true } });
    expect(error.message).toContain('queryOptions.fresh');
    const typo = await outcome(OF_TABLE['listEntities']!, { queryOptions: { fliter: '' } });
    expect(typo.message).toContain('queryOptions.fliter');
    const ofOne = await outcome(OF_TABLE['getEntity']!, { queryOptions: { filter: 'Age gt 9' } });
    expect(ofOne.message).toContain('queryOptions.filter');
  });

  // Methods that take a filter, and those that take a selection.
  const FILTERED = [
    ...[
      'listEntities',
      'countEntities',
      'explain',
      'exportEntities',
      'subscribe',
      'liveEntities',
      'liveCount',
      'aggregate',
      'liveAggregate',
    ],
    'listTables',
  ].map((name) => [name, { filter: 'true' }, { ...OF_TABLE, ...OF_ACCOUNT }[name]!] as const);
  const SELECTING = [
    'getEntity',
    'listEntities',
    'exportEntities',
    'subscribe',
    'liveEntities',
  ].map((name) => [name, { select: ['Age'] }, OF_TABLE[name]!] as const);

  it.each([...FILTERED, ...SELECTING])(
    'of %s are the same in the form of the official client, and not given twice: %j',
    async (name, query, call) => {
      await table.createEntity(rex);
      const [option] = Object.keys(query);

      await run(call, query);
      await run(call, { queryOptions: query });
      await run(call, { ...query, queryOptions: {} });

      const error = await outcome(call, { ...query, queryOptions: query });
      expect(error.code).toBe('InvalidInput');
      expect(error.message).toContain(
        `${name} takes one of the options ${option} and queryOptions.${option}, not both.`,
      );
    },
  );

  it('of the official client find the same entities', async () => {
    await table.createEntity(rex);
    await table.createEntity({ ...rex, rowKey: 'ada', Age: 12 });
    const query = { filter: 'Age gt 9', select: ['Age'] };

    expect(await collect(table.listEntities(query))).toMatchObject([{ Age: 12 }]);
    expect(await collect(table.listEntities({ queryOptions: query }))).toMatchObject([{ Age: 12 }]);
    expect(await table.countEntities({ filter: 'Age gt 9' })).toBe(1);
    expect(await table.countEntities({ queryOptions: { filter: 'Age gt 9' } })).toBe(1);
    const { filter, select } = query;
    expect(await collect(table.listEntities({ filter, queryOptions: { select } }))).toMatchObject([
      { Age: 12 },
    ]);
  });

  it.each<[string, Call, object, string]>([
    ['openAccount', OTHERS['openAccount']!, { name: 'No' }, '"No"'],
    ['openAccount', OTHERS['openAccount']!, { profile: 'services' }, '"services"'],
    ['openAccount', OTHERS['openAccount']!, { durability: 'stricct' }, '"stricct"'],
    ['openAccount', OTHERS['openAccount']!, { cacheBytes: -1 }, '-1'],
    ['openAccount', OTHERS['openAccount']!, { cacheBytes: '1' }, '"1"'],
    ['openAccount', OTHERS['openAccount']!, { cacheBytes: 2 ** 30 + 1 }, '1073741824 (1 GiB)'],
    ['openAccount', OTHERS['openAccount']!, { baseUrl: 'http://a\u0001b' }, 'baseUrl'],
    ['openAccount', OTHERS['openAccount']!, { baseUrl: 'nowhere' }, '"nowhere"'],
    ['openAccount', OTHERS['openAccount']!, { baseUrl: 'http://a/b/' }, '"http://a/b/"'],
    ['openAccount', OTHERS['openAccount']!, { onWarning: {} }, 'onWarning'],
    ['openAccount', OTHERS['openAccount']!, { developmentWarnings: 1 }, 'a function, not 1'],
    ['openAccount', OTHERS['openAccount']!, { storage: { read: 1 } }, 'storage'],
    ['openAccount', OTHERS['openAccount']!, { name: '' }, '""'],
    ['openAccount', OTHERS['openAccount']!, { baseUrl: '' }, '""'],
    ['openAccount', OTHERS['openAccount']!, { baseUrl: `http://${'x'.repeat(9_000)}` }, '2048'],
    ...[true, 5, NaN, 5n, null].flatMap((wasm): [string, Call, object, string][] => [
      ['openAccount', OTHERS['openAccount']!, { wasm }, String(wasm)],
      ['loadValidator', OTHERS['loadValidator']!, { wasm }, String(wasm)],
      ['verify', OTHERS['verify']!, { wasm }, String(wasm)],
    ]),
    ...['x', 0, 1.5, 1001, 5n, null, Symbol('s')].map(
      (maxPageSize): [string, Call, object, string] => [
        'byPage',
        OTHERS['byPage']!,
        { maxPageSize },
        'an integer from 1 to 1000',
      ],
    ),
    ['loadValidator', OTHERS['loadValidator']!, { profile: 'services' }, '"services"'],
    ['indexedDbStorage', OTHERS['indexedDbStorage']!, { durability: 1 }, 'not 1'],
    ['memoryStorage', OTHERS['memoryStorage']!, { maxBytes: NaN }, 'NaN'],
    ['listEntities', OF_TABLE['listEntities']!, { queryOptions: { select: 'Age' } }, '"Age"'],
    ['listEntities', OF_TABLE['listEntities']!, { fresh: 'yes' }, '"yes"'],
    ['updateEntity', OF_TABLE['updateEntity']!, { etag: 5 }, 'etag'],
    ['importEntities', OF_TABLE['importEntities']!, { mode: 'Insret' }, '"Insret"'],
    ['exportEntities', OF_TABLE['exportEntities']!, { format: 'csv' }, '"csv"'],
    ['subscribe', OF_TABLE['subscribe']!, { onError: 'log' }, '"log"'],
  ])('of %s have values of their kind', async (_, call, options, named) => {
    const error = await outcome(call, options);

    expect(error.code).toBe('InvalidInput');
    expect(error.message).toContain(Object.keys(options)[0]);
    expect(error.message).toContain(named);
  });

  it('of the official client are taken, and have no effect', async () => {
    let called = 0;
    const options = {
      requestOptions: { timeout: 1 },
      tracingOptions: {},
      serializerOptions: {},
      onResponse: () => called++,
    };

    await table.createEntity(rex, options);
    await table.updateEntity(rex, 'Replace', { etag: '*', ...options });
    expect(await collect(table.listEntities({ queryOptions: {}, ...options }))).toHaveLength(1);
    expect(called).toBe(0);
  });

  it('that are undefined are not given', async () => {
    await table.createEntity(rex, undefined);
    const options = { abortSignal: undefined, queryOptions: undefined, fresh: undefined };
    expect(await collect(table.listEntities(options))).toHaveLength(1);
  });
});
