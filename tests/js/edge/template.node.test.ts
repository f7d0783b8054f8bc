// The template of a Worker, and the examples of its guide, in Cloudflare's runtime.

import { readFileSync } from 'node:fs';

import { AzureNamedKeyCredential, TableClient, TableServiceClient } from '@azure/data-tables';
import { transform } from 'esbuild';
import type { Miniflare, MiniflareOptions } from 'miniflare';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { DEVELOPMENT_ACCOUNT, type TableHandler } from '../../../js/src/http.js';
import { exampleNamed } from '../../../scripts/lib/documents.mjs';
import { bundled, startWorker } from '../support/durable-object/workerd.js';
import { testOfficialClient } from '../support/official-client.js';

const PAGE = 'docs/guides/edge.md';
const TEMPLATE = 'templates/edge';

const toml = readFileSync(`${TEMPLATE}/wrangler.toml`, 'utf8');
const textIn = (name: string) => new RegExp(`^${name} = "(.*)"$`, 'm').exec(toml)![1]!;

/** The Worker as `wrangler.toml` says. */
const deployed = (script: string, more: Partial<MiniflareOptions> = {}) =>
  startWorker(script, {
    compatibilityDate: textIn('compatibility_date'),
    durableObjects: {
      // The last name is that of the binding.
      [toml.match(/bindings\]\]\nname = "(.*)"/)![1]!]: {
        className: textIn('class_name'),
        useSQLite: /^new_sqlite_classes = \["TableObject"\]$/m.test(toml),
      },
    },
    ...more,
  });

const example = (file: string) => bundled({ contents: exampleNamed(PAGE, file) });

const key = btoa('a key');
const SHARED: Partial<MiniflareOptions> = {
  bindings: {
    ENTITABLE_ACCOUNTS: Array.from({ length: 100 }, (_, at) => `account${at}:${key}`).join(';'),
  },
};

let worker: Miniflare;
let url: string;

beforeAll(async () => {
  worker = deployed(await bundled(`${TEMPLATE}/${textIn('main')}`), SHARED);
  url = (await worker.ready).origin;
}, 60_000);

afterAll(() => worker.dispose());

it.each(['src/index.js', 'wrangler.toml'])('has the %s of the guide', (file) => {
  expect(readFileSync(`${TEMPLATE}/${file}`, 'utf8')).toBe(exampleNamed(PAGE, file));
});

it('has the account of the emulator in its example of secrets', async () => {
  const secrets = readFileSync(`${TEMPLATE}/.dev.vars.example`, 'utf8');
  const [, ENTITABLE_ACCOUNTS] = /^ENTITABLE_ACCOUNTS="(.*)"$/m.exec(secrets)!;
  const own = deployed(await bundled(`${TEMPLATE}/src/index.js`), {
    bindings: { ENTITABLE_ACCOUNTS },
  });
  onTestFinished(() => own.dispose());
  const { origin } = await own.ready;
  const [name, secret] = ENTITABLE_ACCOUNTS!.split(':') as [string, string];
  const credential = new AzureNamedKeyCredential(name, secret);
  const client = new TableServiceClient(`${origin}/${name}`, credential, {
    allowInsecureConnection: true,
  });

  expect([name, secret]).toEqual([DEVELOPMENT_ACCOUNT.account, DEVELOPMENT_ACCOUNT.key]);
  await client.createTable('Pets');
  expect((await client.listTables().next()).value.name).toBe('Pets');
}, 60_000);

let accounts = 0;

describe('a Worker of the template', { timeout: 30_000 }, () => {
  testOfficialClient(async () => {
    const name = `account${accounts++}`;
    const credential = new AzureNamedKeyCredential(name, key);
    const options = { allowInsecureConnection: true, retryOptions: { maxRetries: 0 } };
    return {
      service: new TableServiceClient(`${url}/${name}`, credential, options),
      secondary: new TableServiceClient(`${url}/${name}-secondary`, credential, options),
      table: (table) => new TableClient(`${url}/${name}`, table, credential, options),
    };
  });
});

