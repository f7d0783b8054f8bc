/**
 * What a command of the program is.
 *
 * @module
 */

import type { Environment } from '../account/remote-options.js';
import type { CommandUsage } from './usage.js';

/** Where commands print. */
export interface Output {
  readonly print: (line: string) => void;
  /** As `print`. Resolves when the line is written, and rejects if it cannot be. */
  readonly write: (line: string) => Promise<void>;
  readonly complain: (line: string) => void;
}

/** What a command uses of its process. */
export interface CommandContext extends Output {
  readonly environment: Environment;
}

/** A command of the program. */
export interface Command {
  readonly usage: CommandUsage;
  /**
   * It changes nothing. So it ends in silence if the program that reads its output ends first, as
   * `head` does. The lines of the others are a record: of overwritten values, say. If they cannot
   * be written, the command has failed.
   */
  readonly onlyPrints?: boolean;
  /**
   * Runs the command.
   *
   * @param words - the words after the name of the command.
   * @returns the exit code.
   * @throws {@link UsageError}, and any other error.
   */
  run(words: readonly string[], context: CommandContext): Promise<number>;
}
