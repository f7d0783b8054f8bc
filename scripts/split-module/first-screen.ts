// first-screen.ts - what an app does until its first list stands, on an instrumented module: open
// an account, read some rows of tables that are large and small, new and old, and follow them.
//
//   node build/split/first-screen.mjs MODULE COUNTING PROFILE
//
// Writes into PROFILE which functions of the module were called (scripts/split-module.mjs). The
// module that fills the tables is the whole one, and counts nothing. The instances that count have
// no second part, so what needs one would wait for ever.

import { readFileSync, writeFileSync } from 'node:fs';

import createModule from '#entitable-core';

import { openWith } from '../../js/src/client/open-account.js';
import type { EntryModule } from '../../js/src/core/load-module.js';
import type { RestOfModule } from '../../js/src/core/rest-of-module.js';
import { defineTable, t } from '../../js/src/schema.js';
import { memoryStorage } from '../../js/src/storage/memory.js';

const [, , modulePath, countingPath, profilePath] = process.argv;

const NEVER = { isThere: false, ready: () => new Promise(() => undefined) };
const counted: WebAssembly.Instance[] = [];

const WHOLE: EntryModule = {
  kind: { createModule, file: modulePath! },
  source: () => readFileSync(modulePath!),
};
const COUNTING: EntryModule = {
  kind: {
    async createModule({ wasm }) {
      const module = await createModule({
        async wasm(imports) {
          const instance = await wasm(imports);
          counted.push(instance);
          return instance;
        },
      });
      return Object.assign(module, { rest: NEVER as unknown as RestOfModule });
    },
    file: countingPath!,
  },
  source: () => readFileSync(countingPath!),
};

const COVERING = { by: ['size'], include: ['title', 'done'] } as const;
const tasks = defineTable(
  'Tasks',
  {
    ...{ id: t.id(), list: t.string(), title: t.string({ minLength: 1 }), done: t.boolean() },
    ...{ priority: t.int32(), size: t.double().optional(), due: t.dateTime().optional() },
    ...{ views: t.int64().optional(), owner: t.guid().optional(), icon: t.binary().optional() },
    tags: t.array(t.string()).optional(),
  },
  { key: ['list', 'id'], indexes: [['priority'], ['due desc', 'priority'], ['tags'], COVERING] },
);
const notes = defineTable('Notes', { name: t.string(), text: t.text() }, { key: 'name' });
const tables = { tasks, notes };

const OWNER = '01234567-89ab-cdef-0123-456789abcdef';
const taskAt = (at: number) => ({
  ...{ id: `${String(at).padStart(8, '0')}-0000-4000-8000-000000000000`, list: `list ${at % 20}` },
  ...{ title: `Task ${at}`, done: at % 3 === 0, priority: (at * 7919) % 1000, size: at / 8 },
  ...{ due: new Date(1.7e12 + at * 1e6), views: BigInt(at) << 33n, owner: OWNER },
  ...{ icon: Uint8Array.of(at, at >> 8), tags: [`tag ${at % 5}`, 'all'] },
});

type Account = Awaited<ReturnType<typeof opened>>;
type Storage = ReturnType<typeof memoryStorage>;
const opened = (entry: EntryModule, storage: Storage) => openWith(entry, { storage, tables });

/** A store of so many tasks. Of some thousand, most are in pages. */
async function fill(rows: number): Promise<Storage> {
  const storage = memoryStorage();
  const account = await opened(WHOLE, storage);
  await account.ready;
  await account.tables.tasks.insertMany(Array.from({ length: rows }, (_, at) => taskAt(at)));
  await change(account);
  return storage;
}

/** Every kind of change that another tab may make. */
async function change(account: Account): Promise<void> {
  const { tasks: table, notes: texts } = account.tables;
  await table.update(taskAt(1), { done: true, size: null });
  await table.put({ ...taskAt(2), title: 'Put' });
  await table.delete(taskAt(3));
  await texts.put({ name: 'a', text: 'word '.repeat(20_000) });
  await account.transaction(async (within) => {
    await within.tasks.update(taskAt(4), { priority: 4 });
    await within.tasks.update(taskAt(25), { priority: 5 });
  });
  await account.createTable('Further');
  await account.tableClient('Further').createEntity({ partitionKey: '', rowKey: 'é', value: -0.5 });
  await account.deleteTable('Further');
}

