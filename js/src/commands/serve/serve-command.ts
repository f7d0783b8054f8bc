/**
 * The command `entitable serve`.
 *
 * @module
 */

import { readFile } from 'node:fs/promises';
import process from 'node:process';

import { DEVELOPMENT_ACCOUNT } from '../../http/development-account.js';
import { startServer, type AccountAddress, type Certificate } from '../../server.js';
import { EXPLORER_PATH } from '../../server/explorer-page.js';
import type { CommandContext } from '../line/command.js';
import { onFirstSignal } from '../line/signals.js';
import { parseArguments, type CertificateFiles, type ServeArguments } from './serve-arguments.js';
import { ServerLog } from './server-log.js';

/** Serves until a signal comes, or an account is lost. */
export async function serve(
  words: readonly string[],
  { environment }: CommandContext,
): Promise<number> {
  const { logFormat, ...given } = parseArguments(words, environment);
  const log = new ServerLog(logFormat, process);
  let code = 0;
  try {
    await serveWith(given, log);
  } catch (error) {
    log.failure(error);
    code = 1;
  }
  // A reader that does not read would keep the process for ever.
  if (!(await log.end())) process.exit(code);
  return code;
}

async function serveWith(given: Omit<ServeArguments, 'logFormat'>, log: ServerLog): Promise<void> {
  const { certificateFiles, isQuiet, withoutEffect, ...options } = given;
  if (withoutEffect.length > 0) log.notice(`without effect here: ${withoutEffect.join(', ')}`);
  const server = await startServer({
    ...options,
    certificate: certificateFiles && (await certificateOf(certificateFiles)),
    onRequest: isQuiet ? undefined : log.request,
    onNotice: log.notice,
    onWarning: log.warning,
  });
  // Before the lines are printed, because a program that reads them may end this one at once.
  const stopped = new Promise<void>((resolve) => onFirstSignal(() => resolve()));
  log.ready({
    origin: new URL(server.url).origin,
    accounts: server.accounts,
    kept: placeOf(options),
    explorer: options.explorer ? `${new URL(server.url).origin}${EXPLORER_PATH}` : undefined,
    connectionStrings: server.accounts.map(shownConnectionString),
  });
  const lost = server.lost.then((reason) => Promise.reject(reason as Error));
  await Promise.race([stopped, lost]);
  await server.close();
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
