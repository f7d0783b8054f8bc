#!/usr/bin/env node
/**
 * The command `entitable`.
 *
 * @module
 */

import process from 'node:process';

import { commandNames, COMMANDS, usage } from './commands/commands.js';
import { questionIn, UsageError } from './commands/line/options.js';
import { outputOn } from './commands/line/terminal.js';
import { version } from './commands/line/version.js';
import { isNoAnswer } from './commands/move/table-move.js';
import { failureText } from './server/failure-text.js';

// As of a program that the signal SIGPIPE ends.
const SIGPIPE_CODE = 141;

const terminal = outputOn(process.stdout, process.stderr);
const { print, complain } = terminal;

// The program that reads these lines may end first, as `head` does. The command goes on then.
for (const output of [process.stdout, process.stderr]) output.on('error', () => {});

const [name = '', ...words] = process.argv.slice(2);
const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
const question = questionIn([name, ...words]);
if (question === 'help') print(usage(name));
else if (question === 'version') print(version());
else exitWith(await run().catch(exitCodeOf));

async function run(): Promise<number> {
  if (name === '') {
    complain(usage(''));
    return 2;
  }
  if (!command) {
    throw new UsageError(`the first word must be one of ${commandNames(name)}`);
  }
  return await command.run(words, terminal);
}

// When all lines are written.
function exitWith(code: number): void {
  process.stdout.write('', () => process.exit(code));
}

function exitCodeOf(error: unknown): number {
  if ((error as Partial<NodeJS.ErrnoException> | undefined)?.code === 'EPIPE') {
    if (command?.onlyPrints) return SIGPIPE_CODE;
    complain('error: the program that reads the output has ended');
    return 1;
  }
  complain(`error: ${failureText(error)}`);
  if (isNoAnswer(error)) complain('the same command goes on from here');
  if (!(error instanceof UsageError)) return 1;
  complain(`See entitable ${command ? `${name} ` : ''}--help`);
  return 2;
}
