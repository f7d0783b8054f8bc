/**
 * The commands, each with its usage.
 *
 * @module
 */

import { stat } from 'node:fs/promises';
import process from 'node:process';

import { SERVE_USAGE } from './arguments.js';
import { interruptible } from './interruptible.js';
import { move } from './move.js';
import { MOVE_USAGES, parseForget, parseMove, type MoveCommand } from './move-arguments.js';
import { placeOf } from './remote-options.js';
import { query, QUERY_USAGE, tables, TABLES_USAGE } from './read-commands.js';
import { reshard, RESHARD_USAGE } from './reshard.js';
import { serve } from './serve-command.js';
import { forgetFolder } from './synced-folder.js';
import { counted, reportResolved } from './table-move.js';

/** Where commands print. */
export interface Output {
  readonly print: (line: string) => void;
  /** As `print`. Resolves when the line is written, and rejects if it cannot be. */
  readonly write: (line: string) => Promise<void>;
  readonly complain: (line: string) => void;
}

/** A command of the program. */
export interface Command {
  readonly usage: string;
  /**
   * Runs the command.
   *
   * @param words - the words after the name of the command.
   * @returns the exit code.
   * @throws {@link UsageError}, and any other error.
   */
  run(words: readonly string[], output: Output): Promise<number>;
}

/** The commands, by their names. */
export const COMMANDS: Readonly<Record<string, Command>> = {
  serve: { usage: SERVE_USAGE, run: serve },
  tables: { usage: TABLES_USAGE, run: tables },
  query: { usage: QUERY_USAGE, run: query },
  pull: { usage: MOVE_USAGES.pull, run: moving('pull') },
  push: { usage: MOVE_USAGES.push, run: moving('push') },
  sync: { usage: MOVE_USAGES.sync, run: moving('sync') },
  forget: { usage: MOVE_USAGES.forget, run: forget },
  reshard: { usage: RESHARD_USAGE, run: reshard },
};

/** The usage of the program. */
export const USAGE = `entitable COMMAND [options]

  serve    serves an account on a port of this machine
  tables   prints the names of the tables of an account
  query    prints entities of a table
  pull     copies the tables of a storage account into a folder
  push     sends the tables of a folder, or of an archive, to a storage account
  sync     makes the tables of a folder and of a storage account equal
  forget   ends the sync of a folder
  reshard  spreads an account of a Worker over another number of Durable Objects

  COMMAND --help   print the options of a command
  --version        print the version`;

function moving(command: MoveCommand): Command['run'] {
  return async (words, { print, write, complain }) => {
    const given = parseMove(command, words);
    const place = placeOf(given.url, process.env);
    const hint = 'the same command goes on from here';
    return interruptible(given.isQuiet, { complain }, hint, async (line, signal) => {
      const tell = (text: string) => {
        line.clear();
        print(text);
      };
      const record = (text: string) => {
        line.clear();
        return write(text);
      };
      const output = { print: given.isQuiet ? () => {} : tell, tell, record, show: line.show };
      return (await move(given, place, output, signal)) ? 0 : 1;
    });
  };
}

async function forget(words: readonly string[], { print, write }: Output): Promise<number> {
  const folder = parseForget(words);
  if (!(await stat(folder).catch(() => undefined))?.isDirectory()) {
    throw new Error(`there is no folder ${folder}`);
  }
  const { tables, unsent } = await forgetFolder(folder, (table, steps) =>
    reportResolved(steps, (text) => write(`${table}: ${text}`)),
  );
  print(tables.length > 0 ? `not synced any more: ${tables.join(', ')}` : 'no table was synced');
  const were = unsent === 1 ? 'entity was' : 'entities were';
  if (unsent > 0) print(`${counted(unsent)} ${were} not sent`);
  return 0;
}
