/**
 * Where commands print. What they print may come from strangers, so a terminal gets no character
 * that would steer it. A file and another program get every byte.
 *
 * @module
 */

import type { Output } from './command.js';

/** The parts of a stream that commands need. */
export interface OutputStream {
  readonly isTTY?: boolean | undefined;
  write(text: string, done?: (error?: Error | null) => void): unknown;
}

// Control characters of ASCII and of ISO 6429 (U+0080 to U+009F), ends of lines, and marks that
// turn the direction of a text, so that another one seems to be there.
const STEERING = /[\p{Cc}\p{Zl}\p{Zp}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;

/** The text with escapes as in JSON, in one line. */
export const printable = (text: string): string => text.replace(STEERING, escaped);

function escaped(character: string): string {
  const json = JSON.stringify(character).slice(1, -1);
  if (json !== character) return json;
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** The same in as many lines as the text has; CSV has a CR at the end of each. */
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