async function read({ tables: { tasks: table, notes: texts } }: Account): Promise<void> {
  await table.get(taskAt(1));
  await table.get(taskAt(3));
  await table.getMany([taskAt(5), taskAt(6)]);
  await texts.get('a');
  await texts.list();
  for (const orderBy of ['priority', 'due desc', 'title', 'priority desc'] as const) {
    await table.list({ orderBy, limit: 50 });
  }
  await table.list({ limit: 50 });
  await table.list({ limit: 20, skip: 20, orderBy: 'priority', select: ['title', 'done'] });
  await table.list({ limit: 20, orderBy: 'size', select: ['title', 'done'] });
  await table.list({ where: 'size lt 9', select: ['title'] });
  await table.count({ where: ({ done }) => done.eq(true) });
  for (const where of [
    `list eq 'list 1'`,
    `list eq 'list 1' and done eq false`,
    `list ge 'list 1' and list lt 'list 2'`,
    `priority lt 30`,
    `priority eq 19 and done eq true`,
    `due gt datetime'2023-11-15T00:00:00Z' and due le datetime'2023-11-16T00:00:00Z'`,
    `title eq 'Task 7' or title eq 'Task 8' or not (size lt 90.5)`,
    `views gt 100L and owner eq guid'${OWNER}'`,
    `title ne 'x' and size ge 1.5`,
  ]) {
    await table.list({ where, limit: 100 });
  }
  await table.list({ where: ({ tags }) => tags.has('tag 1'), limit: 10 });
  await table.list({ where: ({ title }) => title.startsWith('Task 1') });
  await table.first({ where: ({ done }) => done.eq(true) });
  for await (const row of table.rows()) void row;
}

/** Checks of what a user types, which are plain calls and so cannot wait. */
function validate({ validator }: Account): void {
  validator.validateTableName('1 table');
  validator.validatePropertyName('x y');
  validator.validateKey('a/b');
  validator.validateEntity(taskEntity({}));
  const wrong = { tooLong: 'x'.repeat(40_000), infinite: Infinity, 'not a name': 1 };
  validator.validateEntity(taskEntity(wrong));
  validator.validateEntity(taskEntity({ a: 'x'.repeat(32_000), b: 'y'.repeat(2 ** 20) }));
  const escaped = '{"PartitionKey":"\\u00e9","RowKey":"\\ud83d\\ude00","a":[],"b":{},"c":1e400}';
  for (const json of [escaped, '{', '[]', '{"PartitionKey":"\\ud800"}']) {
    validator.issuesOfJson(json);
  }
  const typed = (type: string, value: unknown) => ({ type, value }) as never;
  for (const [type, value] of [
    ...[
      ['Int32', '1.5'],
      ['Int64', '1x'],
      ['Double', 'x'],
      ['Boolean', 'yes'],
      ['Guid', 'x'],
    ],
    ...[
      ['DateTime', '1600-01-01T00:00:00Z'],
      ['Binary', '?'],
      ['Single', '1'],
      ['Int64', '12'],
    ],
  ] as const) {
    validator.validateEntity(taskEntity({ it: typed(type!, value) }));
  }
  for (const row of [{}, { ...taskAt(1), title: '', priority: 'x', done: null, size: 'y' }]) {
    Promise.resolve(tasks.validate(row as never)).catch(() => undefined);
  }
}

const taskEntity = (rest: object) => ({ partitionKey: 'p', rowKey: 'r', ...rest });

