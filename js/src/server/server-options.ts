/**
 * The options of a server, and their rules.
 *
 * @module
 */

import { isBytes, isObject } from '../base/kinds.js';
import { checkedOptions, typeError } from '../base/options.js';
import { shown } from '../base/shown.js';
import { keyBytes } from '../http/auth/signature.js';
import { DEVELOPMENT_ACCOUNT } from '../http/development-account.js';
import type { Durability } from '../storage/page-storage.js';
import type { ServedRequest } from './log.js';

/** An account of a server. */
export interface ServerAccount {
  /** 3 to 24 lower-case letters and digits. It is the first part of the path of its address. */
  readonly name: string;
  /** One or two keys in Base64; either is accepted. */
  readonly keys: readonly string[];
}

/** The certificate of a server, with its key: two texts in PEM, or the bytes of a PFX file. */
export type Certificate =
  | { readonly cert: string; readonly key: string }
  | { readonly pfx: Uint8Array; readonly passphrase?: string | undefined };

/** Options of {@link startServer}. */
export interface ServerOptions {
  /** The port to listen on. By default 0: any free one. */
  readonly port?: number | undefined;

  /** The address to listen on. By default 127.0.0.1, which only this machine reaches. */
  readonly host?: string | undefined;

  /**
   * Host names to answer to, beside those of this machine. Others are refused with 421. By default
   * none on a loopback address, and all elsewhere.
   */
  readonly allowedHosts?: readonly string[] | undefined;

  /**
   * Whether a host may name the account, as at the service: `ACCOUNT.table.HOST`, and
   * `ACCOUNT-secondary.table.HOST`. True by default. The path then does not have it.
   */
  readonly accountInHost?: boolean | undefined;

  /** By default the account of the emulator, which `UseDevelopmentStorage=true` means. */
  readonly accounts?: readonly ServerAccount[] | undefined;

  /**
   * Which requests are allowed. By default `keys`: those with a signature by a key of their
   * account. With `anonymous`, all of them.
   */
  readonly authentication?: 'keys' | 'anonymous' | undefined;

  /**
   * With `basic`, bearer tokens are accepted, too. Their audience, issuer and times are checked as
   * the emulator does, not their signature, so anybody can make one. It needs a certificate.
   */
  readonly oauth?: 'basic' | undefined;

  /** With it, the server speaks HTTPS. */
  readonly certificate?: Certificate | undefined;

  /**
   * The folder to keep the account in. Each of several accounts has a folder of its name in it. By
   * default, accounts are in memory, and end with the server.
   */
  readonly data?: string | undefined;

  /**
   * The address of a PostgreSQL database to keep the accounts in:
   * `postgres://user:password@host:port/database`. Several servers may share it.
   */
  readonly postgres?: string | undefined;

  /**
   * With `postgres`: how many connections the server opens at most, for all accounts; 1 to 1000. By
   * default 10. One of several is for hints.
   */
  readonly postgresConnections?: number | undefined;

  /**
   * Whether the server has a page with its tables, at `/-/explorer`. On a loopback address, the
   * page opens the account of the emulator by its public key. It asks for a signature of any other
   * one.
   */
  readonly explorer?: boolean | undefined;

  /** With `data`. By default `strict`; see `docs/concepts/durability.md`. */
  readonly durability?: Durability | undefined;

  /**
   * In memory: the most bytes that each account stores; beyond that, writes fail with
   * `StorageQuotaExceeded` (507). By default, all accounts together may have a quarter of the
   * memory of the machine or its container, and at most half of what is free at the start.
   */
  readonly maxBytes?: number | undefined;

  /** How many bytes of memory the module of each account may have: 64 MiB to 4 GiB, the default. */
  readonly maxMemoryBytes?: number | undefined;

  /**
   * The file of the emulator, `__azurite_db_table__.json`, whose tables are imported first: for
   * each account those that the file has for it.
   */
  readonly azuriteFile?: string | undefined;

  /**
   * Takes each request that has ended: the line of the log, and what the line is made of.
   * Signatures are masked.
   */
  readonly onRequest?: ((line: string, request: ServedRequest) => void) | undefined;

  /** Takes a line about what happens beside requests: an import, or an error that was mended. */
  readonly onNotice?: ((line: string) => void) | undefined;

  /** Takes a line about what somebody should see to: open access, or a write that was cut off. */
  readonly onWarning?: ((line: string) => void) | undefined;
}

/** The options with their defaults. */
export interface CheckedServer extends ServerOptions {
  readonly port: number;
  readonly host: string;
  readonly allowedHosts: readonly string[];
  readonly accountInHost: boolean;
  readonly accounts: readonly ServerAccount[];
  readonly onNotice: (line: string) => void;
  readonly onWarning: (line: string) => void;
}

/** The rule for names of accounts. */
export const isAccountName = (name: string) => /^[a-z0-9]{3,24}$/.test(name);

/** Whether this can be the address of a database. */
export const isPostgresUrl = (url: string) => /^postgres(ql)?:\/\/./.test(url) && URL.canParse(url);

/**
 * Checks the options, and adds the defaults.
 *
 * @throws a `TypeError`, with the name of the option.
 */
