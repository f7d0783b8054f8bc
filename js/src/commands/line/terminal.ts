/**
 * Where commands print. What they print may come from strangers, so a terminal gets no character
 * that would steer it. A file and another program get every byte.
 *
 * @module
 */

import { printable } from '../../server/printable.js';
import type { Output } from './command.js';

/** The parts of a stream that commands need. */
export interface OutputStream {
  readonly isTTY?: boolean | undefined;
  write(text: string, done?: (error?: Error | null) => void): unknown;
}

/** A text made printable, in as many lines as it has. Those of CSV have a CR at the end. */
export const forTerminal = (text: string) =>
  text.replace(/\r$/, '').split('\n').map(printable).join('\n');

/** Prints on these streams. */
export function outputOn(stdout: OutputStream, stderr: OutputStream): Output {
  const lineFor = ({ isTTY }: OutputStream, text: string) =>
    `${isTTY === true ? forTerminal(text) : text}\n`;
  return {
    print: (text) => void stdout.write(lineFor(stdout, text)),
    write: (text) =>
      new Promise((resolve, reject) => {
        stdout.write(lineFor(stdout, text), (error) => (error ? reject(error) : resolve()));
      }),
    complain: (text) => void stderr.write(lineFor(stderr, text)),
  };
}
