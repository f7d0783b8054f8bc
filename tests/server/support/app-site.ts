// app-site.ts - the site of the app that syncs, and remote accounts that it may use.

import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import {
  AzureNamedKeyCredential,
  TableClient as OfficialTableClient,
  TableServiceClient,
} from '@azure/data-tables';
import { build } from 'esbuild';
import { onTestFinished } from 'vitest';

import { DEVELOPMENT_ACCOUNT, generateAccountSas } from '../../../js/src/http.js';
import { remoteAccount } from '../../../js/src/remote.js';
import { CORS_RULE } from '../../js/support/cors-rule.js';
import { openFaultProxy } from './fault-proxy.js';
import { nameAt } from './remotes.js';

const { key: KEY } = DEVELOPMENT_ACCOUNT;
const INSECURE = { allowInsecureConnection: true };

/** Serves the app until the end of the test. Returns its address. */
export async function openAppSite(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: ['tests/server/page/app.ts'],
    bundle: true,
    format: 'esm',
    write: false,
    logLevel: 'silent',
  });
  const files: Record<string, [type: string, body: string | Buffer]> = {
    '/': [
      'text/html',
      '<!doctype html><title>app</title><script type="module" src="app.js"></script>',
    ],
    '/app.js': ['text/javascript', outputFiles[0]!.text],
    '/entitable-sync.wasm': ['application/wasm', readFileSync('build/js/entitable-sync.wasm')],
  };
  const server = createServer(({ url = '' }, response) => {
    const [type, body] = files[url] ?? ['text/plain', ''];
    response.writeHead(url in files ? 200 : 404, { 'content-type': type }).end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

let tables = 0;

/**
 * A new table of the account at `target`, which pages may use through a proxy.
 */
export async function openRemoteTable(target: string) {
  const remoteTable = `Todos${++tables}`;
  const account = nameAt(target);
  const credential = new AzureNamedKeyCredential(account, KEY);
  await new TableServiceClient(target, credential, INSECURE).setProperties({ cors: [CORS_RULE] });
  const official = new OfficialTableClient(target, remoteTable, credential, INSECURE);
  await official.createTable();
  const proxy = await openFaultProxy(target);
  const sas = await generateAccountSas({
    ...{ account, key: KEY, permissions: 'raud', resourceTypes: 'co' },
    expiresOn: new Date(Date.now() + 3_600_000),
  });
  const exact = remoteAccount({ url: target, key: KEY }).tableClient(remoteTable);
  return { proxy, official, exact, options: { url: proxy.url, sas, remoteTable } };
}

export type RemoteTable = Awaited<ReturnType<typeof openRemoteTable>>;
