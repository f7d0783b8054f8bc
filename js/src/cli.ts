#!/usr/bin/env node
/**
 * `entitable serve`: the service on a port of this machine.
 *
 * @module
 */

import process from 'node:process';

import { parseArguments, USAGE, UsageError } from './cli/arguments.js';
import { startServer } from './cli/serve.js';

const print = (line: string) => void process.stdout.write(`${line}\n`);

try {
  const options = parseArguments(process.argv.slice(2));
  const server = await startServer(options, print);
  print(`Entitable serves ${options.account} at ${server.url}`);
  print(`kept ${options.data === undefined ? 'in memory' : `in ${options.data}`}`);
  print(server.connectionString);
  const stop = () => {
    // A second signal ends the process at once.
    process.off('SIGINT', stop).off('SIGTERM', stop);
    server.close().then(
      () => process.exit(0),
      (error: unknown) => fail(error),
    );
  };
  process.on('SIGINT', stop).on('SIGTERM', stop);
} catch (error) {
  fail(error);
}

function fail(error: unknown): void {
  const { message, cause } = error as Error;
  const reason = cause instanceof Error ? ` (${cause.message})` : '';
  process.stderr.write(`error: ${message}${reason}\n`);
  if (error instanceof UsageError) process.stderr.write(`\n${USAGE}\n`);
  process.exit(1);
}
