/**
 * Values of several parts in files of OData JSON: an array or an object of a declared property is
 * JSON in the file, and not a text that holds JSON, and a long text is one member. It is loaded at
 * the first import or export of a table that has such properties.
 *
 * Numbers keep their texts, because the core reads types from them. So only the members of these
 * properties are parsed.
 *
 * @module
 */

import { invalidInput } from '../base/errors.js';
import { isBytes } from '../base/kinds.js';
import type { ByteStream, OwnBytes } from '../base/platform.js';
import { isPromise } from '../base/promised.js';
import { partsOf, furtherNames, isFull, partName } from '../schema/parts.js';
import type { TableProperties } from '../schema/rows.js';
import { iteratorOf } from '../transfer/source.js';
import type { ImportSource } from '../transfer/models.js';

/** The properties with texts of several parts, and whether a text holds JSON. */
export type TextsInParts = ReadonlyMap<string, { isJson: boolean; further: readonly string[] }>;

/** Returns the properties of a table that files have in another form. */
export function textsIn(properties: TableProperties): TextsInParts {
  const found = Object.entries(properties).flatMap(([name, { rules }]) => {
    const kind = rules.parted?.kind;
    const isText = kind === 'json' || kind === 'array' || kind === 'text';
    const text = { isJson: kind !== 'text', further: furtherNames(name, rules) };
    return isText ? [[name, text] as const] : [];
  });
  return new Map(found);
}

/** Returns a stream of the rows of a file, from one of entities. It reads nothing by itself. */
export function asFile(entities: ByteStream, texts: TextsInParts): ByteStream {
  const reader = entities.getReader();
  const rewriter = new Rewriter((object) => inFile(object, texts));
  const pull = async (controller: ReadableStreamDefaultController<OwnBytes>) => {
    for (let written = 0; written === 0;) {
      const { done, value } = await reader.read();
      const bytes = done ? rewriter.end() : rewriter.next(value);
      if (bytes.length) controller.enqueue(bytes);
      if (done) return controller.close();
      written = bytes.length;
    }
  };
  const cancel = (reason: unknown) => reader.cancel(reason);
  return new ReadableStream({ pull, cancel }, { highWaterMark: 0 });
}

/** Returns a source of entities, from one whose bytes may have the form of {@link asFile}. */
export function asEntities(source: ImportSource, texts: TextsInParts): Iterable<object> {
  const iterator = iteratorOf(source);
  const rewriter = new Rewriter((object) => stored(object, texts));
  let hasBytes = false;
  const rewritten = (next: IteratorResult<object, undefined>): typeof next => {
    if (next.done) {
      const isEnd = !hasBytes;
      hasBytes = false;
      return isEnd ? next : { done: false, value: rewriter.end() };
    }
    const { value } = next;
    if (!isBytes(value)) return next;
    hasBytes = true;
    return { done: false, value: rewriter.next(value) };
  };
  // What is there at once must not wait, so this is no generator.
  const own = {
    next: () => {
      const next = iterator.next();
      return isPromise(next) ? next.then(rewritten) : rewritten(next);
    },
    return: () => iterator.return?.() ?? { done: true, value: undefined },
  };
  return { [Symbol.iterator]: () => own as unknown as Iterator<object> };
}

// Of one entity in a file, in UTF-16 units. What is longer is none, and passes as it is.
const MOST_UNITS = 16 * 1024 * 1024;

/** Rewrites the outermost objects in pieces of JSON. Everything else stays as it is. */
class Rewriter {
  readonly #rewrite: (object: string) => string;
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  readonly #encoder = new TextEncoder();
  #rest = '';
  #at = 0;
  #depth = 0;
  #isText = false;
  #isEscaped = false;

  constructor(rewrite: (object: string) => string) {
    this.#rewrite = rewrite;
  }

