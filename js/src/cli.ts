#!/usr/bin/env node
/**
 * `entitable serve`: the service on a port of this machine.
 *
 * @module
 */

import { readFileSync } from 'node:fs';
import process from 'node:process';

import { parseArguments, questionIn, USAGE, UsageError } from './cli/arguments.js';
import { failureText } from './cli/failure-text.js';
import { startServer, warningOf } from './cli/serve.js';

const print = (line: string) => void process.stdout.write(`${line}\n`);
const complain = (line: string) => void process.stderr.write(`${line}\n`);
const warn = (text: string) => complain(`warning: ${text}`);

// The program that reads these lines may end first, as `head` does. The server goes on then.
for (const output of [process.stdout, process.stderr]) output.on('error', () => {});

const words = process.argv.slice(2);
const question = questionIn(words);
if (question === 'help') print(USAGE);
else if (question === 'version') print(version());
else await serve().catch(fail);

async function serve(): Promise<void> {
  const options = parseArguments(words);
  const server = await startServer(options, { print, warn });
  print(`Entitable serves ${options.account} at ${server.url}`);
  print(`kept ${options.data === undefined ? 'in memory' : `in ${options.data}`}`);
  const warning = warningOf(options);
  if (warning !== undefined) warn(warning);
  print(server.connectionString);
  const stop = () => {
    // A second signal ends the process at once.
    process.off('SIGINT', stop).off('SIGTERM', stop);
    server.close().then(() => process.exit(0), fail);
  };
  server.lost.then(fail, fail);
  process.on('SIGINT', stop).on('SIGTERM', stop);
}

// This script is in a folder beside it.
function version(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

function fail(error: unknown): void {
  complain(`error: ${failureText(error)}`);
  if (error instanceof UsageError) complain(`\n${USAGE}`);
  process.exit(1);
}
