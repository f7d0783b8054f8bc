// Routing, authentication, CORS, concurrency and size of a Worker of entitable/edge.

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { AzureSASCredential, TableClient } from '@azure/data-tables';
import type { Miniflare, MiniflareOptions } from 'miniflare';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';

import { tableWorker, type TableObjectContext } from '../../../js/src/edge.js';
import { generateTableSas } from '../../../js/src/http.js';
import type { KeyValueLike } from '../../../js/src/storage/durable-object.js';
import { bundled, startWorker } from '../support/durable-object/workerd.js';

const key = btoa('a key');
const json = { Accept: 'application/json' };

let scripts: Record<'keys' | 'open' | 'host', string>;

const scriptWith = (options: string) =>
  bundled({
    contents: `
      import { tableWorker } from 'entitable/edge';
      import wasm from 'entitable/entitable.wasm';
      const { TableObject, worker } = tableWorker({ wasm, ${options} });
      export { TableObject, worker as default };`,
  });

beforeAll(async () => {
  scripts = {
    keys: await scriptWith(''),
    open: await scriptWith('authorize: () => true, cors: true'),
    host: await scriptWith("authorize: () => true, accountIn: 'host', binding: 'ACCOUNTS'"),
  };
}, 60_000);

function started(
  script: string,
  {
    useSQLite = true,
    binding = 'TABLES',
    ...more
  }: { useSQLite?: boolean; binding?: string } & Partial<MiniflareOptions> = {},
): Miniflare {
  const worker = startWorker(script, {
    durableObjects: { [binding]: { className: 'TableObject', useSQLite } },
    bindings: { ENTITABLE_ACCOUNTS: `pets:${key}; old:${btoa('b')}:${key};` },
    ...more,
  } as Partial<MiniflareOptions>);
  onTestFinished(() => worker.dispose());
  return worker;
}

describe('a Worker', { timeout: 60_000 }, () => {
  it.each([true, false])('answers 24 first requests at once (SQLite: %s)', async (useSQLite) => {
    const worker = started(scripts.open, { useSQLite });
    const insert = async (at: number) => {
      const answer = await worker.dispatchFetch('http://localhost/pets/Tables', {
        method: 'POST',
        headers: { ...json, 'Content-Type': 'application/json' },
        body: JSON.stringify({ TableName: `Pets${at}` }),
      });
      await answer.text();
      return answer.status;
    };

    const statuses = await Promise.all(Array.from({ length: 24 }, (_, at) => insert(at)));
    expect(statuses).toEqual(statuses.map(() => 201));
    const tables = await worker.dispatchFetch('http://localhost/pets/Tables', { headers: json });
    expect(((await tables.json()) as { value: unknown[] }).value).toHaveLength(24);
  });

  it('keeps accounts apart', async () => {
    const worker = started(scripts.open);
    const create = (account: string) =>
      worker.dispatchFetch(`http://localhost/${account}/Tables`, {
        method: 'POST',
        headers: { ...json, 'Content-Type': 'application/json' },
        body: '{"TableName":"Pets"}',
      });

    expect((await create('one')).status).toBe(201);
    expect((await create('two')).status).toBe(201);
    expect((await create('one')).status).toBe(409);
    expect((await create('one-secondary')).status).not.toBe(201);
  });

  it('finds the account in the host', async () => {
    const worker = started(scripts.host, { binding: 'ACCOUNTS' });
    const answer = await worker.dispatchFetch('http://pets.tables.example.com/Tables', {
      headers: json,
    });

    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain('http://pets.tables.example.com/$metadata#Tables');
  });

  it.each(['/', '/favicon.ico', '/ab/Tables', '/UPPER/Tables', '/a%62c/Tables'])(
    'answers 404 to %s, which names no account',
    async (path) => {
      const answer = await started(scripts.open).dispatchFetch(`http://localhost${path}`);

      expect(answer.status).toBe(404);
      expect(await answer.text()).toContain('"ResourceNotFound"');
    },
  );

  it('refuses unknown accounts and wrong signatures as the service does', async () => {
    const worker = started(scripts.keys);
    for (const account of ['unknown', 'pets']) {
      const answer = await worker.dispatchFetch(`http://localhost/${account}/Tables`, {
        headers: { ...json, Authorization: `SharedKey ${account}:${key}` },
      });
      expect(answer.status).toBe(403);
      expect(await answer.text()).toContain('"AuthenticationFailed"');
    }
  });

  it('makes no object for an account that it does not know', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'entitable-edge-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const worker = started(scripts.keys, { durableObjectsPersist: folder });
    const askFor = async (account: string) =>
      (await worker.dispatchFetch(`http://localhost/${account}/Tables`)).text();
    const objects = () =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
        /[0-9a-f]{64}\.sqlite$/.test(name),
      );

    await askFor('unknown');
    expect(objects()).toHaveLength(0);
    await askFor('pets');
    expect(objects()).toHaveLength(1);
  });

  it('takes signatures for a table, from the address that they name', async () => {
    const worker = started(scripts.keys);
    const signed = async (ipRange?: string) => {
      const sas = await generateTableSas({
        account: 'old',
        key,
        table: 'Pets',
        permissions: 'raud',
        expiresOn: new Date(Date.now() + 60_000),
        ...(ipRange && { ipRange }),
      });
      const address = `http://localhost/old/Pets?${sas}`;
      const headers = { ...json, 'CF-Connecting-IP': '10.1.1.1' };
      const answer = await worker.dispatchFetch(address, { headers });
      return (await answer.text()).match(/[A-Z]\w+NotFound|AuthorizationSourceIPMismatch/)?.[0];
    };

    // There is no such table; the signature is right.
    expect(await signed()).toBe('TableNotFound');
    expect(await signed('10.1.1.1')).toBe('TableNotFound');
    expect(await signed('10.1.1.2')).toBe('AuthorizationSourceIPMismatch');
  });

  it('takes a shared access signature of the official client', async () => {
    const worker = started(scripts.keys);
    const { origin } = await worker.ready;
    const options = { allowInsecureConnection: true, retryOptions: { maxRetries: 0 } };
    const sas = await generateTableSas({
      ...{ account: 'pets', key, table: 'Pets', permissions: 'raud' },
      expiresOn: new Date(Date.now() + 60_000),
    });
    const table = new TableClient(`${origin}/pets`, 'Pets', new AzureSASCredential(sas), options);

    await expect(table.getEntity('a', 'b')).rejects.toMatchObject({ statusCode: 404 });
  });

  it('answers pages of other origins', async () => {
    const worker = started(scripts.open);
    const preflight = await worker.dispatchFetch('http://localhost/pets/Tables', {
      method: 'OPTIONS',
      headers: { Origin: 'https://example.com', 'Access-Control-Request-Method': 'GET' },
    });
    const answer = await worker.dispatchFetch('http://localhost/pets/Tables', {
      headers: { ...json, Origin: 'https://example.com' },
    });

    expect(preflight.status).toBe(200);
    for (const { headers } of [preflight, answer]) {
      expect(headers.get('Access-Control-Allow-Origin')).toMatch(/^(\*|https:\/\/example.com)$/);
    }
  });

  it('says in its log that the secret or the binding is missing', async () => {
    const none = started(scripts.keys, { bindings: {} } as object);
    const answer = await none.dispatchFetch('http://localhost/pets/Tables');
    expect(answer.status).toBe(500);
    expect(await answer.text()).toContain('ENTITABLE_ACCOUNTS');

    const unbound = started(scripts.open, { binding: 'OTHER' });
    const second = await unbound.dispatchFetch('http://localhost/pets/Tables');
    expect(second.status).toBe(500);
    expect(await second.text()).toContain('TABLES');
  });

  it('is far below the limits of the platform', async () => {
    const minify = /^minify = true$/m.test(readFileSync('templates/edge/wrangler.toml', 'utf8'));
    const script = await bundled('templates/edge/src/index.js', { minify });
    const module = readFileSync('build/js/entitable.wasm');
    const bytes = [script, module].map((part) => gzipSync(part, { level: 9 }).length);

    // The free plan takes 3 MB.
    expect(bytes[0]! + bytes[1]!).toBeLessThan(331_000);
  });
});

