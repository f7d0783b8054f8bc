/**
 * Work of a command that shows how far it is, and that a signal interrupts.
 *
 * @module
 */

import { constants } from 'node:os';
import process from 'node:process';

import type { Output } from './command.js';
import { ProgressLine } from './progress-line.js';
import { onFirstSignal } from './signals.js';

/**
 * Does the work of a command.
 *
 * @param hint - what to say after a signal.
 * @param work - gets the line for its progress, and a signal that ends it.
 * @returns the exit code.
 */
export async function interruptible(
  isQuiet: boolean,
  { complain }: Pick<Output, 'complain'>,
  hint: string,
  work: (line: ProgressLine, signal: AbortSignal) => Promise<number>,
): Promise<number> {
  const line = new ProgressLine(process.stderr, isQuiet);
  const ending = new AbortController();
  let signal: NodeJS.Signals | undefined;
  const ignoreSignals = onFirstSignal((name) => {
    signal = name;
    ending.abort();
  });
  try {
    return await work(line, ending.signal);
  } catch (error) {
    if (signal === undefined) throw error;
    line.clear();
    complain(`interrupted; ${hint}`);
    return 128 + constants.signals[signal];
  } finally {
    ignoreSignals();
    line.clear();
  }
}
