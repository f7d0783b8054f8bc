// worker.ts - a Worker whose Durable Objects do what a test asks for: one object of each kind.

import { openAccount } from '../../../../js/src/index.js';
import { storageContract, type Batch } from '../../../../js/src/storage/contract.js';
import {
  durableObjectStorage,
  type DurableObjectStorageLike,
  type SqlStorageLike,
} from '../../../../js/src/storage/durable-object.js';
// @ts-expect-error: the runtime compiles it.
import wasm from './entitable.wasm';
import { withLimits, type Trouble } from './limits.js';

interface ObjectContext {
  readonly storage: DurableObjectStorageLike;
  abort(): never;
}

const long = (seed: number, length: number) => new Uint8Array(length).fill(seed);

const put = (...puts: Batch['puts']): Batch => ({ expect: [], puts, deletes: [] });

// Enough for some flushes.
const INSERTS = 3000;

class StoreObject {
  readonly #context: ObjectContext;

  constructor(context: ObjectContext) {
    this.#context = context;
  }

  async fetch(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    const work = this.#works[pathname.slice(1)]!;
    try {
      return Response.json((await work(Number(searchParams.get('number')))) ?? 'ok');
    } catch (error) {
      return Response.json({ error: String(error) });
    }
  }

  #open(trouble?: Trouble) {
    return durableObjectStorage(withLimits(this.#context.storage, trouble));
  }

  // The rows that the platform bills, read and written, of each of some operations.
  async #billed() {
    const { storage } = this.#context;
    const sql = storage.sql!;
    const cursors: { rowsRead: number; rowsWritten: number }[] = [];
    const exec: SqlStorageLike['exec'] = (query, ...bindings) => {
      const cursor = sql.exec(query, ...bindings);
      cursors.push(cursor as never);
      return cursor;
    };
    const counted: DurableObjectStorageLike = {
      ...withLimits(storage),
      sql: { databaseSize: 0, exec },
    };
    const sumOf = (key: 'rowsRead' | 'rowsWritten') =>
      cursors.reduce((sum, cursor) => sum + cursor[key], 0);
    const rows: Record<string, [read: number, written: number]> = {};
    const count = async (name: string, work: () => Promise<unknown>) => {
      cursors.length = 0;
      await work();
      rows[name] = [sumOf('rowsRead'), sumOf('rowsWritten')];
    };
    const open = () =>
      openAccount({ storage: durableObjectStorage(counted), wasm: wasm as WebAssembly.Module });

    const account = await open();
    const pets = account.tableClient('Pets');
    await pets.createTable();
    const keys = (row: number) => ({ partitionKey: 'p', rowKey: `${row}` });
    await count('insert', () => pets.createEntity(keys(0)));
    await count('batch', () =>
      pets.submitTransaction(Array.from({ length: 100 }, (_, i) => ['create', keys(1 + i)])),
    );
    await count('warm', () => pets.getEntity('p', '1'));
    await account.close();
    await count('open', async () => {
      const again = await open();
      await again.tableClient('Pets').getEntity('p', '1');
      await again.close();
    });
    const last = (await open()).tableClient('Pets');
    await count('inserts', async () => {
      for (let row = 200; row < 200 + INSERTS; row++) await last.createEntity(keys(row));
    });
    return rows;
  }

