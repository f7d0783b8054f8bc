/**
 * Serves an account on a port, from the command line to the end.
 *
 * @module
 */

import { createHmac } from 'node:crypto';
import type { AddressInfo } from 'node:net';

import { openWith } from '../client/open-account.js';
import { createRawTableHandler } from '../http.js';
import { DEVELOPMENT_ACCOUNT } from '../http/development-account.js';
import type { ServeArguments } from './arguments.js';
import { failureText } from './failure-text.js';
import { hostCheckFor, isLoopback } from './hosts.js';
import { importAzurite } from './import-azurite.js';
import { roomLimits } from './request-room.js';
import { ServedAccount } from './served-account.js';
import { servedStorage } from './served-storage.js';
import { closeServer, createTableServer, listenAt } from './server.js';
import { SERVER_MODULE } from './server-module.js';

// A server stops within five seconds: this long it waits for requests, and then for the storage.
// Requests that do not end in time were not acknowledged.
const REQUESTS_MS = 4_000;
const STORAGE_MS = 750;

/** A server on a port. */
export interface RunningServer {
  /** The address of the account, without a slash at the end. */
  readonly url: string;
  /** It shows only the key of the emulator, which is public. */
  readonly connectionString: string;
  /** Resolves to the reason when the account is lost, and no request can be answered any more. */
  readonly lost: Promise<unknown>;
  /** Waits for requests that have begun, and releases the storage; within five seconds. */
  close(): Promise<void>;
}

/** Where the server prints its lines. */
export interface ServerOutput {
  readonly print: (line: string) => void;
  /** Prints lines that must be seen even with --quiet. */
  readonly warn: (text: string) => void;
}

/**
 * Listens on the port, then opens the account: its address has the port.
 *
 * @throws an `Error`, if the port cannot be used, with the error of Node as its cause;
 * {@link TableError} `StorageUnavailable` or `StorageDamaged`, if the folder cannot be used; an
 * `Error`, if the file of the emulator cannot be imported.
 */
export async function startServer(
  given: ServeArguments,
  output: ServerOutput,
): Promise<RunningServer> {
  const options = { ...given };
  const { print } = output;
  const { host, account: name, isQuiet, maxMemoryBytes } = options;
  let begin!: (served: ServedAccount) => void;
  const begun = new Promise<ServedAccount>((resolve) => (begin = resolve));
  const server = createTableServer({
    handler: async () => (await begun).handler(),
    log: isQuiet ? undefined : print,
    allowsHost: hostCheckFor(host, options.allowedHosts),
    limits: roomLimits(maxMemoryBytes),
  });
  const onError = (error: Error) => print(`The server goes on after an error: ${String(error)}`);
  await listenAt(server, options.port, host, onError).catch((cause: unknown) => {
    throw notListening(options, cause);
  });
  const url = `http://${hostIn(host)}:${(server.address() as AddressInfo).port}/${name}`;
  try {
    const { served, lost, release } = await openServed(options, url, output);
    begin(served);
    return {
      url,
      connectionString: connectionString(options, url),
      lost,
      async close() {
        await closeServer(server, REQUESTS_MS);
        const timeout = new Promise((resolve) => setTimeout(resolve, STORAGE_MS));
        await Promise.race([served.close().then(release), timeout]);
      },
    };
  } catch (error) {
    server.closeAllConnections();
    server.close();
    throw error;
  }
}

function notListening({ host, port }: ServeArguments, cause: unknown): Error {
  const { code } = cause as NodeJS.ErrnoException;
  const remedy = REMEDIES[code ?? ''] ?? 'choose another address with --host, or port with --port';
  return new Error(`the server cannot listen on port ${port} of ${host}: ${remedy}`, { cause });
}

const REMEDIES: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program uses it; end that, or choose another port with --port',
  EACCES: 'this needs more rights; choose another port with --port',
  EADDRNOTAVAIL: 'this machine does not have the address; choose another one with --host',
  ENOTFOUND: 'the name is not known; choose another address with --host',
};

interface Opened {
  readonly served: ServedAccount;
  readonly lost: Promise<unknown>;
  /** Called after the account was closed. */
  readonly release: () => Promise<void>;
}

// Opens the account, imports the file of the emulator, and makes the handler.
async function openServed(
  options: ServeArguments,
  url: string,
  { print, warn }: ServerOutput,
): Promise<Opened> {
  const { account: name, key, azuriteFile, isLoose, maxMemoryBytes, postgres } = options;
  const storage = await servedStorage(options, (problem) => warn(failureText(problem)));
  const open = () =>
    openWith(SERVER_MODULE, { storage: storage.make(), name, baseUrl: url, maxMemoryBytes });
  const authentication = isLoose ? 'anonymous' : { account: name, keys: [key], hmacSha256 };
  // Other processes may serve the same account.
  const fresh = postgres !== undefined;
  let lose!: (reason: unknown) => void;
  const lost = new Promise<unknown>((resolve) => (lose = resolve));
  try {
    const account = await open();
    if (azuriteFile !== undefined) {
      await importAzurite(account, { file: azuriteFile, name }, print).catch((error: unknown) =>
        account.close().then(() => Promise.reject(error)),
      );
    }
    const served = new ServedAccount(account, {
      open,
      handlerFor: (opened) =>
        createRawTableHandler(
          opened,
          { authentication, fresh },
          { isPatient: true, reopens: true },
        ),
      onReopened: ({ cause }) => print(`The account was opened again: ${String(cause)}`),
      onLost: lose,
    });
    return { served, lost, release: () => storage.end() };
  } catch (error) {
    await storage.end();
    throw error;
  }
}

function connectionString({ account, key }: ServeArguments, url: string): string {
  const shown = key === DEVELOPMENT_ACCOUNT.key ? key : '***';
  return `DefaultEndpointsProtocol=http;AccountName=${account};AccountKey=${shown};TableEndpoint=${url};`;
}

/** The warning for a server that other machines can reach; undefined: they cannot. */
export function warningOf({ host, key, isLoose }: ServeArguments): string | undefined {
  if (isLoopback(host) || !(isLoose || key === DEVELOPMENT_ACCOUNT.key)) return undefined;
  return isLoose
    ? `every client that reaches ${host} can read and change all data, because of --loose`
    : `every client that reaches ${host} can read and change all data with the emulator's public key; ` +
        'give --account and --key';
}

const hmacSha256 = (key: Uint8Array, text: string) =>
  createHmac('sha256', key).update(text).digest('base64');

const hostIn = (host: string) => (host.includes(':') ? `[${host}]` : host);
