/**
 * Checks options objects. An unknown name or a value of another kind is an error with the name and
 * the value; no option is ignored.
 *
 * @module
 */

import { invalidInput } from './errors.js';
import { hasMethod, isDate, isObject } from './kinds.js';
import { MAX_BODY_BYTES, MAX_PAGE_RESULTS } from './limits.js';
import { short, shown } from './shown.js';

/**
 * The kind of an option: a named kind, a list of texts, nested options, or an array of objects with
 * nested options.
 */
export type OptionKind =
  keyof typeof KINDS | readonly string[] | OptionKinds | readonly [OptionKinds];

/** The most that a 32-bit module can use for pages, in bytes: 1 GiB. */
const MAX_CACHE_BYTES = 2 ** 30;

/** The options of a function, by their names. */
export interface OptionKinds {
  readonly [name: string]: OptionKind;
}

/** The names of an options type, each with its kind. */
export type KindsOf<T> = { readonly [Name in keyof Required<T>]: OptionKind };

// No option is accepted that the type does not declare.
type NoOthers<Kinds, T> = { readonly [Name in Exclude<keyof Kinds, keyof T>]: never };

// Bundlers keep a template that nobody uses, unless it is in a function.
const KINDS = {
  any: { words: 'anything', fits: () => true },
  boolean: { words: 'true or false', fits: (value: unknown) => typeof value === 'boolean' },
  bytes: {
    words: 'a number of bytes',
    fits: (value: unknown) => typeof value === 'number' && value >= 0,
  },
  'cache bytes': {
    get words() {
      return `a number of bytes up to ${MAX_CACHE_BYTES} (1 GiB)`;
    },
    fits: (value: unknown) => typeof value === 'number' && value >= 0 && value <= MAX_CACHE_BYTES,
  },
  function: { words: 'a function', fits: (value: unknown) => typeof value === 'function' },
  signal: {
    words: 'an AbortSignal',
    // As in fetch(): null means no signal.
    fits: (value: unknown) => value === null || hasMethod(value, 'removeEventListener'),
  },
  time: {
    words: 'a Date or a string',
    fits: (value: unknown) => typeof value === 'string' || (isDate(value) && !isNaN(+value)),
  },
  date: { words: 'a Date', fits: (value: unknown) => isDate(value) && !isNaN(+value) },
  number: { words: 'a number', fits: (value: unknown) => typeof value === 'number' },
  pageSize: {
    get words() {
      return `an integer from 1 to ${MAX_PAGE_RESULTS}`;
    },
    fits: (value: unknown) =>
      Number.isInteger(value) && Number(value) >= 1 && Number(value) <= MAX_PAGE_RESULTS,
  },
  count: {
    words: 'an integer from 1',
    fits: (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 1,
  },
  module: {
    words: 'an address, bytes, a response or a WebAssembly.Module',
    fits: (value: unknown) => typeof value === 'string' || isObject(value),
  },
  port: { words: 'a MessagePort', fits: (value: unknown) => hasMethod(value, 'start') },
  worker: {
    words: 'true or false, a Worker or the port of a SharedWorker',
    fits: (value: unknown) => typeof value === 'boolean' || hasMethod(value, 'postMessage'),
  },
  string: { words: 'a string', fits: (value: unknown) => typeof value === 'string' },
  where: {
    words: 'a function or a string',
    fits: (value: unknown) => typeof value === 'function' || typeof value === 'string',
  },
  order: {
    words: 'a string, or an array that has only strings',
    fits: (value: unknown) => [value].flat().every((element) => typeof element === 'string'),
  },
  strings: {
    words: 'an array that has only strings',
    fits: (value: unknown) =>
      Array.isArray(value) && value.every((element) => typeof element === 'string'),
  },
  report: {
    words: 'true or false, or a function',
    fits: (value: unknown) => typeof value === 'boolean' || typeof value === 'function',
  },
} as const;

/** Options of the official client, which are accepted without effect. */
export const WITHOUT_EFFECT = {
  requestOptions: 'any',
  tracingOptions: 'any',
  serializerOptions: 'any',
  onResponse: 'any',
} as const satisfies OptionKinds;

/**
 * Returns the members of two objects. A bundler leaves out a call that is marked as pure, but not
 * an object with spread members, even if nobody uses it.
 */
export const both = <A extends object, B extends object>(a: A, b: B): A & B => ({ ...a, ...b });

const SIGNAL = { abortSignal: 'signal' } as const;

/** The kinds of the options of every call. */
export const OPERATION_OPTIONS = /* @__PURE__ */ both(SIGNAL, WITHOUT_EFFECT);

/**
 * Returns a copy of options, so that later changes by their owner have no effect. In the copy, the
 * members of `queryOptions` are options themselves.
 *
 * @param owner - the function that takes them, for messages.
 * @param fail - makes the error.
 * @throws {@link TableError} `InvalidInput`, or the error of `fail`, with the name and the value.
 */
export function checkedOptions<T extends object, Kinds extends KindsOf<T>>(
  owner: string,
  options: T | undefined,
  kinds: Kinds & NoOthers<Kinds, T>,
  fail: (message: string) => Error = invalidInput,
): T {
  if (options === undefined) return {} as T;
  const copy: Record<string, unknown> = copied(options, kinds, '', { owner, kinds, fail });
  const { queryOptions } = copy;
  if (!queryOptions) return copy as T;
  copy['queryOptions'] = undefined;
  for (const [name, value] of Object.entries(queryOptions)) {
    if (copy[name] !== undefined) {
      const both = `${name} and queryOptions.${name}`;
      throw fail(`${owner} takes one of the options ${both}, not both.`);
    }
    copy[name] = value;
  }
  return copy as T;
}

/** The parts of messages that stay the same. */
interface Context {
  readonly owner: string;
  readonly kinds: OptionKinds;
  readonly fail: (message: string) => Error;
}

function copied(
  value: object,
  members: OptionKinds,
  path: string,
  context: Context,
): Record<string, unknown> {
  const { owner, kinds, fail } = context;
  if (!isObject(value) || Array.isArray(value)) {
    const subject = path ? `The option ${path} of ${owner}` : `The options of ${owner}`;
    throw fail(`${subject} must be an object, not ${shown(value)}.`);
  }
  for (const name of Object.keys(value)) {
    if (Object.hasOwn(members, name)) continue;
    const known = namesOf(kinds).join(', ');
    throw fail(`${owner} has no option ${path}${path && '.'}${short(name)}. It takes ${known}.`);
  }
  const copy: Record<string, unknown> = {};
  for (const name in members) {
    const member = (value as Record<string, unknown>)[name];
    if (member === undefined) continue;
    copy[name] = checked(member, members[name]!, path ? `${path}.${name}` : name, context);
  }
  return copy;
}

function checked(value: unknown, kind: OptionKind, path: string, context: Context): unknown {
  const { owner, fail } = context;
  if (isArrayOf(kind)) {
    if (!Array.isArray(value)) {
      throw fail(`The option ${path} of ${owner} must be an array, not ${shown(value)}.`);
    }
    // Missing elements count, too.
    return Array.from(value, (element, at) =>
      copied(element as object, kind[0], `${path}[${at}]`, context),
    );
  }
  const isNested = typeof kind === 'object' && !isList(kind);
  if (isNested) return copied(value as object, kind, path, context);
  if (kind === 'string' && typeof value === 'string' && value.length > MAX_BODY_BYTES) {
    throw fail(`The option ${path} of ${owner} is too long: it has ${value.length} characters.`);
  }
  const isOne = isList(kind);
  if (isOne ? !kind.includes(value as string) : !KINDS[kind].fits(value)) {
    const words = isOne ? kind.map(shown).join(' or ') : KINDS[kind].words;
    throw fail(`The option ${path} of ${owner} must be ${words}, not ${shown(value)}.`);
  }
  if (kind === 'strings' || kind === 'order') return [value as string[]].flat();
  if (kind === 'date') return new Date(value as Date);
  return value ?? undefined;
}

const isArrayOf = (kind: OptionKind): kind is readonly [OptionKinds] =>
  Array.isArray(kind) && isObject(kind[0]);
const isList = (kind: OptionKind): kind is readonly string[] =>
  Array.isArray(kind) && !isArrayOf(kind);

/**
 * The same for settings. The core checks their rules.
 *
 * @throws {@link TableError} `InvalidInput`, with the name and the value.
 */
export function checkedSettings<T extends object, Kinds extends KindsOf<T>>(
  owner: string,
  settings: T,
  kinds: Kinds & NoOthers<Kinds, T>,
): T {
  return checkedOptions(owner, settings, kinds);
}

/** For functions that do not throw {@link TableError}. */
export const typeError = (message: string) => new TypeError(message);

// With nested options, because an option may be given on the wrong level.
function namesOf(kinds: OptionKinds): string[] {
  return Object.entries(kinds).flatMap(([name, kind]: [string, OptionKind]) => {
    if (isArrayOf(kind)) return namesOf(kind[0]).map((inner) => `${name}[].${inner}`);
    if (typeof kind === 'string' || isList(kind)) return [name];
    return namesOf(kind).map((inner) => `${name}.${inner}`);
  });
}