  async #account() {
    const account = await openAccount({ storage: this.#open(), wasm: wasm as WebAssembly.Module });
    return { account, pets: account.tableClient('Pets') };
  }

  readonly #works: Record<string, (number: number) => Promise<unknown>> = {
    billed: () => this.#billed(),
    check: async (number) => {
      const { sql } = this.#context.storage;
      let isSql = true;
      try {
        void sql!.databaseSize;
      } catch {
        isSql = false;
      }
      const maxValueBytes = isSql ? 1_900_000 : 131_072;
      await storageContract[number]!.run(() => this.#open(), { maxValueBytes });
    },

    put: (number) => this.#open().commit(put(['pages/root', long(number, 3_000_000)])),

    read: async () => {
      const [value] = (await this.#open().read({ keys: ['pages/root'] })).values;
      return value && [value[0], value.at(-1), value.length];
    },

    // Values that a batch replaces, and then the death of the object, while it stores the batch.
    die: async (number) => {
      let writes = 0;
      const storage = this.#open({
        onWrite: () => {
          if (++writes === number) this.#context.abort();
        },
      });
      return storage.commit(put(['pages/root', long(9, 3_000_000)], ['pages/1', long(9, 9)]));
    },

    // A write fails in the middle of a batch.
    fail: async (number) => {
      let writes = 0;
      const storage = this.#open({
        onWrite: () => {
          if (++writes === number) throw new Error('no');
        },
      });
      const { outcome, cause } = await storage.commit(put(['pages/root', long(9, 3_000_000)]));
      return [outcome, String(cause)];
    },

    full: async () => {
      const storage = this.#open({ extraBytes: 10_000_000_000 - 1_500_000 });
      const { outcome, room } = await storage.commit(put(['log/2', long(2, 100_000)]));
      const freeing = { ...put(['log/1', long(1, 100_000)]), frees: true };
      const results = [await storage.commit(freeing)];
      results.push(await storage.commit({ expect: [], puts: [], deletes: ['log/1'] }));
      return [outcome, room?.quota, ...results.map((result) => result.outcome)];
    },

    strict: async () => this.#open().commit(put(['log/1', long(1, 3)]), { durability: 'strict' }),

    others: async () => {
      await this.#context.storage.put({ mine: 1 });
      const storage = this.#open();
      await storage.commit(put(['log/1', long(1, 3)]));
      await storage.destroy();
      return Object.fromEntries(await this.#context.storage.list({}));
    },

    // How often tables are created: by several calls, and again after the app has dropped them.
    tables: async () => {
      const { storage } = this.#context;
      let created = 0;
      const exec: SqlStorageLike['exec'] = (query, ...bindings) => {
        if (query.startsWith('CREATE')) created++;
        return storage.sql!.exec(query, ...bindings);
      };
      const sql = { databaseSize: storage.sql!.databaseSize, exec };
      const transactionSync = <T>(work: () => T) => storage.transactionSync(work);
      const transaction = () => Promise.reject(new Error('not needed'));
      const store = durableObjectStorage({
        ...{ sql, transactionSync, transaction },
      } as unknown as DurableObjectStorageLike);
      const commit = () => store.commit(put(['log/1', long(1, 3)]));
      await commit();
      await commit();
      await store.read({ keys: ['log/1'], recordsAfter: 0 });
      const before = created;
      for (const table of ['log', 'pages']) storage.sql!.exec(`DROP TABLE entitable_${table}`);
      const { outcome } = await commit();
      const { records } = await store.read({ keys: [], recordsAfter: 0 });
      return [before, outcome, records.length, created];
    },

    // 100 entities of 25 KB: one legal transaction.
    transaction: async () => {
      const { account, pets } = await this.#account();
      await pets.createTable();
      const text = 'x'.repeat(12_500);
      await pets.submitTransaction(
        Array.from({ length: 100 }, (_, at) => [
          'create' as const,
          { partitionKey: 'dogs', rowKey: `${at}`, text, more: text },
        ]),
      );
      await account.close();
    },

    count: async () => {
      const { account, pets } = await this.#account();
      const last = await pets.getEntity('dogs', '99');
      const found = [await pets.countEntities(), String(last['text']).length];
      await account.close();
      return found;
    },

    abort: async () => this.#context.abort(),
  };
}

export class SqlObject extends StoreObject {}
export class KeyValueObject extends StoreObject {}

interface Namespace {
  idFromName(name: string): unknown;
  get(id: unknown): { fetch(request: Request): Promise<Response> };
}

// The path begins with the kind and the name of an object.
export default {
  fetch(request: Request, env: Record<string, Namespace>): Promise<Response> {
    const url = new URL(request.url);
    const [, kind = '', name = '', work] = url.pathname.split('/');
    const namespace = env[kind]!;
    const stub = namespace.get(namespace.idFromName(name));
    return stub.fetch(new Request(`http://object/${work}${url.search}`));
  },
};