describe('an object', () => {
  it('answers with the reason if its storage fails, and opens the account again, once', async () => {
    const values = new Map<string, unknown>();
    let isBroken = true;
    let openings = 0;
    const keysAndValues: KeyValueLike = {
      async get(keys) {
        return new Map(
          keys.flatMap((name) => (values.has(name) ? [[name, values.get(name)]] : [])),
        );
      },
      put: async (entries) => {
        for (const [name, value] of Object.entries(entries)) values.set(name, value);
      },
      delete: async (keys) => keys.filter((name) => values.delete(name)).length,
      list: async ({ start = '', end = '\uffff' }) =>
        new Map([...values].filter(([name]) => start <= name && name < end).sort()),
    };
    const context: TableObjectContext = {
      storage: {
        ...keysAndValues,
        get sql() {
          if (!isBroken) throw new Error('SQL is not enabled');
          const exec = () => {
            throw new Error('no storage today');
          };
          return { databaseSize: 0, exec };
        },
        transaction: (work) => work(keysAndValues),
        transactionSync: (work) => work(),
        sync: async () => {},
        deleteAll: async () => values.clear(),
      },
      blockConcurrencyWhile: (work) => (openings++, work()),
    };
    const wasm = await WebAssembly.compile(readFileSync('build/js/entitable.wasm'));
    const { TableObject } = tableWorker({ wasm, authorize: () => true });
    const object = new TableObject(context, {});
    const request = () =>
      object.fetch(new Request('http://localhost/pets/Tables', { headers: json }));

    const log = vi.spyOn(console, 'error').mockImplementation(() => {});
    const first = await request();
    expect(String(log.mock.calls[0]![1])).toContain('The storage cannot be read.');
    log.mockRestore();
    isBroken = false;
    expect([first.status, await first.text()]).toEqual([
      503,
      expect.stringContaining('StorageUnavailable'),
    ]);
    openings = 0;
    const answers = await Promise.all(Array.from({ length: 24 }, request));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(openings).toBe(1);
  });
});

describe('options', () => {
  const wasm = new WebAssembly.Module(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0));

  it.each([
    ['a module that is missing', {}, /entitable\.wasm/],
    ['keys beside authorize', { wasm, keys: () => [], authorize: () => true }, /not both/],
    ['an unknown option', { wasm, kees: 1 }, /kees/],
    ['another place of the account', { wasm, accountIn: 'query' }, /accountIn/],
    [
      'no shards',
      { wasm, shards: 0 },
      /shards of tableWorker must be an integer from 1 to 400, not 0/,
    ],
    [
      'parts of shards',
      { wasm, shards: 1.5 },
      /shards of tableWorker must be an integer from 1 to 400, not 1.5/,
    ],
    [
      'more shards than the platform can reach',
      { wasm, shards: 401 },
      /shards of tableWorker must be an integer from 1 to 400, not 401/,
    ],
  ])('refuse %s', (_what, options, message) => {
    expect(() => tableWorker(options as never)).toThrow(message);
    expect(() => tableWorker(options as never)).toThrow(TypeError);
  });

  it.each([1, 2, 400])('take %i shards', (shards) => {
    expect(() => tableWorker({ wasm, shards })).not.toThrow();
  });
});
