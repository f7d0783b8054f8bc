/**
 * The JSON of a page of entities, as texts: its entities stay as the shard wrote them.
 *
 * @module
 */

import type { Key } from './token.js';

/** A page: the text before its entities, and each entity. */
export interface Feed {
  readonly head: string;
  readonly entities: readonly string[];
}

const LIST = '"value":[';
const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const CLOSING_BRACKET = 0x5d;
const CLOSING_BRACE = 0x7d;

/** @throws a `SyntaxError`, if the text is no page. */
export function readFeed(json: string): Feed {
  // In a text, the quotes would have backslashes.
  const list = json.indexOf(LIST);
  if (list < 0) throw noPage();
  const start = list + LIST.length;
  const entities: string[] = [];
  for (let at = start; json.charCodeAt(at) !== CLOSING_BRACKET;) {
    if (json.charCodeAt(at) === COMMA) at++;
    const end = endOfEntity(json, at);
    entities.push(json.slice(at, end));
    at = end;
  }
  return { head: json.slice(0, start), entities };
}

/** The JSON of a page. */
export const feedText = ({ head, entities }: Feed): string => `${head}${entities.join()}]}`;

/** The keys of an entity that has both. */
export function keyIn(entity: string): Key {
  const { PartitionKey, RowKey } = JSON.parse(entity) as Record<string, string>;
  if (PartitionKey === undefined || RowKey === undefined) throw noPage();
  return { partitionKey: PartitionKey, rowKey: RowKey };
}

/** The entity without members of these names. */
export function withoutMembers(entity: string, names: readonly string[]): string {
  const kept = membersOf(entity).filter(
    (member) => !names.some((name) => member.startsWith(`"${name}":`)),
  );
  return `{${kept.join()}}`;
}

// Values are no objects and no lists.
function membersOf(entity: string): string[] {
  const members: string[] = [];
  let start = 1;
  for (let at = start; start < entity.length - 1;) {
    const code = entity.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfString(entity, at);
    } else if (code === COMMA || at === entity.length - 1) {
      members.push(entity.slice(start, at));
      start = ++at;
    } else {
      at++;
    }
  }
  return members;
}

function endOfEntity(json: string, start: number): number {
  for (let at = start; at < json.length;) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) at = endOfString(json, at);
    else if (code === CLOSING_BRACE) return at + 1;
    else at++;
  }
  throw noPage();
}

// Behind the quote that ends the text that begins at a quote.
function endOfString(json: string, start: number): number {
  for (let from = start + 1; ;) {
    const quote = json.indexOf('"', from);
    if (quote < 0) throw noPage();
    let backslashes = 0;
    while (json.charCodeAt(quote - 1 - backslashes) === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return quote + 1;
    from = quote + 1;
  }
}

const noPage = () => new SyntaxError('The answer of a shard is no page of entities.');
