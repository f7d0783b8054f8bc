// dogs.ts - entities for imports, as objects and as bytes.

import type { TableClient } from '../../../js/src/client/table-client.js';
import { collect } from './accounts.js';

export interface Dog {
  partitionKey: string;
  rowKey: string;
  Number: number;
  Text?: string;
}

export const dog = (number: number, more: object = {}): Dog => ({
  partitionKey: 'dogs',
  rowKey: String(number).padStart(6, '0'),
  Number: number,
  ...more,
});

export function* dogs(count: number, more: object = {}): Generator<Dog> {
  for (let number = 0; number < count; number++) yield dog(number, more);
}

export async function* later<T>(all: Iterable<T>): AsyncGenerator<T> {
  for (const one of all) {
    if (Math.random() < 0.01) await new Promise((resolve) => setTimeout(resolve));
    yield one;
  }
}

export const wire = ({ partitionKey, rowKey, ...rest }: Dog) => ({
  PartitionKey: partitionKey,
  RowKey: rowKey,
  ...rest,
});
export const utf8 = (text: string) => new TextEncoder().encode(text);
export const arrayOf = (all: Dog[]) => utf8(JSON.stringify(all.map(wire)));
export const linesOf = (all: Dog[]) => utf8(all.map((one) => JSON.stringify(wire(one))).join('\n'));

export function* chunksOf(bytes: Uint8Array, size: number): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size);
}

export function streamOf(chunks: Iterable<Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = chunks[Symbol.iterator]();
  return new ReadableStream({
    pull(controller) {
      const { done, value } = iterator.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
}

export const custom = ({ etag: _e, timestamp: _t, ...rest }: Record<string, unknown>) => rest;
export const contents = async (table: TableClient) =>
  (await collect(table.listEntities())).map(custom);