/** What a storage may do: fail, be late, and have a commit of another tab. */
async function disturb(storage: Storage): Promise<void> {
  const other = await opened(WHOLE, storage);
  const failing = Object.create(storage) as Storage;
  let reads = 0;
  failing.read = async (request) => {
    if (++reads % 3 === 2) throw new Error('for a moment');
    return await storage.read(request);
  };
  const account = await opened(COUNTING, failing);
  const controller = new AbortController();
  const lists = [1, 2, 3].map((limit) => account.tables.tasks.list({ limit }));
  lists.push(account.tables.tasks.list({ signal: controller.signal }));
  controller.abort();
  await Promise.allSettled(lists);
  for (const outcome of ['moved', 'refused', 'quota', 'unknown'] as const) {
    failing.commit = async (...given) => {
      failing.commit = storage.commit.bind(storage);
      if (outcome === 'moved') await other.createTable('Quick');
      return outcome === 'moved' ? await storage.commit(...given) : { outcome };
    };
    await account.createTable(`Made${outcome}`).catch(() => undefined);
  }
  await account.createTable('Quick').catch(() => undefined);
  await account
    .tableClient('None')
    .getEntity('p', 'r')
    .catch(() => undefined);
  await account.close();
}

/** Requests that are wrong, and a storage that is damaged or fails all the time. */
async function fail(storage: Storage): Promise<void> {
  const damaged = Object.create(storage) as Storage;
  let isDamaged = false;
  damaged.read = async (request) => {
    const snapshot = await storage.read(request);
    if (!isDamaged) return snapshot;
    const values = snapshot.values.map((value) => value?.map((byte) => byte ^ 1));
    return { ...snapshot, values };
  };
  const account = await opened(COUNTING, damaged);
  const client = account.tableClient('Tasks');
  const tried: Promise<unknown>[] = [
    'title eq',
    `due gt datetime'x'`,
    'a eq 1 and (b',
    '1 add',
    '#',
  ].map((where) => account.tables.tasks.list({ where }));
  for (const key of ['x'.repeat(2000), 'a/b', '']) tried.push(client.getEntity('p', key));
  tried.push(account.tableClient('1').getEntity('p', 'r'), account.createTable('1'));
  await Promise.allSettled(tried);
  isDamaged = true;
  await Promise.allSettled([1, 2].map((limit) => account.tables.tasks.list({ limit })));
  damaged.read = () => Promise.reject(new Error('always'));
  await Promise.allSettled([account.createTable('Late'), account.tables.notes.list({})]);
  await account.close();
}

/** A live list, which follows what another account writes. */
async function follow(account: Account, other: Account): Promise<void> {
  const { tasks: table } = account.tables;
  const followed = [
    table.live({ orderBy: 'priority', limit: 50 }),
    table.live({ where: ({ list }) => list.eq('list 1') }),
    table.liveCount({}),
  ].map((live) => (live as AsyncIterable<unknown>)[Symbol.asyncIterator]());
  for (const results of followed) await results.next();
  const changed = followed.map((results) => results.next());
  await change(other);
  await other.tables.tasks.insert({ ...taskAt(90_001), list: 'list 1', priority: -1 });
  await Promise.all(changed);
  await read(account);
}

/** What any of the instances has called. A profile is a hash, and a number for each function. */
function profileOf(instances: readonly WebAssembly.Instance[]): Uint8Array {
  const profiles = instances.map(({ exports }) => {
    const write = exports.__write_profile as (address: number, bytes: number) => number;
    const memory = Object.values(exports).find((it) => it instanceof WebAssembly.Memory);
    const bytes = write(0, 0);
    const address = (memory as WebAssembly.Memory).grow(Math.ceil(bytes / 65_536)) * 65_536;
    write(address, bytes);
    return new Uint8Array((memory as WebAssembly.Memory).buffer, address, bytes);
  });
  return profiles[0]!.map((_, at) => Math.max(...profiles.map((profile) => profile[at]!)));
}

// The hints between accounts do not keep Node running.
let step = 'the beginning';
setTimeout(() => {
  console.error(`This waits for ever after ${step}: does it need the second part?`);
  process.exit(1);
}, 300_000);

for (const rows of [0, 30, 3000]) {
  const storage = rows > 0 ? await fill(rows) : memoryStorage();
  const account = await opened(COUNTING, storage);
  validate(account);
  step = `the opening of ${rows} rows`;
  await read(account);
  step = `the reading of ${rows} rows`;
  if (rows > 0) await follow(account, await opened(WHOLE, storage));
  await account.close();
  step = `the following of ${rows} rows`;
  await disturb(storage);
  step = `the disturbances of ${rows} rows`;
  await fail(storage);
}
writeFileSync(profilePath!, profileOf(counted));
process.exit(0);
