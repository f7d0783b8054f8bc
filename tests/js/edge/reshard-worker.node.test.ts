// Another number of objects for the accounts of a Worker, with the official client.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { AzureNamedKeyCredential, TableClient } from '@azure/data-tables';
import type { Miniflare, MiniflareOptions } from 'miniflare';
import { expect, it, onTestFinished } from 'vitest';

import { stringToSign } from '../../../js/src/http/auth/shared-key.js';
import { keyBytes, signingKey } from '../../../js/src/http/auth/signature.js';
import { generateAccountSas } from '../../../js/src/http.js';
import { bundled, startWorker } from '../support/durable-object/workerd.js';

const ACCOUNT = 'pets';
const KEY = btoa('a key');

const scriptWith = (shards: number) =>
  bundled({
    contents: `
      import { tableWorker } from 'entitable/edge';
      import wasm from 'entitable/entitable.wasm';
      const { TableObject, worker } = tableWorker({ wasm, shards: ${shards} });
      export { TableObject, worker as default };`,
  });

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'entitable-reshard-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

// A Worker on the same folder as one before ends that one first.
const running = new Map<string, Miniflare>();

async function started(script: string, folder: string): Promise<Miniflare> {
  if (running.has(folder)) await running.get(folder)!.dispose();
  else onTestFinished(() => running.get(folder)!.dispose());
  const worker = startWorker(script, {
    durableObjects: { TABLES: { className: 'TableObject', useSQLite: true } },
    durableObjectsPersist: folder,
    bindings: { ENTITABLE_ACCOUNTS: `${ACCOUNT}:${KEY}` },
  } as Partial<MiniflareOptions>);
  running.set(folder, worker);
  return worker;
}

interface Status {
  readonly shards: number;
  readonly state?: string;
}

/** Asks for a step, signed with this key. */
async function step(worker: Miniflare, method: string, query: string, key = KEY) {
  const target = `/${ACCOUNT}/?${query}`;
  const headers = new Headers({ 'x-ms-date': new Date().toUTCString() });
  const sign = await signingKey(keyBytes(key));
  const text = stringToSign('SharedKeyLite', ACCOUNT, { method, target, headers });
  headers.set('Authorization', `SharedKeyLite ${ACCOUNT}:${await sign(text)}`);
  const url = new URL(target, await worker.ready);
  return fetch(url, { method, headers });
}

async function advance(worker: Miniflare, to: number): Promise<Status> {
  const answer = await step(worker, 'POST', `comp=shards&to=${to}`);
  expect(answer.status).toBe(200);
  return (await answer.json()) as Status;
}

async function petsOf(worker: Miniflare, maxRetries: number): Promise<TableClient> {
  const url = `${(await worker.ready).origin}/${ACCOUNT}`;
  const credential = new AzureNamedKeyCredential(ACCOUNT, KEY);
  const retryOptions = { maxRetries, retryDelayInMs: 20, maxRetryDelayInMs: 100 };
  return new TableClient(url, 'Pets', credential, { allowInsecureConnection: true, retryOptions });
}

async function keysIn(pets: TableClient): Promise<string[]> {
  const keys: string[] = [];
  for await (const { partitionKey, rowKey } of pets.listEntities()) {
    keys.push(`${partitionKey}/${rowKey}`);
  }
  return keys;
}

it('loses no write of clients meanwhile', { timeout: 60_000 }, async () => {
  const worker = await started(await scriptWith(3), newFolder());
  const pets = await petsOf(worker, 1000);
  await pets.createTable();
  const written = new Set<string>();
  let isDone = false;
  async function writeOn(client: number): Promise<void> {
    for (let at = 0; !isDone; at++) {
      const [partitionKey, rowKey] = [`p${at % 40}`, `${client}-${at}`];
      await pets.createEntity({ partitionKey, rowKey });
      written.add(`${partitionKey}/${rowKey}`);
    }
  }
  const writing = Promise.all([1, 2, 3].map(writeOn));
  for (const to of [7, 2]) {
    const before = written.size;
    await expect.poll(() => written.size).toBeGreaterThan(before + 30);
    while ((await advance(worker, to)).state !== undefined);
  }
  const after = written.size;
  await expect.poll(() => written.size).toBeGreaterThan(after + 10);
  isDone = true;
  await writing;

  // A repeated insert whose first try was stored would have failed with 409.
  expect(await keysIn(pets)).toEqual([...written].sort());
});

it('goes on after the Worker has started anew, from any step', { timeout: 60_000 }, async () => {
  const [folder, script] = [newFolder(), await scriptWith(2)];
  let worker = await started(script, folder);
  const pets = await petsOf(worker, 0);
  await pets.createTable();
  const keys = Array.from({ length: 20 }, (_, at) => `p${at}/1`).sort();
  for (const key of keys) {
    await pets.createEntity({ partitionKey: key.split('/')[0]!, rowKey: '1' });
  }
  const states: (string | undefined)[] = [];
  for (let status: Status | undefined; !status || status.state !== undefined;) {
    worker = await started(script, folder);
    status = await advance(worker, 3);
    states.push(status.state);
    expect(await keysIn(await petsOf(worker, 0)), status.state).toEqual(keys);
  }
  // A router that begins opens the new shards itself.
  const expected = ['preparing', 'defining', 'copying', 'closing', 'clearing', undefined];
  expect(new Set(states)).toEqual(new Set(expected));
  const answer = await step(worker, 'GET', 'comp=shards');
  expect(await answer.json()).toEqual({ shards: 3 });
});

it('takes steps only from the owner of the account', { timeout: 60_000 }, async () => {
  const worker = await started(await scriptWith(2), newFolder());
  const url = `${(await worker.ready).origin}/${ACCOUNT}`;
  const post = async (query: string, headers: Record<string, string> = {}) =>
    (await fetch(`${url}/?${query}`, { method: 'POST', headers })).status;
  const sas = await generateAccountSas({
    ...{ account: ACCOUNT, key: KEY, permissions: 'rwdlau', resourceTypes: 'sco' },
    expiresOn: new Date(Date.now() + 3_600_000),
  });

  expect(await post('comp=shards&to=3')).toBe(403);
  expect(await post(`comp=shards&to=3&${sas}`)).toBe(403);
  expect((await step(worker, 'POST', 'comp=shards&to=3', btoa('another'))).status).toBe(403);
  // A client that names itself the catalogue.
  const forged = { 'x-entitable-catalogue': 'reshard', 'x-entitable-shard': 'closed' };
  expect(await post('comp=shards&to=3', forged)).toBe(403);
  const pets = await petsOf(worker, 0);
  await pets.createTable();
  const address = `${url}/Pets(PartitionKey='a',RowKey='b')?${sas}`;
  const headers = { ...forged, 'Content-Type': 'application/json' };
  expect((await fetch(address, { method: 'PUT', headers, body: '{}' })).status).toBe(204);
  expect(await keysIn(pets)).toEqual(['a/b']);
  expect(await (await step(worker, 'GET', 'comp=shards')).json()).toEqual({ shards: 2 });
});
