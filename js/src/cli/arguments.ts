/**
 * The command line of `entitable serve`.
 *
 * @module
 */

import { MIN_MEMORY_BYTES } from '../core/memory.js';
import { keyBytes } from '../http/auth/signature.js';
import { DEVELOPMENT_ACCOUNT } from '../http/development-account.js';
import { ACCOUNTS_VARIABLE, parseAccounts } from './account-list.js';
import { readOptions, UsageError, type GivenOptions, type OptionNames } from './options.js';
import {
  isAccountName,
  isConnectionCount,
  isPostgresUrl,
  MOST_CONNECTIONS,
  type ServerAccount,
  type ServerOptions,
} from './server-options.js';

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
  readonly isQuiet: boolean;
}

export const SERVE_USAGE = `entitable serve --data DIR | --postgres URL | --in-memory [options]

  --data DIR       keep the account in this folder; each of several has a folder in it
  --postgres URL   keep it in this PostgreSQL database: postgres://USER@HOST:PORT/DATABASE;
                   several processes may serve it (the password: PGPASSWORD, or in the URL)
  --postgres-connections N
                   with --postgres: how many connections this process opens at most (default: 10)
  --in-memory      keep it until the server stops
  --max-bytes N    with --in-memory: limit of stored bytes, of each account
                   (default: a quarter of the machine's memory for all)
  --max-memory N   limit of the memory for requests, answers and cached pages together, in bytes,
                   of each account (default: 4294967296; at least 67108864)
  --relaxed        with --data: answer before the disk has it; a power cut may lose the last writes
  --port N         where to listen; 10002 if not given, any free port if 0
  --host ADDRESS   127.0.0.1 if not given, so that only this machine is served
  --allow-host NAMES
                   host names to accept beside this machine's, separated by commas
                   (default: none on 127.0.0.1, all elsewhere)
  --account NAME   the account; if not given, those of the variable AZURITE_ACCOUNTS
                   (name1:key1:key2;name2:key1), else that of the emulator
  --account-key KEY
                   its key in Base64, which goes with --account; --key without --cert is the same
  --cert FILE      serve HTTPS with this certificate
  --key FILE       with --cert: its key in PEM
  --pwd PASSWORD   with --cert: the password of a PFX file, which has the key
  --oauth basic    with --cert: accept bearer tokens; their signatures are not checked
  --import-azurite FILE
                   take over the tables of Azurite's __azurite_db_table__.json first
  --loose          accept requests without a signature
  --quiet          print no line for each request; the lines of the start and warnings stay
  --help           print this
  --version        print the version

Options of Azurite that mean the same: --location (--data), --inMemoryPersistence (--in-memory),
--tableHost (--host), --tablePort (--port), --silent (--quiet). Without effect, because it is so:
--skipApiVersionCheck, --disableProductStyleUrl, --disableTelemetry.`;

const EMULATOR_PORT = new URL(DEVELOPMENT_ACCOUNT.baseUrl).port;

const NAMES: OptionNames = {
  withValue: [
    ...['--data', '--postgres', '--postgres-connections', '--max-bytes', '--max-memory'],
    ...['--port', '--host', '--allow-host'],
    ...['--account', '--account-key', '--cert', '--key', '--pwd', '--oauth', '--import-azurite'],
  ],
  withoutValue: [
    ...['--in-memory', '--relaxed', '--loose', '--quiet'],
    ...['--skipApiVersionCheck', '--disableProductStyleUrl', '--disableTelemetry'],
  ],
  aliases: {
    '--location': '--data',
    '--inMemoryPersistence': '--in-memory',
    '--tableHost': '--host',
    '--tablePort': '--port',
    '--silent': '--quiet',
  },
};

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
  const options = readOptions(words, NAMES);
  const data = options.get('--data');
  const places = ['--data', '--postgres', '--in-memory'].filter((name) => options.has(name));
  if (places.length !== 1) {
    throw new UsageError('give one of --data DIR, --postgres URL and --in-memory');
  }
  if (options.has('--relaxed') && data === undefined) {
    throw new UsageError('--relaxed goes with --data');
  }
  if (options.has('--max-bytes') && !options.has('--in-memory')) {
    throw new UsageError('--max-bytes goes with --in-memory');
  }
  if (options.has('--postgres-connections') && !options.has('--postgres')) {
    throw new UsageError('--postgres-connections goes with --postgres');
  }
  return {
    host: options.get('--host') ?? '127.0.0.1',
    port: portOf(options.get('--port') ?? EMULATOR_PORT),
    allowedHosts: hostsOf(options.get('--allow-host')),
    data,
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
    isQuiet: options.has('--quiet'),
  };
}

// Azurite's --key is the file of a key, and goes with --cert. So that word has two meanings, and
// --cert decides between them.
function certificateOf(options: GivenOptions): CertificateFiles | undefined {
  const [cert, key, passphrase] = ['--cert', '--key', '--pwd'].map((name) => options.get(name));
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

function accountsOf(options: GivenOptions, list: string | undefined): readonly ServerAccount[] {
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

function oauthOf(options: GivenOptions): 'basic' | undefined {
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
