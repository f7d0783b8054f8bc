/**
 * The command line of `entitable serve`.
 *
 * @module
 */

import { MIN_MEMORY_BYTES } from '../../core/memory.js';
import { keyBytes } from '../../http/auth/signature.js';
import { DEVELOPMENT_ACCOUNT } from '../../http/development-account.js';
import {
  isAccountName,
  isConnectionCount,
  isPostgresUrl,
  MOST_CONNECTIONS,
  type ServerAccount,
  type ServerOptions,
} from '../../server/server-options.js';
import { readOptions, UsageError, type GivenOptions } from '../line/options.js';
import { ACCOUNTS_VARIABLE, parseAccounts } from './account-list.js';
import { SERVE, WITHOUT_EFFECT } from './serve-usage.js';
import type { LogFormat } from './server-log.js';

/** The files of a certificate: two in PEM, or one in PFX with its password. */
export type CertificateFiles =
  | { readonly cert: string; readonly key: string }
  | { readonly pfx: string; readonly passphrase: string };

/** The options of a server, beside those that the command has in another form. */
export interface ServeArguments extends Omit<
  ServerOptions,
  'certificate' | 'onRequest' | 'onNotice' | 'onWarning'
> {
  readonly certificateFiles: CertificateFiles | undefined;
  readonly logFormat: LogFormat;
  readonly isQuiet: boolean;
  /** Those of the options that change nothing here. */
  readonly withoutEffect: readonly string[];
}

const EMULATORS = ['azurite', 'azurite-table'];
const EMULATOR_PORT = new URL(DEVELOPMENT_ACCOUNT.baseUrl).port;

type GivenServe = GivenOptions<keyof typeof SERVE.options>;

/**
 * Reads the command line of `entitable serve`.
 *
 * @param words - the words after `serve`.
 * @param environment - the variables of the process.
 * @throws {@link UsageError}
 */
export function parseArguments(
  words: readonly string[],
  environment: Readonly<Record<string, string | undefined>> = {},
): ServeArguments {
  const [first = ''] = words;
  // In a container, the command of the emulator comes first.
  const options = readOptions(EMULATORS.includes(first) ? words.slice(1) : words, SERVE.options);
  checkPlaces(options);
  return {
    host: options.get('--host') ?? '127.0.0.1',
    port: portOf(options.get('--port') ?? EMULATOR_PORT),
    allowedHosts: hostsOf(options.get('--allow-host')),
    accountInHost: options.has('--disableProductStyleUrl') ? false : undefined,
    data: options.get('--data'),
    postgres: postgresOf(options.get('--postgres')),
    postgresConnections: connectionsOf(options.get('--postgres-connections')),
    durability: options.has('--relaxed') ? 'relaxed' : undefined,
    maxBytes: bytesOf('--max-bytes', options.get('--max-bytes')),
    maxMemoryBytes: bytesOf('--max-memory', options.get('--max-memory'), MIN_MEMORY_BYTES),
    certificateFiles: certificateOf(options),
    accounts: accountsOf(options, environment[ACCOUNTS_VARIABLE]),
    authentication: options.has('--loose') ? 'anonymous' : 'keys',
    oauth: oauthOf(options),
    azuriteFile: options.get('--import-azurite'),
    explorer: options.has('--explorer') || undefined,
    logFormat: (options.get('--log') ?? 'text') as LogFormat,
    isQuiet: options.has('--quiet'),
    withoutEffect: (Object.keys(WITHOUT_EFFECT) as (keyof typeof WITHOUT_EFFECT)[]).filter((name) =>
      options.has(name),
    ),
  };
}

function checkPlaces(options: GivenServe): void {
  const places = (['--data', '--postgres', '--in-memory'] as const).filter((name) =>
    options.has(name),
  );
  if (places.length !== 1) {
    throw new UsageError('give one of --data DIR, --postgres URL and --in-memory');
  }
  if (options.has('--relaxed') && !options.has('--data')) {
    throw new UsageError('--relaxed goes with --data');
  }
  if (options.has('--max-bytes') && !options.has('--in-memory')) {
    throw new UsageError('--max-bytes goes with --in-memory');
  }
  if (options.has('--postgres-connections') && !options.has('--postgres')) {
    throw new UsageError('--postgres-connections goes with --postgres');
  }
}

