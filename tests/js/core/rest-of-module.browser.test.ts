// The module in two parts, in a page: which requests wait for the second part, and what happens
// when it is late, missing, or of another build.

import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { openWith } from '../../../js/src/client/open-account.js';
import { MODULE } from '../../../js/src/client/shared.js';
import { OPERATION_KINDS, type Operation } from '../../../js/src/core/frames.js';
import { RestOfModule } from '../../../js/src/core/rest-of-module.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { tasks } from '../tables/tasks.js';
import { errorCode, rejection, tableError } from '../support/rejection.js';

const urlOf = (part: string) => new URL(`../../../build/js/${part}.wasm`, import.meta.url);
const FIRST = urlOf('entitable-first');

let address: URL;
let released: Promise<void>;
let release: () => void;
let fetches: number;
let requestsAtOnce: number;

/** From now on, the second part is answered when `release()` is called. */
function withhold(): void {
  released = new Promise<void>((resolve) => (release = resolve));
  address = new URL(`?${crypto.randomUUID()}`, urlOf('entitable-rest'));
  fetches = requestsAtOnce = 0;
}

beforeEach(() => {
  withhold();
  const { fetch } = window;
  const { open } = XMLHttpRequest.prototype;
  vi.spyOn(window, 'fetch').mockImplementation(async (...given) => {
    if (given[0] !== address.href) return await fetch(...given);
    fetches++;
    await released;
    return await fetch(...given);
  });
  vi.spyOn(XMLHttpRequest.prototype, 'open').mockImplementation(function (
    this: XMLHttpRequest,
    ...given: unknown[]
  ) {
    requestsAtOnce++;
    open.apply(this, given as Parameters<typeof open>);
  });
});
afterEach(() => vi.restoreAllMocks());

const opened = (storage = memoryStorage(), rest = () => address) =>
  openWith({ kind: MODULE, source: () => FIRST, rest: () => new RestOfModule(rest) }, { storage });

type Account = Awaited<ReturnType<typeof opened>>;

const ROW = '{"PartitionKey":"p","RowKey":"r","n":1}';
const entity = { table: 'Tab', partitionKey: 'p', rowKey: 'r' };
const asValues = true;
const part = { import: 1, mode: 'Insert', begins: true, ends: true } as const;

// Each kind of operation, and whether it waits.
const OPERATIONS: Record<keyof typeof OPERATION_KINDS, [Omit<Operation, 'kind'>, boolean]> = {
  createTable: [{ body: '{"TableName":"New"}' }, false],
  getTable: [{ table: 'Tab' }, true],
  queryTables: [{ filter: "TableName ge 'A'" }, false],
  getEntity: [{ ...entity, asValues }, false],
  queryEntities: [{ table: 'Tab', filter: 'n gt 0', asValues }, false],
  queryOrdered: [{ table: 'Tab', orderBy: 'n desc', top: '5', asValues }, false],
  countEntities: [{ table: 'Tab', filter: 'n eq 1' }, false],
  awaitChanges: [{ table: 'Tab', atOnce: true }, false],
  insertEntity: [{ table: 'Tab', body: ROW.replace('"r"', '"s"') }, true],
  replaceEntity: [{ ...entity, ifMatch: '*', body: '{}' }, true],
  mergeEntity: [{ ...entity, ifMatch: '*', body: '{"n":2}' }, true],
  deleteEntity: [{ ...entity, ifMatch: '*' }, true],
  transaction: [{ table: 'Tab', parts: [{ kind: 'deleteEntity', ...entity, ifMatch: '*' }] }, true],
  accountTransaction: [{ parts: [{ kind: 'deleteEntity', ...entity, ifMatch: '*' }] }, true],
  importEntities: [{ table: 'Tab', body: ROW, importPart: part }, true],
  deleteMatching: [{ table: 'Tab', filter: 'n gt 0' }, true],
  mergeMatching: [{ table: 'Tab', filter: 'n gt 0', body: '{"n":3}' }, true],
  deleteTable: [{ table: 'Tab' }, true],
  queryTypes: [{ table: 'Tab' }, true],
  queryGroups: [{ table: 'Tab', orderBy: 'n', aggregates: 'count' }, true],
  querySearch: [{ table: 'Tab', search: 'word', property: 'text' }, true],
  getTableSchema: [{ table: 'Tab' }, true],
  setTableSchema: [{ table: 'Tab', schema: new Uint8Array() }, true],
  setTableIndexes: [{ table: 'Tab', orderBy: 'n' }, true],
  getPolicies: [{ table: 'Tab' }, true],
  setPolicies: [{ table: 'Tab', body: '<SignedIdentifiers />' }, true],
  getServiceProperties: [{}, true],
  setServiceProperties: [{ body: '<StorageServiceProperties />' }, true],
  syncTable: [{ table: 'Tab', sync: '{"step":"status"}' }, true],
};

/** Whether the request is answered before the second part is there. */
async function isAnsweredAtOnce(account: Account, operation: Operation): Promise<boolean> {
  let isAnswered = false;
  const settled = () => void (isAnswered = true);
  account.session.request(operation).then(settled, settled);
  // They have commits and reads of their own, after those of the request.
  const body = `{"TableName":"T${crypto.randomUUID().replaceAll('-', '')}"}`;
  await account.session.request({ kind: 'createTable', body });
  await account.session.request({ kind: 'queryTables', fresh: true });
  return isAnswered;
}

