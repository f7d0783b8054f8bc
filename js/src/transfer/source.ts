/**
 * The sources of imports.
 *
 * @module
 */

import { invalidInput } from '../base/errors.js';
import { hasMethod, isBytes } from '../base/kinds.js';
import type { ImportSource } from './models.js';

/** What an import reads from. */
export type Source = Iterator<object, undefined> | AsyncIterator<object, undefined>;

/** Ends the source early. */
export async function endOf(iterator: Source | undefined): Promise<void> {
  await iterator?.return?.();
}

/**
 * Returns the entities or bytes of a source, one after another.
 *
 * @throws {@link TableError} `InvalidInput`, if it is no source.
 */
export function iteratorOf(source: ImportSource): Source {
  if (isBytes(source)) return [source].values();
  // Not every browser can iterate over a stream.
  if (hasMethod(source, 'getReader')) return iteratorOfStream(source as ReadableStream<object>);
  const iterable = source as Partial<AsyncIterable<object> & Iterable<object>>;
  const iterator = iterable?.[Symbol.asyncIterator]?.() ?? iterable?.[Symbol.iterator]?.();
  if (!iterator || typeof source === 'string') {
    throw invalidInput('The source is a stream, bytes, or an iterable of entities or bytes.');
  }
  return iterator;
}

function iteratorOfStream(stream: ReadableStream<object>): AsyncIterator<object, undefined> {
  const reader = stream.getReader();
  return {
    next: () => reader.read() as Promise<IteratorResult<object, undefined>>,
    return: async () => {
      await reader.cancel();
      return { done: true, value: undefined };
    },
  };
}