  next(bytes: Uint8Array): OwnBytes {
    return this.#encoder.encode(
      this.#rewritten(() => this.#decoder.decode(bytes, { stream: true })),
    );
  }

  end(): OwnBytes {
    const text = this.#rewritten(() => this.#decoder.decode()) + this.#rest;
    this.#rest = '';
    return this.#encoder.encode(text);
  }

  #rewritten(decode: () => string): string {
    let text: string;
    try {
      text = this.#rest + decode();
    } catch (cause) {
      throw invalidInput('The source is not UTF-8.', cause);
    }
    let rewritten = '';
    let start = 0;
    for (let at = this.#at; (at = this.#nextOf(text, at)) > 0;) {
      if (!this.#endsObject(text[at - 1]!)) continue;
      const begin = text.indexOf('{', start);
      rewritten += text.slice(start, begin) + this.#rewrite(text.slice(begin, at));
      start = at;
    }
    this.#rest = text.slice(start);
    this.#at = this.#rest.length;
    if (this.#at > MOST_UNITS) {
      rewritten += this.#rest;
      [this.#rest, this.#at] = ['', 0];
      this.#depth = Infinity;
    }
    return rewritten;
  }

  // The place behind the next character that matters; 0, if there is none.
  #nextOf(text: string, at: number): number {
    const wanted = this.#isText ? IN_TEXT : OUTSIDE;
    wanted.lastIndex = at + Number(this.#isEscaped);
    if (at < text.length) this.#isEscaped = false;
    return wanted.test(text) ? wanted.lastIndex : 0;
  }

  // Whether the outermost object ends with a character.
  #endsObject(character: string): boolean {
    if (character === '\\') this.#isEscaped = true;
    else if (character === '"') this.#isText = !this.#isText;
    else if (character === '{') this.#depth++;
    else if (this.#depth > 0) return --this.#depth === 0;
    return false;
  }
}

const IN_TEXT = /["\\]/g;
const OUTSIDE = /["{}]/g;

const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/** The members of an object, as they are written. It must be JSON. */
function membersOf(object: string): Map<string, string> {
  const members = new Map<string, string>();
  let depth = 0;
  let name: string | undefined;
  let start = -1;
  for (const { 0: token, index } of object.matchAll(TOKENS)) {
    if (token === '}' || token === ']') depth--;
    const isBetween = (depth === 1 && token === ',') || depth === 0;
    if (isBetween && name !== undefined && start >= 0) {
      members.set(name, object.slice(start, index).trim());
      name = undefined;
      start = -1;
    } else if (depth === 1 && token.startsWith('"') && name === undefined) {
      name = JSON.parse(token) as string;
    } else if (depth === 1 && name !== undefined && start < 0 && token !== ':') {
      start = index;
    }
    if (token === '{' || token === '[') depth++;
  }
  return members;
}

/** Rewrites an object that has one of the properties. */
function rewrittenWith(
  object: string,
  texts: TextsInParts,
  rewrite: (members: Map<string, string>) => void,
): string {
  if (![...texts.keys()].some((name) => object.includes(`"${name}"`))) return object;
  try {
    JSON.parse(object);
  } catch {
    // It is refused later.
    return object;
  }
  const members = membersOf(object);
  rewrite(members);
  return `{${[...members].map(([name, value]) => `${JSON.stringify(name)}:${value}`).join()}}`;
}

const inFile = (object: string, texts: TextsInParts): string =>
  rewrittenWith(object, texts, (members) => {
    for (const [name, { isJson, further }] of texts) {
      const names = [name, ...further].filter((one) => members.get(one)?.startsWith('"'));
      const parts = names.map((one) => JSON.parse(members.get(one)!) as string);
      const isWhole = parts.every((part, at) => isFull(part) === at < parts.length - 1);
      if (!parts.length || !isWhole || names.some((one, at) => one !== partName(name, at + 1)))
        continue;
      const whole = parts.join('');
      // A text in the file is what is stored. Other programs may have stored lines.
      if (isJson && !(isArrayOrObject(whole) && !/[\n\r]/.test(whole))) continue;
      for (const one of further) members.delete(one);
      members.set(name, isJson ? whole : JSON.stringify(whole));
    }
  });

const stored = (object: string, texts: TextsInParts): string =>
  rewrittenWith(object, texts, (members) => {
    for (const [name, { isJson }] of texts) {
      const value = members.get(name) ?? '';
      const isText = value.startsWith('"');
      if (isJson ? !isArrayOrObject(value) : !isText || members.has(partName(name, 2))) continue;
      const whole = isText ? (JSON.parse(value) as string) : withoutSpace(value);
      partsOf(whole).forEach((part, at) =>
        members.set(partName(name, at + 1), JSON.stringify(part)),
      );
    }
  });

const withoutSpace = (json: string) =>
  json.replace(/("[^"\\]*(?:\\.[^"\\]*)*")|\s+/g, (_, text: string | undefined) => text ?? '');

function isArrayOrObject(json: string): boolean {
  try {
    return /^[[{]/.test(json) && JSON.parse(json) !== undefined;
  } catch {
    return false;
  }
}
