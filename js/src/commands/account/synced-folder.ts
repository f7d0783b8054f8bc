/**
 * A folder whose tables are synced. A file beside the store says with which storage account: a
 * store does not know, and another account would look like one in which everything was deleted.
 *
 * @module
 */

import { open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { isTableError } from '../../base/errors.js';
import { isObject } from '../../base/kinds.js';
import { openWith } from '../../client/open-account.js';
import type { TableServiceClient } from '../../client/table-service-client.js';
import { SERVER_MODULE } from '../../server/server-module.js';
import { fileStorage } from '../../storage/file.js';
import { STORE_NAME } from '../../storage/file/store-folder.js';
import { SyncSteps } from '../../sync/steps.js';
import { UsageError } from '../line/options.js';

/** What the file says. */
export interface FolderNotes {
  /** The address of the storage account. */
  readonly account?: string | undefined;
  /** The archive that the folder was restored from. */
  readonly archive?: ArchiveStamp | undefined;
}

/** Tells an archive from a later one with the same name. */
export interface ArchiveStamp {
  readonly bytes: number;
  /** In milliseconds since 1970. */
  readonly modified: number;
}

const NOTES = 'entitable.sync.json';

/**
 * Opens the account in a folder. No other process can use the folder until the account is closed.
 *
 * @throws {@link TableError} `StorageUnavailable`, if another process uses it; `StorageDamaged`.
 */
export async function openFolder(folder: string): Promise<TableServiceClient> {
  return await openWith(SERVER_MODULE, { storage: fileStorage(folder) });
}

/**
 * @throws {@link UsageError}, if the word is an address. The message does not show it: it may have
 * a credential.
 */
export function checkIsFolder(word: string): void {
  if (!/^[a-z][a-z\d+.-]+:\/\//i.test(word)) return;
  throw new UsageError(
    'an address is given in the place of a folder; addresses of storage accounts begin with ' +
      'https: or http:, and not every command takes them',
  );
}

/**
 * Checks that there is an account. Otherwise one would be created in a misspelled folder.
 *
 * @throws an `Error`, if there is none; as {@link checkIsFolder}.
 */
export async function checkAccountIn(folder: string): Promise<void> {
  checkIsFolder(folder);
  const names = await namesIn(folder);
  if (names.some((name) => name.startsWith(STORE_NAME))) return;
  throw new Error(
    `there is no account in ${folder}: name a folder that entitable import, pull or serve --data ` +
      'has written',
  );
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOTDIR') {
      throw new Error(`${folder} is a file, and no folder: entitable import reads files`);
    }
    if (code !== 'ENOENT') throw error;
    const hint = ADDRESS_WITHOUT_SCHEME.test(folder)
      ? 'an address begins with https:// or http://'
      : 'entitable import, pull and serve --data create one';
    throw new Error(`there is no folder ${folder}: ${hint}`);
  }
}

const ADDRESS_WITHOUT_SCHEME = /^(localhost|127\.|[\w-]+\.table\.)/i;

/** The names of the tables of an account. */
export async function tablesOf(account: {
  listTables(): AsyncIterable<{ name?: string }>;
}): Promise<string[]> {
  const names: string[] = [];
  for await (const { name = '' } of account.listTables()) names.push(name);
  return names;
}

/** Whether a table is synced; undefined: there is no such table. */
export async function isSynced(
  account: TableServiceClient,
  table: string,
): Promise<boolean | undefined> {
  try {
    await statusOf(account, table);
    return true;
  } catch (error) {
    if (isTableError(error) && error.code === 'TableNotFound') return undefined;
    if (isTableError(error) && error.code === 'InvalidInput') return false;
    throw error;
  }
}

const statusOf = (account: TableServiceClient, table: string) =>
  new SyncSteps(account.session, table).take('status');

/**
 * The notes of a folder; empty, if it has none.
 *
 * @throws an `Error`, if they cannot be read.
 */
export async function readNotes(folder: string): Promise<FolderNotes> {
  let text: string;
  try {
    text = await readFile(join(folder, NOTES), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
  const notes = notesIn(text);
  if (notes) return notes;
  throw new Error(
    `${NOTES} in ${folder} is damaged. End the sync with entitable forget --folder ${folder}`,
  );
}

function notesIn(text: string): FolderNotes | undefined {
  try {
    const notes: unknown = JSON.parse(text);
    return isObject(notes) ? notes : undefined;
  } catch {
    return undefined;
  }
}

/** Writes the notes of a folder. A crash leaves the old ones, or the new ones. */
export async function writeNotes(folder: string, notes: FolderNotes): Promise<void> {
  const path = join(folder, NOTES);
  const text = `${JSON.stringify(notes)}\n`;
  const file = await open(`${path}.new`, 'w');
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(`${path}.new`, path);
}

/**
 * Notes the storage account of a folder.
 *
 * @throws an `Error`, if tables are synced with another one.
 */
export async function bindFolder(
  account: TableServiceClient,
  folder: string,
  url: string,
): Promise<void> {
  const notes = await readNotes(folder);
  if (notes.account === url) return;
  for (const table of await tablesOf(account)) {
    if (!(await isSynced(account, table))) continue;
    // Nothing was received or sent yet. The address may have been a wrong one.
    if ((await statusOf(account, table)).mayCreateTable) continue;
    const other = notes.account ?? 'an account that only a program of yours knows';
    throw new Error(
      `table ${table} in ${folder} is synced with ${other}. Use another folder, or end that sync ` +
        `with entitable forget --folder ${folder}`,
    );
  }
  await writeNotes(folder, { ...notes, account: url });
}

/**
 * Ends the sync of all tables of a folder. Their entities stay.
 *
 * @param report - called for each table that is synced, before its sync ends.
 * @returns the names of the tables, and how many entities the storage account does not have.
 * @throws an `Error`, if there is no account; {@link TableError} as `openFolder()`.
 */
export async function forgetFolder(
  folder: string,
  report: (table: string, steps: SyncSteps) => Promise<void>,
): Promise<{ tables: string[]; unsent: number }> {
  await checkAccountIn(folder);
  const account = await openFolder(folder);
  try {
    const tables: string[] = [];
    let unsent = 0;
    for (const table of await tablesOf(account)) {
      if (!(await isSynced(account, table))) continue;
      const steps = new SyncSteps(account.session, table);
      for (const { rowKeys } of await steps.pendingGroups()) unsent += rowKeys.length;
      await report(table, steps);
      await steps.take('stop', { keepRows: true, discard: true });
      tables.push(table);
    }
    await rm(join(folder, NOTES), { force: true });
    return { tables, unsent };
  } finally {
    await account.close();
  }
}
