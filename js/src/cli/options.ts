/**
 * Reads the options of a command line.
 *
 * @module
 */

/**
 * A command line that is not valid; the message says why. It shows only names of options: another
 * word may be a key, or a part of one.
 */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The options that a command has. */
export interface OptionNames {
  readonly withValue: readonly string[];
  readonly withoutValue: readonly string[];
  /** Those of `withValue` that may be given several times. */
  readonly repeated?: readonly string[];
  /** Those of `withValue` that may be empty. */
  readonly maybeEmpty?: readonly string[];
  /** Further names of options, each with the name that it stands for. */
  readonly aliases?: Readonly<Record<string, string>>;
}

/** The options that were given. */
export interface GivenOptions {
  has(name: string): boolean;
  /** Undefined, if it was not given. */
  get(name: string): string | undefined;
  /** All values, in their order. */
  all(name: string): readonly string[];
}

// The form of an option name, also of a misspelled one.
const OPTION_NAME = /^--[a-z]+(-[a-z]+)*([A-Z][a-z]+)*$/;
const COMMAND_WORDS = 1;

/**
 * Reads the words after the name of a command. `--port 1` and `--port=1` are the same.
 *
 * @throws {@link UsageError}
 */
export function readOptions(words: readonly string[], names: OptionNames): GivenOptions {
  const { withValue, withoutValue, repeated = [], maybeEmpty = [], aliases = {} } = names;
  const options = new Map<string, string[]>();
  const rest = [...words];
  for (let word; (word = rest.shift()) !== undefined;) {
    const place = words.length - rest.length + COMMAND_WORDS;
    const [written = '', given] = word.split(/=(.*)/s, 2);
    const name = Object.hasOwn(aliases, written) ? aliases[written]! : written;
    const takesValue = withValue.includes(name);
    if (!takesValue && !withoutValue.includes(name)) {
      const isName = OPTION_NAME.test(name);
      throw new UsageError(isName ? `no option ${name}` : `word ${place} belongs to no option`);
    }
    const before = options.get(name) ?? [];
    if (before.length > 0 && !repeated.includes(name)) {
      const shown = written === name ? name : `${written} (${name})`;
      throw new UsageError(`${shown} is given twice`);
    }
    const value = takesValue ? (given ?? rest.shift()) : '';
    if (!takesValue && given !== undefined) throw new UsageError(`${written} takes no value`);
    const isMissing = value === undefined || (value === '' && !maybeEmpty.includes(name));
    if (takesValue && isMissing) throw new UsageError(`${written} needs a value`);
    options.set(name, [...before, value ?? '']);
  }
  return {
    has: (name) => options.has(name),
    get: (name) => options.get(name)?.[0],
    all: (name) => options.get(name) ?? [],
  };
}

/** A question about the command, instead of work for it; undefined: none. */
export function questionIn(words: readonly string[]): 'help' | 'version' | undefined {
  if (words.some((word) => word === '--help' || word === '-h')) return 'help';
  return words.includes('--version') ? 'version' : undefined;
}
