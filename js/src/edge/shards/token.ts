/**
 * Continuation tokens. They hold a key and nothing else.
 *
 * `core/src/wire/continuation_token.h` has the grammar.
 *
 * @module
 */

import { base64ToBytes, bytesToBase64 } from '../../base/base64.js';
import { textOfUtf8 } from '../../base/utf8.js';

/** The keys of an entity. */
export interface Key {
  readonly partitionKey: string;
  readonly rowKey: string;
}

/** The parameters, and the ends of the headers, of a token. */
export const TOKEN_NAMES = ['NextPartitionKey', 'NextRowKey'] as const;

/** The beginning of the names of these headers. */
export const TOKEN_PREFIX = 'x-ms-continuation-';

/** The two texts that continue a query at a key, in the order of {@link TOKEN_NAMES}. */
export const tokensOf = ({ partitionKey, rowKey }: Key): [string, string] => [
  encoded(partitionKey),
  encoded(rowKey),
];

/** The key in two texts of an answer. */
export const keyOf = (partition: string, row: string | undefined): Key => ({
  partitionKey: decoded(partition),
  rowKey: row === undefined ? '' : decoded(row),
});

/** The headers of an answer: `Headers`, for compilers that do not know the name. */
interface AnswerHeaders {
  get(name: string): string | null;
}

/** The key in the headers of an answer; undefined, if its page was the last one. */
export function nextIn(headers: AnswerHeaders): Key | undefined {
  const [partition, row] = TOKEN_NAMES.map((name) => headers.get(TOKEN_PREFIX + name));
  return typeof partition === 'string' ? keyOf(partition, row ?? undefined) : undefined;
}

/** Whether the first key is before the second one: by UTF-16 code units, as JavaScript compares. */
export const isBefore = (a: Key, b: Key): boolean =>
  a.partitionKey === b.partitionKey ? a.rowKey < b.rowKey : a.partitionKey < b.partitionKey;

function encoded(key: string): string {
  const text = bytesToBase64(new TextEncoder().encode(key)).replaceAll('=', '-');
  return `1!${text.length}!${text}`;
}

const decoded = (token: string) =>
  textOfUtf8(base64ToBytes(token.slice(token.lastIndexOf('!') + 1).replaceAll('-', '=')));
