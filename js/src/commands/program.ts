/**
 * The program `entitable`, from its words to its exit code.
 *
 * @module
 */

import { failureText } from '../server/failure-text.js';
import { commandNames, COMMANDS, usage } from './commands.js';
import type { CommandContext, Output } from './line/command.js';
import { questionIn, UsageError } from './line/options.js';
import { version } from './line/version.js';
import { isNoAnswer } from './move/table-move.js';

// As of a program that the signal SIGPIPE ends.
const SIGPIPE_CODE = 141;

/**
 * Runs the program. What it fails of is said.
 *
 * @param words - those of the command line.
 * @returns the exit code.
 */
export async function runProgram(
  words: readonly string[],
  context: CommandContext,
): Promise<number> {
  const [name = '', ...others] = words;
  const question = questionIn(words);
  if (question !== undefined) {
    context.print(question === 'help' ? usage(name) : version());
    return 0;
  }
  if (name === '') {
    context.complain(usage(''));
    return 2;
  }
  const isKnown = Object.hasOwn(COMMANDS, name);
  try {
    if (isKnown) return await COMMANDS[name]!.run(others, context);
    throw new UsageError(`the first word must be one of ${commandNames(name)}`);
  } catch (error) {
    return exitCodeOf(error, isKnown ? name : undefined, context);
  }
}

// Without a name, there is no such command.
function exitCodeOf(error: unknown, name: string | undefined, { complain }: Output): number {
  if ((error as Partial<NodeJS.ErrnoException> | undefined)?.code === 'EPIPE') {
    if (name !== undefined && COMMANDS[name]!.onlyPrints) return SIGPIPE_CODE;
    complain('error: the program that reads the output has ended');
    return 1;
  }
  complain(`error: ${failureText(error)}`);
  if (isNoAnswer(error)) complain('the same command goes on from here');
  if (!(error instanceof UsageError)) return 1;
  complain(`See entitable ${name === undefined ? '' : `${name} `}--help`);
  return 2;
}