export function checkedServer(given: ServerOptions): CheckedServer {
  const options = checkedOptions('startServer', given, KINDS, typeError);
  const { port = 0, host = '127.0.0.1', allowedHosts = [], accounts = [EMULATOR] } = options;
  const {
    accountInHost = true,
    authentication = 'keys',
    oauth,
    certificate,
    data,
    postgres,
    durability,
  } = options;
  const { postgresConnections, maxBytes, maxMemoryBytes, azuriteFile, explorer } = options;
  const { onRequest, onNotice = () => {}, onWarning = () => {} } = options;
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    refuse('port', `must be an integer from 0 to 65535, not ${port}`);
  }
  // Node would listen on all addresses.
  if (host === '') refuse('host', 'must not be empty');
  if (oauth && !certificate) refuse('oauth', 'needs a certificate: tokens are for HTTPS');
  if (oauth && authentication === 'anonymous') {
    refuse('oauth', "has no effect where authentication is 'anonymous'");
  }
  checkPlace({ data, postgres, postgresConnections, durability, maxBytes });
  if (certificate) checkCertificate(certificate);
  checkAccounts(accounts);
  return {
    ...{ port, host, allowedHosts, accountInHost, accounts, authentication, oauth, certificate },
    ...{ data, postgres, postgresConnections, durability, maxBytes, maxMemoryBytes, azuriteFile },
    ...{ explorer, onRequest, onNotice, onWarning },
  };
}

const KINDS = {
  port: 'number',
  host: 'string',
  allowedHosts: 'strings',
  accountInHost: 'boolean',
  accounts: [{ name: 'string', keys: 'strings' }],
  authentication: ['keys', 'anonymous'],
  oauth: ['basic'],
  certificate: 'any',
  data: 'string',
  postgres: 'string',
  postgresConnections: 'number',
  explorer: 'boolean',
  durability: ['strict', 'relaxed'],
  maxBytes: 'bytes',
  maxMemoryBytes: 'bytes',
  azuriteFile: 'string',
  onRequest: 'function',
  onNotice: 'function',
  onWarning: 'function',
} as const;

const EMULATOR: ServerAccount = {
  name: DEVELOPMENT_ACCOUNT.account,
  keys: [DEVELOPMENT_ACCOUNT.key],
};

/** Whether a pool may have so many connections. */
export const isConnectionCount = (count: number) =>
  Number.isInteger(count) && count >= 1 && count <= MOST_CONNECTIONS;
export const MOST_CONNECTIONS = 1000;

function checkPlace(options: ServerOptions): void {
  const { data, postgres, postgresConnections: connections, durability, maxBytes } = options;
  if (data !== undefined && postgres !== undefined) {
    throw new TypeError('startServer takes one of the options data and postgres, not both.');
  }
  if (durability !== undefined && data === undefined) refuse('durability', 'goes with data');
  if (maxBytes !== undefined && (data ?? postgres) !== undefined) {
    refuse('maxBytes', 'is for accounts in memory, not for data and postgres');
  }
  if (connections !== undefined && postgres === undefined) {
    refuse('postgresConnections', 'goes with postgres');
  }
  if (connections !== undefined && !isConnectionCount(connections)) {
    refuse('postgresConnections', `must be an integer from 1 to ${MOST_CONNECTIONS}`);
  }
  // The message does not show the address: it may have a password.
  if (postgres !== undefined && !isPostgresUrl(postgres)) {
    refuse('postgres', 'must be an address such as postgres://user@host:5432/database');
  }
}

function checkCertificate(certificate: unknown): void {
  const parts = Object.entries(isObject(certificate) ? certificate : {})
    .filter(([, part]) => part !== undefined)
    .map(([name, part]) => `${name} ${isBytes(part) ? 'bytes' : typeof part}`);
  if (CERTIFICATES.includes(parts.sort().join())) return;
  refuse(
    'certificate',
    'must have the texts cert and key, or the bytes pfx and the text passphrase',
  );
}

const CERTIFICATES = ['cert string,key string', 'passphrase string,pfx bytes', 'pfx bytes'];

// The messages do not show a key.
function checkAccounts(accounts: readonly ServerAccount[]): void {
  if (accounts.length === 0) refuse('accounts', 'must not be empty');
  const names = new Set<string>();
  for (const { name = '', keys = [] } of accounts) {
    if (!isAccountName(name)) {
      refuse(
        'accounts',
        `needs names of 3 to 24 lower-case letters and digits, not ${shown(name)}`,
      );
    }
    if (names.has(name)) refuse('accounts', `names ${name} twice`);
    names.add(name);
    if (keys.length < 1 || keys.length > 2) refuse('accounts', `needs one or two keys of ${name}`);
    if (!keys.every(isKey)) refuse('accounts', 'has a key that is not Base64');
  }
}

function isKey(key: string): boolean {
  try {
    return keyBytes(key).length > 0;
  } catch {
    return false;
  }
}

function refuse(option: keyof ServerOptions, why: string): never {
  throw new TypeError(`The option ${option} of startServer ${why}.`);
}