it.each(Object.entries(OPERATIONS))(
  '%s is answered before the second part is there, or waits for it',
  async (kind, [given, waits]) => {
    const storage = memoryStorage();
    const whole = await openWith({ kind: MODULE, source: () => urlOf('entitable') }, { storage });
    await whole.createTable('Tab');
    await whole.session.request({ kind: 'insertEntity', table: 'Tab', body: ROW });
    const account = await opened(storage);
    const operation = { ...given, kind } as Operation;

    expect(await isAnsweredAtOnce(account, operation)).toBe(!waits);
    release();
    await account.session.request({ ...operation, kind: 'getServiceProperties' });
    await rejection(account.session.request({ kind: 'deleteTable', table: 'None' }));

    expect(requestsAtOnce).toBe(0);
    expect(fetches).toBe(1);
    await Promise.all([account.close(), whole.close()]);
  },
);

it.each([0, 40])('a first screen of %d rows never calls what is missing', async (rows) => {
  const storage = memoryStorage();
  const parts = { kind: MODULE, source: () => FIRST, rest: () => new RestOfModule(() => address) };
  const open = () => openWith(parts, { storage, tables: { tasks } });
  if (rows > 0) {
    release();
    const before = await open();
    const given = Array.from({ length: rows }, (_, at) => ({
      ...{ list: 'home', title: `Task ${at}`, done: at % 2 === 0 },
    }));
    await before.tables.tasks.insertMany(given);
    await before.ready;
    await before.close();
    withhold();
  }

  const account = await open();
  const table = account.tables.tasks;
  const live = table.live({ orderBy: 'due', limit: 50 })[Symbol.asyncIterator]();
  expect((await live.next()).value).toHaveLength(rows);
  expect(await table.list({ where: ({ done }) => done.eq(true) })).toHaveLength(rows / 2);
  expect(await table.list({ where: ({ list }) => list.eq('home') })).toHaveLength(rows);
  expect(await table.count({})).toBe(rows);
  expect(await table.get({ list: 'home', id: 'none' })).toBeUndefined();

  expect(requestsAtOnce).toBe(0);
  await account.close();
});

it('a read of a transaction and an export wait, too', async () => {
  const account = await opened();

  expect(await isAnsweredAtOnce(account, { kind: 'queryTables', asLines: true })).toBe(false);
  const read = { kind: 'getEntity', ...entity, ranges: new Uint8Array() } as const;
  expect(await isAnsweredAtOnce(account, read)).toBe(false);
  release();
  await account.close();
});

it('the second part is fetched after the first answer, though no request needs it', async () => {
  const account = await opened();
  expect(fetches).toBe(0);

  await account.session.request({ kind: 'queryTables' });

  await vi.waitFor(() => expect(fetches).toBe(1));
  release();
  await account.close();
});

it('a call of what is missing fetches it within the call, and is carried out', async () => {
  const account = await opened();
  await account.session.request({ kind: 'createTable', body: '{"TableName":"Tab"}' });
  const insert: Operation = { kind: 'insertEntity', table: 'Tab', body: ROW };

  // As a session would that took an insert for a part of the first screen.
  const { operationFrame, readAnswer } = await import('../../../js/src/core/frames.js');
  const answer = await account.session.submit({
    ...{ frame: () => operationFrame(insert), read: readAnswer },
    ...{ bytes: 0, isWrite: true, isOfFirstScreen: true },
  });

  expect(answer.status).toBe(204);
  expect(requestsAtOnce).toBe(1);
  expect((await account.session.request({ kind: 'getEntity', ...entity })).status).toBe(200);
  await account.close();
});

it('a second part that cannot be fetched fails what needs it, and is fetched again', async () => {
  const missing = urlOf(`missing-${crypto.randomUUID()}`);
  let isMissing = true;
  const account = await opened(memoryStorage(), () => (isMissing ? missing : address));
  release();
  await account.session.request({ kind: 'createTable', body: '{"TableName":"Tab"}' });
  const insert = () => account.session.request({ kind: 'insertEntity', table: 'Tab', body: ROW });

  const { code, message } = await tableError(insert());
  expect(code).toBe('ModuleAborted');
  expect(message).toContain(missing.href);
  isMissing = false;

  expect((await insert()).status).toBe(204);
  await account.close();
});

it('a second part of another build is not used', async () => {
  const account = await opened(memoryStorage(), () => urlOf('entitable-sync-rest'));

  const error = await tableError(account.session.request({ kind: 'getServiceProperties' }));

  expect(error.code).toBe('ModuleAborted');
  expect(error.message).toContain('another build');
  expect((await account.session.request({ kind: 'queryTables' })).status).toBe(200);
  await account.close();
});

it('a request that waits ends with its signal, or with the account', async () => {
  const account = await opened();
  const controller = new AbortController();
  const ask = (signal?: AbortSignal) =>
    account.session.request({ kind: 'getServiceProperties' }, signal);
  const aborted = rejection(ask(controller.signal));
  const closed = errorCode(ask());

  controller.abort();
  expect(await aborted).toMatchObject({ name: 'AbortError' });
  await account.close();

  expect(await closed).toBe('AccountClosed');
  release();
});

it('background work waits for the second part', async () => {
  const storage = memoryStorage();
  const whole = await openWith({ kind: MODULE, source: () => urlOf('entitable') }, { storage });
  await whole.createTable('Tab');
  const text = 'x'.repeat(30_000);
  const inserts = Array.from({ length: 40 }, (_, at) =>
    whole.tableClient('Tab').createEntity({ partitionKey: 'p', rowKey: `${at}`, text }),
  );
  await Promise.all(inserts);
  await whole.close();
  const account = await opened(storage);
  const committed = vi.spyOn(storage, 'commit');

  await account.session.request({ kind: 'countEntities', table: 'Tab' });
  expect(committed).not.toHaveBeenCalled();
  release();

  await vi.waitFor(() => expect(committed).toHaveBeenCalled(), 10_000);
  expect(requestsAtOnce).toBe(0);
  await account.close();
});
