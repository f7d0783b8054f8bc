/**
 * Connection strings of the service.
 *
 * Source: auth of the spec, 5.10 and 5.11.
 *
 * @module
 */

import { shown } from '../base/shown.js';
import type { AccountOptions } from '../client/open-account.js';
import { DEVELOPMENT_ACCOUNT } from './development-account.js';

/** The parts of a connection string. */
export interface Connection {
  readonly account: string;
  /** The address of the account's tables, without a slash at the end. */
  readonly baseUrl: string;
  /** In Base64; undefined if there is a signature instead. */
  readonly key?: string | undefined;
  /** A shared access signature, without a question mark. */
  readonly sas?: string | undefined;
}

/** Options of `fromConnectionString()`. */
export type ConnectionOptions = Omit<AccountOptions, 'name' | 'baseUrl'>;

/**
 * Reads a connection string. Names of parts count in any case; parts that are not about tables are
 * ignored.
 *
 * @throws a `TypeError`, if the text is no connection string, or has no account, or neither a key
 * nor a signature.
 */
export function parseConnectionString(text: string): Connection {
  if (typeof text !== 'string') refuse(`it is ${shown(text)}, not a string`);
  const parts = partsOf(text);
  if (parts.get('usedevelopmentstorage')?.toLowerCase() === 'true') return DEVELOPMENT_ACCOUNT;
  const key = parts.get('accountkey');
  const sas = parts.get('sharedaccesssignature')?.replace(/^\?/, '');
  const name = parts.get('accountname');
  const baseUrl = (parts.get('tableendpoint') ?? endpointOf(parts, name)).replace(/\/+$/, '');
  const account = name ?? accountIn(baseUrl);
  if (!account || !(key || sas)) refuse('it names no account, or neither key nor signature');
  return { account, baseUrl, ...(key ? { key } : { sas }) };
}

/**
 * The options of the account that a connection string names.
 *
 * @internal
 * @throws a `TypeError` of {@link parseConnectionString}, or for an option that the text has
 * already.
 */
export function optionsOf(text: string, options: ConnectionOptions): AccountOptions {
  const { account: name, baseUrl } = parseConnectionString(text);
  for (const option of ['name', 'baseUrl']) {
    if (options && option in options) {
      throw new TypeError(`fromConnectionString has no option ${option}: the text has it.`);
    }
  }
  return { ...options, name, baseUrl };
}

function partsOf(text: string): Map<string, string> {
  const parts = new Map<string, string>();
  for (const pair of text.split(';')) {
    if (!pair.trim()) continue;
    const [name = '', value] = pair.split(/=(.*)/s, 2);
    if (!value) refuse('its parts are Name=Value');
    parts.set(name.trim().toLowerCase(), value.trim());
  }
  return parts;
}

function endpointOf(parts: ReadonlyMap<string, string>, name: string | undefined): string {
  const protocol = parts.get('defaultendpointsprotocol') ?? 'https';
  const suffix = parts.get('endpointsuffix') ?? 'core.windows.net';
  return `${protocol}://${name ?? ''}.table.${suffix}`;
}

// The account in an address: its path, or else the first part of its host.
function accountIn(baseUrl: string): string | undefined {
  const [, host = '', path = ''] = /^https?:\/\/([^/?#]+)\/?([^/?#]*)$/.exec(baseUrl) ?? [];
  return path || host.split('.')[0];
}

function refuse(why: string): never {
  throw new TypeError(`This is no connection string: ${why}.`);
}
