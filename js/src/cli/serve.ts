/**
 * An account behind a port, from the command line to its end.
 *
 * @module
 */

import { createHmac } from 'node:crypto';
import type { AddressInfo } from 'node:net';

import { loadServerModule } from '../core/load-server.js';
import { createTableExchange, type TableExchange } from '../http.js';
import { openWith } from '../open.js';
import { fileStorage } from '../storage/file.js';
import { memoryStorage } from '../storage/memory.js';
import { EMULATOR_KEY, type ServeArguments } from './arguments.js';
import { hostCheckFor, isLoopback } from './hosts.js';
import { importAzurite } from './import-azurite.js';
import { closeServer, createTableServer } from './server.js';

/** A server that listens. */
export interface RunningServer {
  /** The account's address, without a slash at the end. */
  readonly url: string;
  /** Shows only the emulator's key, which is public. */
  readonly connectionString: string;
  /** Waits for what is under way, and lets go of the storage. */
  close(): Promise<void>;
}

/**
 * Starts to listen, then opens the account, whose address has the port.
 *
 * @throws what Node reports, if the port cannot be had; {@link TableError} `StorageUnavailable` or
 * `StorageDamaged`, if the folder cannot be used; an `Error`, if the emulator's file cannot be taken over.
 */
export async function startServer(
  options: ServeArguments,
  print: (line: string) => void,
): Promise<RunningServer> {
  const { host, account: name, key, azuriteFile, isLoose, isQuiet } = options;
  let open!: (exchange: TableExchange) => void;
  const exchange = new Promise<TableExchange>((resolve) => (open = resolve));
  const server = createTableServer({
    exchange: () => exchange,
    log: isQuiet ? undefined : print,
    allowsHost: hostCheckFor(host, options.allowedHosts),
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, host, () => resolve());
  });
  const url = `http://${hostIn(host)}:${(server.address() as AddressInfo).port}/${name}`;
  const storage = storageFor(options);
  try {
    const account = await openWith(loadServerModule, { storage, name, baseUrl: url });
    if (azuriteFile !== undefined) {
      await importAzurite(account, { file: azuriteFile, name }, print).catch((error: unknown) =>
        account.close().then(() => Promise.reject(error)),
      );
    }
    const authentication = isLoose ? 'anonymous' : { account: name, keys: [key], hmacSha256 };
    open(createTableExchange(account, { authentication }));
    return {
      url,
      connectionString: connectionString(options, url),
      async close() {
        await closeServer(server);
        await account.close();
      },
    };
  } catch (error) {
    server.closeAllConnections();
    server.close();
    throw error;
  }
}

function connectionString({ account, key }: ServeArguments, url: string): string {
  const shown = key === EMULATOR_KEY ? key : '***';
  return `DefaultEndpointsProtocol=http;AccountName=${account};AccountKey=${shown};TableEndpoint=${url};`;
}

/** Warns of a server that other machines can use; undefined: they cannot. */
export function warningOf({ host, key, isLoose }: ServeArguments): string | undefined {
  if (isLoopback(host) || !(isLoose || key === EMULATOR_KEY)) return undefined;
  return isLoose
    ? `every client that reaches ${host} can read and change all data, because of --loose`
    : `every client that reaches ${host} can read and change all data with the emulator's public key; give --account and --key`;
}

function storageFor({ data, isRelaxed }: ServeArguments) {
  if (data === undefined) return memoryStorage();
  return fileStorage(data, { durability: isRelaxed ? 'relaxed' : 'strict' });
}

const hmacSha256 = (key: Uint8Array, text: string) =>
  createHmac('sha256', key).update(text).digest('base64');

const hostIn = (host: string) => (host.includes(':') ? `[${host}]` : host);
