/**
 * The options of a remote account.
 *
 * @module
 */

import { invalidInput } from '../base/errors.js';
import { checkedOptions, type KindsOf } from '../base/options.js';
import { shown } from '../base/shown.js';
import { addressOf, type Address } from './address.js';
import {
  checkCredential,
  NO_CREDENTIALS,
  SharedKey,
  TextCredentials,
  withSas,
  withToken,
  type Credentials,
} from './credentials.js';
import { send } from './exchange.js';
import type { RemoteAccountOptions } from './models.js';
import { RemoteTransport } from './transport.js';

const ACCOUNT = {
  url: 'any',
  sas: 'any',
  token: 'any',
  key: 'string',
  account: 'string',
  fetch: 'function',
  retries: 'number',
  validator: 'any',
} as const satisfies KindsOf<RemoteAccountOptions>;

const MOST_RETRIES = 10;

/**
 * Makes the way to a remote account.
 *
 * @param owner - the function whose options these are.
 * @throws {@link TableError} see `remoteAccount`.
 */
export function openRemote(owner: string, options: RemoteAccountOptions) {
  const checked = checkedOptions(owner, options ?? {}, ACCOUNT);
  const { url, retries = 3, validator, fetch = send } = checked;
  if (!(Number.isInteger(retries) && retries >= 0 && retries <= MOST_RETRIES)) {
    const what = `an integer from 0 to ${MOST_RETRIES}, not ${retries}`;
    throw invalidInput(`The option retries of ${owner} must be ${what}.`);
  }
  const address = addressOf(url);
  const { base } = address;
  const credentials = credentialsOf(checked, address);
  return { transport: new RemoteTransport({ base, credentials, fetch }), retries, validator };
}

function credentialsOf(options: RemoteAccountOptions, address: Address): Credentials {
  const { sas = address.query || undefined, token, key } = options;
  const { account = address.account } = options;
  const given = [sas, token, key].filter((one) => one !== undefined);
  if (given.length > 1 || (address.query && options.sas !== undefined)) {
    throw invalidInput('remoteAccount takes one of the options sas, token and key.');
  }
  const [credential] = given;
  if (credential === undefined) return NO_CREDENTIALS;
  if (typeof credential !== 'function') checkCredential(credential);
  if (key !== undefined) return sharedKey(account, key);
  if (sas !== undefined) return new TextCredentials(sas, withSas);
  if (!address.isPrivate) {
    throw invalidInput('remoteAccount sends no token to an address that begins with http:.');
  }
  return new TextCredentials(token!, withToken);
}

function sharedKey(account: string | undefined, key: string): SharedKey {
  if (account === undefined || !/^[\w-]+$/.test(account)) {
    const why = account === undefined ? 'the address names no account' : `not ${shown(account)}`;
    throw invalidInput(`With key, remoteAccount needs the name of the account as account: ${why}.`);
  }
  try {
    return new SharedKey(account, key);
  } catch (cause) {
    throw invalidInput('The option key of remoteAccount must be Base64.', cause);
  }
}
