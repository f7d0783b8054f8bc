// Remote accounts from a page of another origin, in Chromium.

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { AzureNamedKeyCredential, TableServiceClient } from '@azure/data-tables';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { DEVELOPMENT_ACCOUNT, generateAccountSas } from '../../js/src/http.js';
import { remoteAccount } from '../../js/src/remote.js';
import { CORS_RULE } from '../js/support/cors-rule.js';
import { openBrowser } from '../package/support/browser.js';
import { startAzurite, type Azurite } from './support/azurite.js';
import { ownServer } from './support/own-server.js';

const { account: ACCOUNT, key: KEY } = DEVELOPMENT_ACCOUNT;
const CREDENTIAL = new AzureNamedKeyCredential(ACCOUNT, KEY);
const INSECURE = { allowInsecureConnection: true, retryOptions: { maxRetries: 0 } };

let azurite: Azurite;
beforeAll(async () => {
  azurite = await startAzurite();
});
afterAll(() => azurite.stop());

let tables = 0;
const freshName = () => `Pets${++tables}`;

describe('from a page of another origin in Chromium', () => {
  const RULE = { ...CORS_RULE, maxAgeInSeconds: 1 };

  // What a page does with an account: the codes of its calls, or what they return.
  async function pageWith(url: string, sas: string, table: string): Promise<unknown> {
    const contents = `
      import { remoteAccount } from './js/src/remote.js';
      globalThis.useAccount = async (url, sas, name) => {
        const table = remoteAccount({ url, sas, retries: 0 }).tableClient(name);
        const all = async () => {
          const keys = [];
          for await (const page of table.listEntities().byPage({ maxPageSize: 2 })) {
            keys.push(page.map(({ rowKey }) => rowKey).join(''));
          }
          return keys;
        };
        const codeOf = ({ code }) => code;
        const keys = { partitionKey: 'p', rowKey: '9' };
        return {
          upserted: await table.upsertEntity({ ...keys, a: 1 }).then(({ etag }) => typeof etag, codeOf),
          merged: await table.updateEntity({ ...keys, b: 2 }).then(({ etag }) => typeof etag, codeOf),
          submitted: await table.submitTransaction([['upsert', keys, 'Replace']]).then(({ status }) => status, codeOf),
          listed: await all().catch(codeOf),
          deleted: await table.deleteEntity('p', '9').then(() => 'yes', codeOf),
        };
      };`;
    const { outputFiles } = await build({
      stdin: { contents, resolveDir: '.' },
      bundle: true,
      format: 'esm',
      write: false,
      logLevel: 'silent',
    });
    const server = createServer((_, response) => {
      response.setHeader('Content-Type', 'text/html');
      response.end('<!doctype html><title>page</title>');
    });
    server.listen(0, 'localhost');
    await once(server, 'listening');
    const browser = await openBrowser();
    try {
      const tab = await browser.newPage();
      await tab.goto(`http://localhost:${(server.address() as AddressInfo).port}/`);
      await tab.addScriptTag({ type: 'module', content: outputFiles[0]!.text });
      await tab.waitForFunction(() => 'useAccount' in globalThis);
      return await tab.evaluate(
        ([address, signature, name]) =>
          (
            globalThis as unknown as { useAccount(...given: string[]): Promise<unknown> }
          ).useAccount(address!, signature!, name!),
        [url, sas, table],
      );
    } finally {
      await browser.close();
      server.close();
    }
  }

  async function prepared(url: string, cors: object[]) {
    const table = freshName();
    const service = new TableServiceClient(url, CREDENTIAL, INSECURE);
    await service.setProperties({ cors: cors as [] });
    const pets = remoteAccount({ url, key: KEY }).tableClient(table);
    await pets.createTable();
    for (const rowKey of ['0', '1', '2']) await pets.createEntity({ partitionKey: 'p', rowKey });
    const expiresOn = new Date(Date.now() + 3_600_000);
    const given = {
      account: ACCOUNT,
      key: KEY,
      permissions: 'raud',
      // For the emulator, a list is about the table.
      resourceTypes: 'co',
      expiresOn,
    };
    // The emulator takes no transaction with a signature for a table.
    return pageWith(url, await generateAccountSas(given), table);
  }

  it.each([
    ['our own server', ownServer],
    ['the emulator', () => Promise.resolve(azurite.url)],
  ])('%s can be used with the rule of the guide', async (_, start) => {
    expect(await prepared(await start(), [RULE])).toEqual({
      upserted: 'string',
      merged: 'string',
      submitted: 202,
      listed: ['01', '29'],
      deleted: 'yes',
    });
  });

  it('a rule that hides continuations stops lists, and one that hides etags stops writes', async () => {
    const url = await ownServer();
    const hiding = { ...RULE, exposedHeaders: 'Date,x-ms-request-id' };

    expect(await prepared(url, [hiding])).toEqual({
      upserted: 'HeadersHidden',
      merged: 'HeadersHidden',
      submitted: 202,
      listed: 'HeadersHidden',
      deleted: 'yes',
    });
  });

  it('no rule at all looks like no network', async () => {
    expect(await prepared(await ownServer(), [])).toEqual({
      upserted: 'StorageOutcomeUnknown',
      merged: 'StorageOutcomeUnknown',
      submitted: 'StorageOutcomeUnknown',
      listed: 'StorageUnavailable',
      deleted: 'StorageOutcomeUnknown',
    });
  });
});
