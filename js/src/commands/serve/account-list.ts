/**
 * The accounts of the environment, in the form of the emulator: `name1:key1:key2;name2:key1`.
 *
 * @module
 */

import { keyBytes } from '../../http/auth/signature.js';
import { isAccountName, type ServerAccount } from '../../server/server-options.js';
import { UsageError } from '../line/options.js';

/** The variable that has them. */
export const ACCOUNTS_VARIABLE = 'AZURITE_ACCOUNTS';

/**
 * Reads the variable.
 *
 * @throws {@link UsageError}. Its message shows no key.
 */
export function parseAccounts(text: string): ServerAccount[] {
  const accounts = text
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map(accountOf);
  if (accounts.length === 0) refuse('names no account');
  const names = accounts.map(({ name }) => name);
  if (new Set(names).size < names.length) refuse('names an account twice');
  return accounts;
}

function accountOf(text: string): ServerAccount {
  const [name = '', ...keys] = text.split(':');
  if (keys.length < 1 || keys.length > 2) {
    refuse('takes accounts as name:key or name:key1:key2, with ";" between');
  }
  if (!isAccountName(name)) refuse('names accounts by 3 to 24 lower-case letters and digits');
  try {
    keys.forEach(keyBytes);
  } catch {
    refuse('has a key that is not Base64');
  }
  return { name, keys };
}

function refuse(why: string): never {
  throw new UsageError(`${ACCOUNTS_VARIABLE} ${why}`);
}
