/**
 * The storage account of a command: its address and its credential. The names of the environment
 * are those of the command line of Azure.
 *
 * @module
 */

import { isTableError } from '../../base/errors.js';
import { keyBytes } from '../../http/auth/signature.js';
import { parseConnectionString } from '../../http/connection-string.js';
import { addressOf } from '../../remote/address.js';
import { checkCredential } from '../../remote/credentials.js';
import { UsageError } from '../line/options.js';

/** Options of `remoteAccount()`. */
export interface AccountPlace {
  /** Without a query, and without a slash at the end. */
  readonly url: string;
  readonly account?: string | undefined;
  readonly key?: string | undefined;
  readonly sas?: string | undefined;
}

/** Whether a word is an address, and no folder. */
export const isAddress = (text: string | undefined): boolean => /^https?:/i.test(text ?? '');

/** The variables of a process. */
export type Environment = Readonly<Record<string, string | undefined>>;

const CONNECTION = 'AZURE_STORAGE_CONNECTION_STRING';
const ACCOUNT = 'AZURE_STORAGE_ACCOUNT';
const KEY = 'AZURE_STORAGE_KEY';
const SAS = 'AZURE_STORAGE_SAS_TOKEN';

/**
 * Takes the first credential that is given: a signature in the address, then the connection string,
 * the key and the signature of the environment. Without any of them, requests have no credential.
 *
 * @param url - undefined: the connection string has the address.
 * @param wanted - what to give instead of a connection string, for an error.
 * @throws {@link UsageError}; no message shows a credential.
 */
export function placeOf(
  url: string | undefined,
  environment: Environment,
  wanted = '--at, with the address of a storage account',
): AccountPlace {
  const text = environment[CONNECTION];
  if (url === undefined) {
    if (!text) throw new UsageError(`give ${wanted}, or set ${CONNECTION}`);
    return ofConnection(text);
  }
  const { base, query, account } = addressIn('URL', url);
  if (query) return { url: base, sas: checked('URL', query) };
  if (text) {
    const place = ofConnection(text);
    if (place.url === base) return place;
    throw new UsageError(`${CONNECTION} is for ${place.url}, and the command line names ${base}`);
  }
  const { [KEY]: key, [SAS]: sas, [ACCOUNT]: name = account } = environment;
  if (key) return withKey(base, name, key);
  return sas ? { url: base, sas: checked(SAS, sas) } : { url: base };
}

/** Whether an error may come from the credential. */
export const isRefusal = (error: unknown): boolean =>
  isTableError(error) &&
  [401, 403, 404].includes(error.statusCode) &&
  error.code !== 'TableNotFound';

/** What to say of a refusal if requests have no credential; empty otherwise. */
export function credentialHint({ key, sas }: AccountPlace, error: unknown): string {
  if (!isRefusal(error) || (key ?? sas) !== undefined) return '';
  return (
    ` The command has no credential: set ${CONNECTION}, ${KEY} or ${SAS}, or give the address ` +
    'with a shared access signature.'
  );
}

function ofConnection(text: string): AccountPlace {
  let parts: ReturnType<typeof parseConnectionString>;
  try {
    parts = parseConnectionString(text);
  } catch {
    throw new UsageError(`${CONNECTION} is not a connection string`);
  }
  const { account, baseUrl, key, sas } = parts;
  const { base } = addressIn(CONNECTION, baseUrl);
  if (key !== undefined) return withKey(base, account, key, CONNECTION);
  return { url: base, sas: checked(CONNECTION, sas ?? '') };
}

function withKey(url: string, account: string | undefined, key: string, name = KEY): AccountPlace {
  if (!/^[\w-]+$/.test(account ?? '')) {
    throw new UsageError(`${ACCOUNT} must be the name of the account that the key belongs to`);
  }
  try {
    keyBytes(key);
  } catch {
    throw new UsageError(`the key in ${name} is not Base64`);
  }
  return { url, account, key };
}

function addressIn(name: string, url: string) {
  try {
    return addressOf(url);
  } catch {
    const example = 'such as https://contoso.table.core.windows.net';
    throw new UsageError(`${name} needs the address of an account, ${example}`);
  }
}

function checked(name: string, sas: string): string {
  try {
    checkCredential(sas);
    return sas;
  } catch {
    throw new UsageError(
      `the shared access signature in ${name} has characters that are not allowed in one`,
    );
  }
}
