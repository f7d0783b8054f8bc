/**
 * The account that a command reads: in a folder, or behind the REST API.
 *
 * @module
 */

import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';

import type { TableServiceClient } from '../../client/table-service-client.js';
import { remoteAccount, type RemoteAccount } from '../../remote/account.js';
import { failureText } from '../../server/failure-text.js';
import type { GivenOptions, OptionTable } from '../line/options.js';
import { credentialHint, isAddress, placeOf, type Environment } from './remote-options.js';
import { checkAccountIn, checkIsFolder, openFolder, tablesOf } from './synced-folder.js';

/** What both kinds of accounts can do. */
export type ReadAccount = TableServiceClient | RemoteAccount;

/** The option that names the account. */
export const AT = {
  '--at': {
    value: 'PLACE',
    text: 'the folder of an account, or the address of a storage account',
  },
} as const satisfies OptionTable;

/** The option that says how a filter is read. */
export const DIALECT = {
  '--dialect': {
    value: 'NAME',
    text: 'how the filter is read:',
    choices: {
      service: 'as the service reads it (default)',
      extended:
        'with in, startswith, contains, year, add and more; it needs the folder of an account',
    },
  },
} as const satisfies OptionTable;

/** What the option says. */
export const dialectOf = (
  options: GivenOptions<keyof typeof DIALECT>,
): keyof (typeof DIALECT)['--dialect']['choices'] | undefined =>
  options.get('--dialect') as 'service' | 'extended' | undefined;

/** What the usage of a command says about the credential. */
export const CREDENTIAL_NOTE =
  'The credential of a storage account comes from the environment: ' +
  'AZURE_STORAGE_CONNECTION_STRING, or AZURE_STORAGE_KEY (with AZURE_STORAGE_ACCOUNT, if the ' +
  'address does not name the account), or AZURE_STORAGE_SAS_TOKEN. With a connection string, --at ' +
  'may be left out.';

/**
 * Opens an account for the length of some work.
 *
 * @param at - a folder or an address; undefined: the environment has the address.
 * @param option - the one that takes it, for an error.
 * @throws `UsageError`; an `Error`, if the folder has no account; {@link TableError} as
 * `openFolder()`; what `work` throws.
 */
export async function withAccount<T>(
  at: string | undefined,
  environment: Environment,
  work: (account: ReadAccount) => Promise<T>,
  option = '--at',
): Promise<T> {
  if (at === undefined || isAddress(at)) {
    const wanted = `${option}, with a folder or the address of a storage account`;
    const place = placeOf(at, environment, wanted);
    return await work(remoteAccount(place)).catch((error: unknown) => {
      const hint = credentialHint(place, error);
      throw hint ? new Error(`${failureText(error)}${hint}`, { cause: error }) : error;
    });
  }
  await checkAccountIn(at);
  return await inAccount(at, work);
}

/**
 * The same for an account that is created if it is not there: in a new or an empty folder. A new
 * folder is removed again if the work fails before there is a table.
 *
 * @throws as `withAccount()`; an `Error`, if the folder has other files.
 */
export async function withNewAccount<T>(
  at: string | undefined,
  environment: Environment,
  work: (account: ReadAccount) => Promise<T>,
  option = '--at',
): Promise<T> {
  if (at === undefined || isAddress(at)) {
    return await withAccount(at, environment, work, option);
  }
  checkIsFolder(at);
  const isNew = !existsSync(at);
  // A misspelled folder gets no account beside what it has.
  if ((await readdir(at).catch(() => [])).length > 0) await checkAccountIn(at);
  let isEmpty = false;
  const noted = async (account: TableServiceClient) => {
    try {
      return await work(account);
    } catch (error) {
      isEmpty = (await tablesOf(account).catch(() => [''])).length === 0;
      throw error;
    }
  };
  return await inAccount(at, noted).catch(async (error: unknown) => {
    if (isNew && isEmpty) await rm(at, { recursive: true, force: true });
    throw error;
  });
}

/** The same for a folder, without a check. */
export async function inAccount<T>(
  folder: string,
  work: (account: TableServiceClient) => Promise<T>,
): Promise<T> {
  checkIsFolder(folder);
  const account = await openFolder(folder);
  try {
    return await work(account);
  } finally {
    await account.close();
  }
}

/** Whether an account is in a folder. */
export const isLocal = (account: ReadAccount): account is TableServiceClient =>
  'session' in account;

/**
 * An account that can do more than the service.
 *
 * @param wanted - what asks for it.
 * @param advice - what to do for a storage account.
 * @throws an `Error`, if it is behind the REST API.
 */
export function localOnly(
  account: ReadAccount,
  wanted: string,
  advice = 'copy the tables into a folder first, by entitable pull',
): TableServiceClient {
  if (isLocal(account)) return account;
  throw new Error(`a storage account does not support ${wanted}: ${advice}`);
}
