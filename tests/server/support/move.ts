// move.ts - the program `entitable` as another process, and what is on both sides of a move.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';

import { onTestFinished } from 'vitest';

import { exportAll } from '../../../js/src/archive.js';
import { DEVELOPMENT_ACCOUNT } from '../../../js/src/http.js';
import { openAccount, type TableServiceClient } from '../../../js/src/index.js';
import {
  remoteAccount,
  type RemoteAccount,
  type RemoteTableClient,
} from '../../../js/src/remote.js';
import { fileStorage } from '../../../js/src/storage/file.js';
import { WASM_FLAGS } from '../../../scripts/test/wasm-flags.mjs';
import { outcome, type Outcome } from '../../js/support/commands.js';
import { syncWasmBytes } from '../../js/support/wasm.js';
import { newFolder } from '../../package/support/serve.js';
import type { Answer } from './fault-proxy.js';

const { key: KEY } = DEVELOPMENT_ACCOUNT;

export type Running = ReturnType<typeof start>;

/**
 * Starts `entitable`, with this environment. It does not outlive the test.
 *
 * @param flags - of Node.
 */
export function start(
  words: readonly string[],
  environment: object = { AZURE_STORAGE_KEY: KEY },
  flags: readonly string[] = [],
) {
  const env = { PATH: process.env['PATH'], ...environment };
  const parameters = [...WASM_FLAGS, ...flags, 'dist/cli.js', ...words];
  const child = spawn(process.execPath, parameters, { env });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

/** Waits for its end. */
export async function outcomeOf(child: Running): Promise<Outcome> {
  const [said, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  return outcome(code, said, errors);
}

/** What a program of the user does with the account of a folder. */
export async function inFolder<T>(
  folder: string,
  work: (account: TableServiceClient) => Promise<T>,
) {
  const wasm = await syncWasmBytes();
  const account = await openAccount({ storage: fileStorage(folder), wasm });
  try {
    return await work(account);
  } finally {
    await account.close();
  }
}

type Dump = Record<string, unknown[]>;

/** All tables with all their entities and types. */
export async function dumpOf(account: TableServiceClient | RemoteAccount): Promise<Dump> {
  const dump: Dump = {};
  for await (const { name = '' } of account.listTables()) {
    const rows: unknown[] = [];
    const table: RemoteTableClient = account.tableClient(name);
    for await (const entity of table.listEntities({ typed: true })) {
      const { etag: _, timestamp: __, ...row } = entity;
      rows.push(row);
    }
    dump[name] = rows;
  }
  return dump;
}

export const dumpOfFolder = (folder: string) => inFolder(folder, dumpOf);
/** The account at an address. */
export const at = (url: string) => remoteAccount({ url, key: KEY });

const ALL_TYPES = {
  text: 'Rex \u00e9\u{1f600}',
  age: 7,
  whole: { type: 'Double', value: 3 },
  chip: 9_223_372_036_854_775_807n,
  isGood: true,
  born: { type: 'DateTime', value: '2017-03-05T00:00:00.1234567Z' },
  tag: { type: 'Guid', value: '7b0b7a3e-52d7-4a43-9c1b-51e6f3f0c001' },
  photo: Uint8Array.of(0, 255),
};
/** How many birds there are: more than one page of a query. */
export const BIRDS = 1500;

/** A folder with three tables. */
export async function fullFolder(birdCount = BIRDS): Promise<string> {
  const folder = newFolder();
  await inFolder(folder, async (account) => {
    for (const name of ['Pets', 'Birds', 'Empty']) await account.createTable(name);
    const pets = account.tableClient('Pets');
    await pets.createEntity({ partitionKey: "O'Neil \u00e9", rowKey: 'a b', ...ALL_TYPES });
    await pets.createEntity({ partitionKey: 'dogs', rowKey: 'rex' });
    await account.tableClient('Birds').importEntities(birds(birdCount));
  });
  return folder;
}

export function* birds(count = BIRDS) {
  for (let i = 0; i < count; i++) yield { partitionKey: `${i % 3}`, rowKey: `${i}`, i };
}

/** Two tables of the account at the address. */
export async function fillRemote(url: string, birdCount = BIRDS): Promise<void> {
  const account = at(url);
  for (const name of ['Pets', 'Birds']) await account.createTable(name);
  await account.tableClient('Pets').createEntity({ partitionKey: 'p', rowKey: '1', ...ALL_TYPES });
  const actions = [...birds(birdCount)].map((bird) => ['upsert', bird, 'Replace'] as const);
  await account.tableClient('Birds').submitTransaction(actions as never, { split: true });
}

/** Whether a request sends rows. */
export const isBatch = (path: string) => /\/\$batch\?/.test(path);

/** The file of an archive of the account in a folder. */
export async function archiveOf(folder: string): Promise<string> {
  const file = join(newFolder(), 'backup.jsonl');
  await inFolder(folder, async (account) => {
    await pipeline(Readable.fromWeb(exportAll(account) as never), createWriteStream(file));
  });
  return file;
}

/** Refuses the first operation of a transaction. */
export const TOO_LARGE: Answer = {
  status: 202,
  headers: { 'content-type': 'multipart/mixed; boundary=batch_1' },
  body: Buffer.from(
    [
      '--batch_1',
      'Content-Type: multipart/mixed; boundary=changeset_1',
      '',
      '--changeset_1',
      'Content-Type: application/http',
      'Content-Transfer-Encoding: binary',
      '',
      'HTTP/1.1 400 Bad Request',
      'Content-Type: application/json;odata=minimalmetadata',
      '',
      JSON.stringify({
        'odata.error': {
          code: 'PropertyValueTooLarge',
          message: { lang: 'en-US', value: '0:It is too large.\nRequestId:1\nTime:2024' },
        },
      }),
      '--changeset_1--',
      '--batch_1--',
      '',
    ].join('\r\n'),
  ),
};