describe('the guide', { timeout: 60_000 }, () => {
  it('uses the official client', async () => {
    const { code } = await transform(exampleNamed(PAGE, 'client.js'), { format: 'cjs' });
    const module = { exports: {} as { addRex: (...args: string[]) => Promise<object> } };
    const official = await import('@azure/data-tables');
    new Function('module', 'require', code)(module, () => official);

    expect(await module.exports.addRex(url, 'account99', key)).toMatchObject({ age: 3 });
  });

  it('finds keys elsewhere', async () => {
    const own = deployed(await example('keys.js'), { kvNamespaces: ['ACCOUNTS'] });
    onTestFinished(() => own.dispose());
    const accounts = (await own.getKVNamespace('ACCOUNTS')) as unknown as {
      put(name: string, text: string): Promise<void>;
    };
    await accounts.put('pets', `${btoa('other')},${key}`);
    const { origin } = await own.ready;
    const client = (name: string) =>
      new TableServiceClient(`${origin}/${name}`, new AzureNamedKeyCredential(name, key), {
        allowInsecureConnection: true,
      });

    await client('pets').createTable('Dogs');
    await expect(client('cats').createTable('Dogs')).rejects.toMatchObject({ statusCode: 403 });
  });

  it('lets a function decide', async () => {
    const own = deployed(await example('authorize.js'), { bindings: { TOKEN: 'secret' } });
    onTestFinished(() => own.dispose());
    const statusOf = async (token: string) => {
      const headers = { Authorization: `Bearer ${token}`, Accept: 'application/json' };
      return (await own.dispatchFetch('http://localhost/pets/Tables', { headers })).status;
    };

    expect([await statusOf('secret'), await statusOf('wrong')]).toEqual([200, 403]);
    const preflight = await own.dispatchFetch('http://localhost/pets/Tables', {
      method: 'OPTIONS',
      headers: { Origin: 'https://example.com', 'Access-Control-Request-Method': 'GET' },
    });
    // Not allowed by the properties of the account, and answered by them.
    expect(await preflight.text()).toContain('CorsPreflightFailure');
  });

  it('spreads an account over several objects', async () => {
    const own = deployed(await example('shards.js'), SHARED);
    onTestFinished(() => own.dispose());
    const { origin } = await own.ready;
    const credential = new AzureNamedKeyCredential('account0', key);
    const pets = new TableClient(`${origin}/account0`, 'Pets', credential, {
      allowInsecureConnection: true,
    });

    await pets.createTable();
    for (const partitionKey of ['c', 'a', 'b'])
      await pets.createEntity({ partitionKey, rowKey: '' });
    const keys = [];
    for await (const entity of pets.listEntities()) keys.push(entity.partitionKey);
    expect(keys).toEqual(['a', 'b', 'c']);
  });

  it('spreads an account over handlers', async () => {
    const { code } = await transform(exampleNamed(PAGE, 'processes.js'), { format: 'cjs' });
    const module = { exports: {} as { openOverTwo(file: string): Promise<TableHandler> } };
    const modules: Record<string, unknown> = {
      'node:fs/promises': await import('node:fs/promises'),
      entitable: await import('../../../js/src/index.js'),
      'entitable/edge': await import('../../../js/src/edge.js'),
      'entitable/http': await import('../../../js/src/http.js'),
      'entitable/storage/memory': await import('../../../js/src/storage/memory.js'),
    };
    new Function('module', 'require', code)(module, (name: string) => modules[name]);
    const router = await module.exports.openOverTwo('build/js/entitable.wasm');
    const send = (method: string, path: string, body?: object) =>
      router(
        new Request(`https://tables.example.com/pets${path}`, {
          method,
          headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
          ...(body && { body: JSON.stringify(body) }),
        }),
      );

    expect((await send('POST', '/Tables', { TableName: 'Pets' })).status).toBe(201);
    for (const key of ['b', 'a', 'c', 'd']) {
      await send('POST', '/Pets', { PartitionKey: key, RowKey: '' });
    }
    const { value } = (await (await send('GET', '/Pets')).json()) as { value: object[] };
    expect(value).toMatchObject(['a', 'b', 'c', 'd'].map((PartitionKey) => ({ PartitionKey })));
  });

  it('keeps an account in an object of the app', async () => {
    const own = startWorker(await example('own-object.js'), {
      durableObjects: { ROOMS: { className: 'Room', useSQLite: true } },
    });
    onTestFinished(() => own.dispose());
    const post = async (body: string) =>
      (await own.dispatchFetch('http://localhost/', { method: 'POST', body })).json();

    const counts = await Promise.all(['one', 'two', 'three'].map(post));
    expect(counts).toContainEqual({ count: 3 });
  });
});
