/**
 * The command line of `entitable serve`.
 *
 * @module
 */

import { MIN_MEMORY_BYTES } from '../core/memory.js';
import { keyBytes } from '../http/auth/signature.js';
import { DEVELOPMENT_ACCOUNT } from '../http/development-account.js';
import { readOptions, UsageError, type OptionNames } from './options.js';

/** The options of a server. */
export interface ServeArguments {
  readonly host: string;
  readonly port: number;
  /** Further host names of the server. */
  readonly allowedHosts: readonly string[];
  /** The folder of the account. */
  readonly data: string | undefined;
  /** The address of its database. Without folder and database, the account is in memory. */
  readonly postgres?: string | undefined;
  /** Whether a write may be acknowledged before it is on the disk. */
  readonly isRelaxed: boolean;
  /** The most bytes to store in memory. */
  readonly maxBytes?: number | undefined;
  /** How many bytes of memory the module may have. */
  readonly maxMemoryBytes?: number | undefined;
  readonly account: string;
  readonly key: string;
  /** The file of the emulator whose tables are imported first. */
  readonly azuriteFile: string | undefined;
  /** Whether requests need no signature. */
  readonly isLoose: boolean;
  readonly isQuiet: boolean;
}

export const SERVE_USAGE = `entitable serve --data DIR | --postgres URL | --in-memory [options]

  --data DIR       keep the account in this folder
  --postgres URL   keep it in this PostgreSQL database: postgres://USER@HOST:PORT/DATABASE;
                   several processes may serve it (the password: PGPASSWORD, or in the URL)
  --in-memory      keep it until the server stops
  --max-bytes N    with --in-memory: limit of stored bytes
                   (default: a quarter of the machine's memory)
  --max-memory N   limit of the memory for requests, answers and cached pages together, in bytes
                   (default: 4294967296; at least 67108864)
  --relaxed        with --data: answer before the disk has it, which the loss of power may undo
  --port N         where to listen; 10002 if not given, any free port if 0
  --host ADDRESS   127.0.0.1 if not given, so that only this machine is served
  --allow-host NAMES
                   host names to accept beside this machine's, separated by commas
                   (default: none on 127.0.0.1, all elsewhere)
  --account NAME   the account; that of the emulator if not given
  --key KEY        its key in Base64, which goes with --account
  --import-azurite FILE
                   take over the tables of Azurite's __azurite_db_table__.json first
  --loose          accept requests without a signature
  --quiet          print no line for each request
  --help           print this
  --version        print the version`;

const EMULATOR_PORT = new URL(DEVELOPMENT_ACCOUNT.baseUrl).port;

const NAMES: OptionNames = {
  withValue: [
    ...['--data', '--postgres', '--max-bytes', '--max-memory', '--port', '--host', '--allow-host'],
    ...['--account', '--key', '--import-azurite'],
  ],
  withoutValue: ['--in-memory', '--relaxed', '--loose', '--quiet'],
};

/**
 * @param words - the words after `serve`.
 * @throws {@link UsageError}
 */
export function parseArguments(words: readonly string[]): ServeArguments {
  const options = readOptions(words, NAMES);
  const data = options.get('--data');
  const places = ['--data', '--postgres', '--in-memory'].filter((name) => options.has(name));
  if (places.length !== 1) {
    throw new UsageError('say one of --data DIR, --postgres URL and --in-memory');
  }
  if (options.has('--relaxed') && data === undefined) {
    throw new UsageError('--relaxed goes with --data');
  }
  if (options.has('--max-bytes') && !options.has('--in-memory')) {
    throw new UsageError('--max-bytes goes with --in-memory');
  }
  if (options.has('--account') !== options.has('--key')) {
    throw new UsageError('--account and --key go together');
  }
  return {
    host: options.get('--host') ?? '127.0.0.1',
    port: portOf(options.get('--port') ?? EMULATOR_PORT),
    allowedHosts: hostsOf(options.get('--allow-host')),
    data,
    postgres: postgresOf(options.get('--postgres')),
    isRelaxed: options.has('--relaxed'),
    maxBytes: bytesOf('--max-bytes', options.get('--max-bytes')),
    maxMemoryBytes: bytesOf('--max-memory', options.get('--max-memory'), MIN_MEMORY_BYTES),
    account: accountOf(options.get('--account') ?? DEVELOPMENT_ACCOUNT.account),
    key: keyOf(options.get('--key') ?? DEVELOPMENT_ACCOUNT.key),
    azuriteFile: options.get('--import-azurite'),
    isLoose: options.has('--loose'),
    isQuiet: options.has('--quiet'),
  };
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
  if (url === undefined || (/^postgres(ql)?:\/\/./.test(url) && URL.canParse(url))) return url;
  throw new UsageError('--postgres takes an address such as postgres://user@host:5432/database');
}

function bytesOf(name: string, text: string | undefined, least = 1): number | undefined {
  if (text === undefined) return undefined;
  const bytes = Number(text);
  if (/^\d+$/.test(text) && bytes >= least && bytes <= Number.MAX_SAFE_INTEGER) return bytes;
  throw new UsageError(`${name} takes a number from ${least} to ${Number.MAX_SAFE_INTEGER}`);
}

function accountOf(name: string): string {
  if (/^[a-z0-9]{3,24}$/.test(name)) return name;
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
