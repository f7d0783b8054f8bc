// program.ts - a process in Deno that uses a store. The arguments are the path of the database, the
// work, and a number. It prints JSON.

import { readFileSync } from 'node:fs';
import process from 'node:process';

import { openAccount } from '../../../../js/src/index.js';
import { denoKvStorage } from '../../../../js/src/storage/deno-kv.js';
import type { Batch, StorageKey } from '../../../../js/src/storage/page-storage.js';
import { openKv, type OpenKv } from './open.js';

const [path = '', work = '', argument = ''] = process.argv.slice(-3);
const number = Number(argument);

const PAGES = 45;
const PAGE_BYTES = 70_000;
const RECORDS = 1300;

const pages = Array.from({ length: PAGES }, (_, at): StorageKey => `pages/${at + 1}`);
const records = Array.from({ length: RECORDS }, (_, at): StorageKey => `log/${at + 1}`);
const puts = (keys: readonly StorageKey[], seed: number, bytes: number): Batch['puts'] =>
  keys.map((key) => [key, new Uint8Array(bytes).fill(seed)]);
const batch = (made: Partial<Batch>): Batch => ({ expect: [], puts: [], deletes: [], ...made });

/** Dies before its commit with this number. */
function dying(kv: OpenKv): OpenKv {
  let commits = 0;
  return {
    getMany: (keys) => kv.getMany(keys),
    list: (range, options) => kv.list(range, options),
    close: () => kv.close(),
    atomic() {
      const atomic = kv.atomic();
      const { commit } = atomic;
      atomic.commit = () => {
        if (++commits === number) process.kill(process.pid, 'SIGKILL');
        return commit.call(atomic);
      };
      return atomic;
    },
  };
}

const except = (code: string) => (error: unknown) => {
  if ((error as { code?: string }).code !== code) throw error;
};

const kv = await openKv(path);
const open = () => denoKvStorage(kv, 'a');
const openHere = () =>
  openAccount({ storage: open(), wasm: readFileSync('build/js/entitable.wasm') });

const WORKS: Record<string, () => Promise<unknown>> = {
  /** 3 MB of pages in one batch. */
  pages: () => open().commit(batch({ puts: puts(pages, number, PAGE_BYTES) })),

  'pages, dying': () =>
    denoKvStorage(dying(kv), 'a').commit(batch({ puts: puts(pages, 2, PAGE_BYTES) })),

  async records() {
    for (let at = 0; at < RECORDS; at += 500) {
      await open().commit(batch({ puts: puts(records.slice(at, at + 500), number, 9) }));
    }
  },

  /** Deletes more records than one commit can. */
  'flush, dying': () =>
    denoKvStorage(dying(kv), 'a').commit(
      batch({ puts: puts(['log/base'], 2, 9), deletes: records }),
    ),

  /** A commit two minutes later: the writers of unused parts count as dead. */
  async collect() {
    const { now } = Date;
    Date.now = () => now() + 120_000;
    return open().commit(batch({ puts: puts(['pages/root'], 1, 9) }));
  },

  async state() {
    const { values } = await open().read({ keys: ['log/base', ...pages] });
    const read = await open().read({ keys: [], recordsAfter: 0 });
    let stored = 0;
    let writers = 0;
    for await (const { key } of kv.list({ start: ['entitable', 'a'], end: ['entitable', 'b'] })) {
      if (key[2] === 'log' || key[2] === 'pages') stored++;
      if (key[2] === 'writers') writers++;
    }
    return {
      base: values[0]?.[0] ?? 0,
      pages: [...new Set(values.slice(1).map((value) => value && [value[0], value.length].join()))],
      records: read.records.length,
      stored,
      writers,
    };
  },

  /** An account that writes beside another one: rows of its own, and a counter of both. */
  async account() {
    const account = await openHere();
    const table = account.tableClient('Pets');
    await table.createTable();
    await table
      .createEntity({ partitionKey: 'counter', rowKey: '1', count: 0 })
      .catch(except('EntityAlreadyExists'));
    let won = 0;
    for (let at = 0; at < 60; at++) {
      const own = table.createEntity({ partitionKey: argument, rowKey: `${at}` });
      const common = table
        .createEntity({ partitionKey: 'common', rowKey: `${at}` })
        .then(() => won++, except('EntityAlreadyExists'));
      await Promise.all([own, common, increment()]);
    }
    await account.close();
    return won;

    async function increment(): Promise<void> {
      for (;;) {
        const { etag, count } = await table.getEntity<{ count: number }>('counter', '1');
        const next = { partitionKey: 'counter', rowKey: '1', count: count + 1 };
        try {
          await table.updateEntity(next, 'Replace', { etag });
          return;
        } catch (error) {
          except('UpdateConditionNotSatisfied')(error);
        }
      }
    }
  },

  /** So many commits that each flush deletes more records than one commit takes. */
  async commits() {
    const account = await openHere();
    const table = account.tableClient('Pets');
    await table.createTable();
    for (let at = 0; at < number; at++) {
      await table.createEntity({ partitionKey: 'a', rowKey: `${at}` });
    }
    await account.close();
    const again = await openHere();
    const rows = await again.tableClient('Pets').countEntities();
    await again.close();
    const { records } = await open().read({ keys: [], recordsAfter: 0 });
    return { rows, first: records[0]![0] };
  },

  async rows() {
    const account = await openHere();
    const table = account.tableClient('Pets');
    const counts: Record<string, number> = {};
    for await (const { partitionKey } of table.listEntities()) {
      counts[partitionKey] = (counts[partitionKey] ?? 0) + 1;
    }
    const { count } = await table.getEntity<{ count: number }>('counter', '1');
    await account.close();
    return { rows: counts, count };
  },
};

const said = JSON.stringify((await WORKS[work]!()) ?? null);
kv.close();
process.stdout.write(said, () => process.exit());
