/**
 * Reads the options of a command line.
 *
 * @module
 */

import { parseArgs } from 'node:util';

import { nearestName } from '../../base/nearest.js';

/**
 * A command line that is not valid; the message says why. It shows only names of options: another
 * word may be a key, or a part of one.
 */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** An option of a command. */
export interface Option {
  /** What its value is, in capitals, as the usage shows it. Undefined: it takes no value. */
  readonly value?: string;
  /** What it does. Undefined: it has no effect, and the usage does not show it. */
  readonly text?: string;
  /** The values that it takes, each with what it means. Undefined: any. */
  readonly choices?: Readonly<Record<string, string>>;
  /** It may be given several times. */
  readonly isRepeated?: boolean;
  /** Its value may be empty. */
  readonly mayBeEmpty?: boolean;
  /** Further names for it. One may be a letter: `-l`. */
  readonly aliases?: readonly string[];
  /** What other programs call this option. An error about such a name suggests this option. */
  readonly foreignNames?: readonly string[];
}

/** The options of a command, by their names. */
export type OptionTable<Name extends string = string> = Readonly<Record<Name, Option>>;

/** The options that were given. */
export interface GivenOptions<Name extends string = string> {
  has(name: Name): boolean;
  /** Undefined, if it was not given. */
  get(name: Name): string | undefined;
  /** All values, in their order. */
  all(name: Name): readonly string[];
  /** The words that belong to no option. */
  readonly operands: readonly string[];
}

// The form of an option name, also of a misspelled one.
const OPTION_NAME = /^--[a-z]+(-[a-z]+)*([A-Z][a-z]+)*$/;
const COMMAND_WORDS = 1;

/**
 * Reads the words after the name of a command. `--port 1` and `--port=1` are the same.
 *
 * @param takesOperands - whether there may be words that belong to no option.
 * @throws {@link UsageError}
 */
export function readOptions<Name extends string>(
  words: readonly string[],
  table: OptionTable<Name>,
  takesOperands = false,
): GivenOptions<Name> {
  const names = namesIn(table);
  const values = new Map<Name, string[]>();
  const operands: string[] = [];
  const tokens = tokensOf(words, table, names);
  for (const token of tokens) {
    const name = token.kind === 'option' ? names.get(token.rawName) : undefined;
    if (token.kind === 'option' && name !== undefined) {
      const value = checkedValue(token, name, table[name], values.has(name));
      values.set(name, [...(values.get(name) ?? []), value]);
    } else if (token.kind === 'positional' && takesOperands) {
      operands.push(token.value);
    } else if (token.kind !== 'option-terminator') {
      throw strange(token, tokens, table);
    }
  }
  return {
    has: (name) => values.has(name),
    get: (name) => values.get(name)?.[0],
    all: (name) => values.get(name) ?? [],
    operands,
  };
}

/** A question about the command, instead of work for it; undefined: none. */
export function questionIn(words: readonly string[]): 'help' | 'version' | undefined {
  if (words.some((word) => word === '--help' || word === '-h')) return 'help';
  return words.includes('--version') ? 'version' : undefined;
}

// Each name that can be written, with the option that it means.
function namesIn<Name extends string>(table: OptionTable<Name>): ReadonlyMap<string, Name> {
  const names = Object.keys(table) as Name[];
  return new Map(
    names.flatMap((name) =>
      [name, ...(table[name].aliases ?? [])].map((written) => [written, name]),
    ),
  );
}

// The parser only takes the words apart. Its own checks would show the words in their messages, and
// take the last of several values.
function tokensOf<Name extends string>(
  words: readonly string[],
  table: OptionTable<Name>,
  names: ReadonlyMap<string, Name>,
) {
  const types = [...names]
    .filter(([written]) => written.startsWith('--'))
    .map(([written, name]) => {
      const { value, aliases = [] } = table[name];
      const type = value === undefined ? ('boolean' as const) : ('string' as const);
      const letter = written === name && aliases.find((alias) => !alias.startsWith('--'));
      return [written.slice(2), { type, ...(letter && { short: letter.slice(1) }) }] as const;
    });
  const options = Object.fromEntries(types);
  return parseArgs({ args: [...words], options, strict: false, tokens: true }).tokens;
}

type Token = ReturnType<typeof tokensOf>[number];
type OptionToken = Extract<Token, { kind: 'option' }>;

function checkedValue(
  { rawName, value, inlineValue }: OptionToken,
  name: string,
  option: Option,
  isGiven: boolean,
): string {
  const shown = rawName === name ? name : `${rawName} (${name})`;
  if (isGiven && !option.isRepeated) throw new UsageError(`${shown} is given twice`);
  if (option.value === undefined) {
    if (inlineValue) throw new UsageError(`${rawName} takes no value`);
    return '';
  }
  if (value === undefined || (value === '' && !option.mayBeEmpty)) {
    throw new UsageError(`${rawName} needs a value`);
  }
  if (option.choices && !Object.hasOwn(option.choices, value)) {
    throw new UsageError(`${name} is one of ${Object.keys(option.choices).join(', ')}`);
  }
  return value;
}

function strange(token: Token, tokens: readonly Token[], table: OptionTable): UsageError {
  if (token.kind === 'option' && OPTION_NAME.test(token.rawName)) {
    const meant = meantName(token.rawName, table);
    const hint = meant === undefined ? '' : `; did you mean ${meant}?`;
    return new UsageError(`no option ${token.rawName}${hint}`);
  }
  const place = token.index + 1 + COMMAND_WORDS;
  return new UsageError(`word ${place} belongs to no option${strayHint(token, tokens, table)}`);
}

// What may be wrong about a word that belongs to no option.
function strayHint(token: Token, tokens: readonly Token[], table: OptionTable): string {
  const isPlaced = tokens.some((one) => one.kind === 'option' && one.rawName === '--at');
  if (table['--at'] && !isPlaced) return `; --at takes ${table['--at'].text}`;
  const before = tokens[tokens.indexOf(token) - 1];
  const isAfterValue = before?.kind === 'option' && before.value !== undefined;
  return isAfterValue ? '; put quotes around a value with spaces' : '';
}

function meantName(given: string, table: OptionTable): string | undefined {
  const shown = Object.keys(table).filter((name) => table[name]!.text !== undefined);
  const same = shown.find((name) => table[name]!.foreignNames?.includes(given));
  const names = shown.map((name) => name.slice('--'.length));
  const nearest = nearestName(given.slice('--'.length), names);
  return same ?? (nearest === undefined ? undefined : `--${nearest}`);
}
