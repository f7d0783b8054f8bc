/**
 * The usage of a command, from the table of its options.
 *
 * @module
 */

import type { Option, OptionTable } from './options.js';

/** What a command says about itself. */
export interface CommandUsage {
  /** What it does, for the list of commands: "prints entities of a table". */
  readonly summary: string;
  /** The words behind its name, a line for each form. */
  readonly forms: readonly string[];
  /** Paragraphs before and after the options. A line break within one stays. */
  readonly about?: readonly string[];
  readonly options: OptionTable;
  /** The words that it takes beside its options, for completion. Undefined: files, or none. */
  readonly words?: readonly string[];
  readonly notes?: readonly string[];
}

const WIDTH = 100;
// Where the texts of options begin.
const TEXT_AT = 19;

const HELP: OptionTable = { '--help': { text: 'print this' } };

/** The text that `entitable NAME --help` prints. */
export function usageOf(name: string, command: CommandUsage): string {
  const { forms, about = [], options, notes = [] } = command;
  const parts = [
    forms.map((form) => `entitable ${name} ${form}`.trimEnd()).join('\n'),
    ...about.map((text) => wrapped(text, 0)),
    optionLines({ ...options, ...HELP }).join('\n'),
    ...notes.map((text) => wrapped(text, 0)),
  ];
  return parts.join('\n\n');
}

function optionLines(options: OptionTable): string[] {
  return Object.entries(options).flatMap(([name, option]) =>
    option.text === undefined ? [] : linesOf(name, option.text, option),
  );
}

function linesOf(name: string, text: string, { value, choices = {} }: Option): string[] {
  const head = `  ${name}${value === undefined ? '' : ` ${value}`}`;
  const indented = `${' '.repeat(TEXT_AT)}${wrapped(text, TEXT_AT)}`;
  const isLong = head.length > TEXT_AT - 2;
  const meaningAt = TEXT_AT + 2 + Math.max(...Object.keys(choices).map((one) => one.length));
  const meanings = Object.entries(choices).map(([choice, meaning]) => {
    const place = ' '.repeat(TEXT_AT) + choice;
    return place.padEnd(meaningAt) + wrapped(meaning, meaningAt);
  });
  const first = isLong ? [head, indented] : [head + indented.slice(head.length)];
  return [...first, ...meanings];
}

// Further lines are indented by so many spaces; the first one is at its place already.
function wrapped(text: string, indent: number): string {
  const lines = text.split('\n').flatMap((line) => {
    const words = line.split(/ +/);
    const out = [words.shift()!];
    for (const word of words) {
      if (indent + out.at(-1)!.length + 1 + word.length > WIDTH) out.push(word);
      else out.push(`${out.pop()!} ${word}`);
    }
    return out;
  });
  return lines.join(`\n${' '.repeat(indent)}`);
}