// Azurite's --key is the file of a key, and goes with --cert. So that word has two meanings, and
// --cert decides between them.
function certificateOf(options: GivenServe): CertificateFiles | undefined {
  const [cert, key, passphrase] = (['--cert', '--key', '--pwd'] as const).map((name) =>
    options.get(name),
  );
  if (cert === undefined) {
    if (passphrase !== undefined) throw new UsageError('--pwd goes with --cert');
    return undefined;
  }
  if (key !== undefined && passphrase !== undefined) {
    throw new UsageError('--cert takes --key for files in PEM, or --pwd for a PFX file, not both');
  }
  if (key !== undefined) return { cert, key };
  if (passphrase !== undefined) return { pfx: cert, passphrase };
  throw new UsageError(
    '--cert needs --key FILE with its key in PEM, or --pwd PASSWORD of a PFX file',
  );
}

function accountsOf(options: GivenServe, list: string | undefined): readonly ServerAccount[] {
  const name = options.get('--account');
  const isForCertificate = options.has('--cert');
  if (options.has('--key') && options.has('--account-key') && !isForCertificate) {
    throw new UsageError('without --cert, --key and --account-key are the same: give one of them');
  }
  const key = options.get('--account-key') ?? (isForCertificate ? undefined : options.get('--key'));
  if (name !== undefined && key !== undefined)
    return [{ name: accountOf(name), keys: [keyOf(key)] }];
  if (name !== undefined && isForCertificate) {
    throw new UsageError(
      'with --cert, --key is the key of the certificate: give that of the account by --account-key',
    );
  }
  if (name !== undefined) throw new UsageError('--account needs --account-key KEY');
  if (options.has('--account-key')) throw new UsageError('--account-key needs --account NAME');
  if (key !== undefined) throw new UsageError('--key goes with --account NAME or with --cert FILE');
  if (list !== undefined && list !== '') return parseAccounts(list);
  return [{ name: DEVELOPMENT_ACCOUNT.account, keys: [DEVELOPMENT_ACCOUNT.key] }];
}

function oauthOf(options: GivenServe): 'basic' | undefined {
  const level = options.get('--oauth');
  if (level === undefined) return undefined;
  if (level !== 'basic') throw new UsageError('--oauth takes the word basic');
  if (!options.has('--cert')) {
    throw new UsageError('--oauth goes with --cert: tokens are accepted by HTTPS alone');
  }
  if (options.has('--loose')) {
    throw new UsageError(
      '--loose accepts every request, so --oauth has no effect: give one of them',
    );
  }
  return level;
}

function portOf(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535)
    throw new UsageError('--port takes a number from 0 to 65535');
  return port;
}

function hostsOf(list: string | undefined): string[] {
  const names = list === undefined ? [] : list.split(',').map((name) => name.trim());
  const wrong = names.find((name) => !/^[a-z\d._-]+$/i.test(name));
  if (wrong !== undefined)
    throw new UsageError(
      '--allow-host takes names of hosts, with commas between and without ports',
    );
  return names;
}

// The message does not show the address: it may have a password.
function postgresOf(url: string | undefined): string | undefined {
  if (url === undefined || isPostgresUrl(url)) return url;
  throw new UsageError('--postgres takes an address such as postgres://user@host:5432/database');
}

function connectionsOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d+$/.test(text) && isConnectionCount(Number(text))) return Number(text);
  throw new UsageError(`--postgres-connections takes a number from 1 to ${MOST_CONNECTIONS}`);
}

function bytesOf(name: string, text: string | undefined, least = 1): number | undefined {
  if (text === undefined) return undefined;
  const bytes = Number(text);
  if (/^\d+$/.test(text) && bytes >= least && bytes <= Number.MAX_SAFE_INTEGER) return bytes;
  throw new UsageError(`${name} takes a number from ${least} to ${Number.MAX_SAFE_INTEGER}`);
}

function accountOf(name: string): string {
  if (isAccountName(name)) return name;
  throw new UsageError('an account is 3 to 24 lower-case letters and digits');
}

// The message does not show the word: it may be a key with one letter too many.
function keyOf(key: string): string {
  try {
    keyBytes(key);
    return key;
  } catch {
    throw new UsageError('a key is Base64');
  }
}
