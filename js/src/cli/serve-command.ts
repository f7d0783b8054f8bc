/**
 * The command `entitable serve`.
 *
 * @module
 */

import { readFile } from 'node:fs/promises';
import process from 'node:process';

import { DEVELOPMENT_ACCOUNT } from '../http/development-account.js';
import { startServer, type AccountAddress, type Certificate } from '../server.js';
import { parseArguments, type CertificateFiles, type ServeArguments } from './arguments.js';
import type { Output } from './commands.js';
import { onFirstSignal } from './signals.js';

/** Serves until a signal comes, or an account is lost. */
export async function serve(
  words: readonly string[],
  { print, complain }: Output,
): Promise<number> {
  const { certificateFiles, isQuiet, ...options } = parseArguments(words, process.env);
  const server = await startServer({
    ...options,
    certificate: certificateFiles && (await certificateOf(certificateFiles)),
    onRequest: isQuiet ? undefined : print,
    onNotice: print,
    onWarning: (text) => complain(`warning: ${text}`),
  });
  // Before the lines are printed, because a program that reads them may end this one at once.
  const stopped = new Promise<void>((resolve) => onFirstSignal(() => resolve()));
  for (const { name, url } of server.accounts) print(`Entitable serves ${name} at ${url}`);
  print(`kept ${placeOf(options)}`);
  for (const account of server.accounts) print(shownConnectionString(account));
  // Programs wait for this line.
  print(`Entitable is ready at ${new URL(server.url).origin}`);
  const lost = server.lost.then((reason) => Promise.reject(reason as Error));
  await Promise.race([stopped, lost]);
  await server.close();
  return 0;
}

async function certificateOf(files: CertificateFiles): Promise<Certificate> {
  if ('pfx' in files) {
    return { pfx: await read('--cert', files.pfx), passphrase: files.passphrase };
  }
  const [cert, key] = await Promise.all([read('--cert', files.cert), read('--key', files.key)]);
  return { cert: cert.toString(), key: key.toString() };
}

// A key in place of a file is not shown.
function read(option: string, file: string): Promise<Buffer> {
  return readFile(file).catch((error: unknown) => {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(`the file of ${option} cannot be read: ${code}`);
  });
}

// Without a password.
function placeOf({ data, postgres }: Pick<ServeArguments, 'data' | 'postgres'>): string {
  if (postgres === undefined) return data === undefined ? 'in memory' : `in ${data}`;
  const { host, pathname } = new URL(postgres);
  return `in PostgreSQL at ${host}${pathname}`;
}

// Only the key of the emulator, which is public, may be in a log.
function shownConnectionString({ connectionString }: AccountAddress): string {
  if (connectionString.includes(`;AccountKey=${DEVELOPMENT_ACCOUNT.key};`)) return connectionString;
  return connectionString.replace(/;AccountKey=[^;]*/, ';AccountKey=***');
}
