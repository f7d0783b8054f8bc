/**
 * The accounts of a Worker that are in a secret.
 *
 * @module
 */

import { shown } from '../base/shown.js';
import type { EdgeEnvironment } from './models.js';

const SECRET = 'ENTITABLE_ACCOUNTS';

/**
 * The keys of an account; undefined, if there is no such account.
 *
 * @throws a `TypeError`, if the secret is missing, or is no list of accounts. Its message does not
 * show a key.
 */
export function keysIn(account: string, env: object): string[] | undefined {
  const text = (env as EdgeEnvironment)[SECRET];
  if (typeof text !== 'string' || text.trim() === '') {
    throw new TypeError(
      `The secret ${SECRET} of the Worker is missing. Set it with wrangler secret put ${SECRET}, ` +
        'as name:key;other:key, or pass the option keys or authorize.',
    );
  }
  for (const part of text.split(';')) {
    const [name, ...keys] = part.trim().split(':');
    if (name === '') continue;
    if (keys.length === 0 || keys.includes('')) {
      throw new TypeError(`The secret ${SECRET} has no key for the account ${shown(name)}.`);
    }
    if (name === account) return keys;
  }
  return undefined;
}
